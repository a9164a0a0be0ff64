// The lead's screen: how it shows events of the team, and what its keys and lines do.
import type { AgentEvent } from "../../../agent/events.ts";
import type { TeamEvent } from "../../../board/event.ts";
import type { SessionHooks } from "../../../hooks/session-hooks.ts";
import { printLine, saidByTeamEvents, teamLine } from "../../../screen/events/team-lines.ts";
import { needsYouText, ownCommandText } from "../../../screen/status/solo-status-line.ts";
import { teamStatusLine } from "../../../screen/status/status-line.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import type { Staff } from "../../../team/lead/staff.ts";
import { costOf, type MemberStatus } from "../../../team/report/status.ts";
import { statusLineBy } from "../../session/screen/status-command.ts";
import type { World } from "../../world.ts";
import { memberKeys } from "../member/live-member.ts";
import { memberStatusFacts } from "../member/member-status-facts.ts";
import type { Lead, LeadScreen } from "./lead-parts.ts";

/** How the lead shows an event of the team. */
export function eventLine(
  { attended, startedAt, pane, style }: LeadScreen,
  { staff, alert, onEvent }: { staff: Staff; alert: SessionHooks["alert"]; onEvent: ((event: TeamEvent) => void) | undefined },
): (event: TeamEvent) => string | undefined {
  const claims = new Map<string, number>();
  return (event) => {
    onEvent?.(event);
    if (!attended) return printLine(event, startedAt);
    const needs = needsWords(event);
    if (needs !== undefined) {
      pane.bell();
      alert({ kind: "teammate_waits", text: needs });
    }
    if (event.kind === "task_claimed") claims.set(event.task, Date.parse(event.at));
    const claimedAt = event.kind === "task_completed" ? claims.get(event.task) : undefined;
    return teamLine(event, style, {
      tookMs: claimedAt === undefined ? undefined : Date.parse(event.at) - claimedAt,
      way: event.kind === "member_started" ? staff.wayTo(event.member) : undefined,
    });
  };
}

/** What it needs the person for. */
function needsWords(event: TeamEvent): string | undefined {
  if (event.kind === "member_hung") return `${event.member} may hang`;
  return event.kind === "member_waits" && event.again_ms === undefined ? `${event.member} waits for you` : undefined;
}

/** Connects the keyboard to the lead and shows its session. */
export function attachLead(world: World, lead: Lead): void {
  const { pane, style, ending, member, staff, team, launch, attended } = lead;
  const exit = { summary: "end the team", keys: "Ctrl-C, twice     ends the team", run: () => askForEnd(pane, staff, ending) };
  const keys = memberKeys({ ...lead, world, exit, names: staff.names });
  const hintNow = () => {
    const hint = lead.teammates?.hint();
    const command = member.session.status().state === "working" ? undefined : lead.live.own.newest();
    return hint?.urgent || command === undefined ? hint : { text: ownCommandText(command), urgent: false };
  };
  pane.attach({
    ...keys,
    onMode: () =>
      launch.options.leadMayEdit
        ? keys.onMode?.()
        : pane.print(style.dim("  The lead changes nothing. In a teammate's pane Shift-Tab changes that teammate's mode.")),
    onExit: () => "Ctrl-C twice ends the team",
    shows: attended ? worthShowing : worthPrinting,
    onKey: (key) => lead.teammates?.onKey(key) || keys.onKey?.(key) === true,
    statusLine: statusLineBy(
      { style, pane, world },
      {
        settings: member.work.settings(),
        session: member.session.id,
        signal: ending.signal,
        usual(width) {
          const tasks = team.list()?.tasks ?? [];
          const now = { tasks, members: runningStatuses(staff), costUsd: costOf(staff.statuses()), nowMs: lead.clock.now().getTime() };
          return teamStatusLine({ ...now, hint: hintNow() }, style, width);
        },
        facts() {
          const own = memberStatusFacts(member);
          return { ...own, cost_usd: costOf(staff.statuses()), state: hintNow()?.urgent ? "needs_you" : own.state };
        },
        needed: () => hintNow()?.text ?? needsYouText(style),
      },
    ),
    onInterrupt(again) {
      if (again) ending.abort();
      pane.interruptTurn();
      return again ? undefined : "Ctrl-C again ends the team";
    },
  });
}

/** Asks, because someone who types /exit may not realize that the teammates end too. */
async function askForEnd(pane: Pane, staff: Staff, ending: AbortController): Promise<void> {
  const running = staff.supervisor.running();
  const stay = { label: "No", hint: "the team goes on" };
  const end = { label: "Yes", hint: `stops ${running.join(", ")}` };
  if (running.length === 0 || (await pane.pick([stay, end], { title: "End the team" })) === end) ending.abort();
}

function runningStatuses(staff: Staff): MemberStatus[] {
  const running = new Set(["lead", ...staff.supervisor.running()]);
  return staff.statuses().filter(({ name }) => running.has(name));
}

/** On the lead's screen: events of its agent that the team's own events do not report. */
function worthShowing(event: AgentEvent): boolean {
  if (event.type === "input") return event.inputs.some(({ source }) => source.kind === "user");
  return event.type !== "tool_ended" || event.isError || !saidByTeamEvents.has(event.name);
}

/** Without a screen: the lead's text and errors. The team's own events have lines already. */
function worthPrinting(event: AgentEvent): boolean {
  return event.type === "reply" || event.type === "retry" || event.type === "ended";
}

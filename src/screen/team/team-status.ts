// A team's status as text: complete, or only the lines that changed.
import type { HandsFacts } from "../../places/hands-facts.ts";
import type { Place } from "../../team/place.ts";
import type { MemberView, TeamStatus } from "../../team/report/team-status.ts";
import { type Evidence, evidenceWords } from "../../wording/evidence.ts";
import { dollars, elapsedTime, windowFill } from "../../wording/figures.ts";
import { evidenceText } from "../evidence-text.ts";
import { clamp } from "../line-widths.ts";
import { handsBrief, handsText } from "../status/hands-text.ts";
import type { Style } from "../style.ts";
import { cell, columnsFor, fittedTable, stateCell } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { memberStates } from "./member-states.ts";
import { stuckLines } from "./stuck-lines.ts";

/** `resumable`: the team can be resumed. `columns`: how wide its table may be. */
type StatusLook = { style: Style; now: Date; command: string; resumable?: boolean; columns?: number };

/** Some lines for the team, one for each member, and why the team is stuck if it is. */
export function teamStatusText(
  status: TeamStatus,
  { style, now, command, resumable = false, columns = Number.POSITIVE_INFINITY }: StatusLook,
): string {
  const head = `Team ${status.team} ${stateWords[status.state]}: ${countsText(status)}; ${dollars(status.cost_usd)}`;
  const stands = status.state !== "ended" && status.stalled.length > 0;
  const stalled = stands ? stuckLines(status.stalled, { command, team: status.team, members: status.members }) : [];
  const failed = status.failed_tests.map(
    ({ task, by, evidence }) => `${task} is completed${by === null ? "" : ` by ${visibleLine(by)}`}: ${evidenceText(evidence, style)}`,
  );
  const untold = status.untold.length > 0 ? ["", untoldText(status)] : [];
  return [
    style.bold(head),
    ...placeLines(status, { command, resumable }),
    "",
    ...memberTable(status.members, { style, now, columns }),
    ...(failed.length > 0 ? ["", ...failed] : []),
    ...untold,
    ...stalled,
  ].join("\n");
}

/** What changed: a line for each member and for the list. Everything if there is no earlier status. */
export function statusChanges(before: TeamStatus | undefined, after: TeamStatus): string[] {
  const changed = (text: (status: TeamStatus) => string | undefined) => {
    const now = text(after);
    return now !== undefined && now !== (before && text(before)) ? [now] : [];
  };
  const nameLine = (name: string) => (status: TeamStatus) => {
    const member = status.members.find((candidate) => candidate.name === name);
    return member && memberLine(member);
  };
  return [
    ...changed((status) => `team ${status.team} ${stateWords[status.state]}`),
    ...after.members.flatMap(({ name }) => changed(nameLine(name))),
    ...changed(countsText),
    ...changed((status) => (status.untold.length > 0 ? untoldText(status) : undefined)),
    ...changed((status) => (status.stalled.length > 0 ? `the team is stuck: ${status.stalled.map(visibleLine).join(" ")}` : undefined)),
  ];
}

function untoldText({ untold }: TeamStatus): string {
  return `The lead has not been told yet that ${untold.join(", ")} ${untold.length === 1 ? "is" : "are"} blocked: the message could not be written, and is retried.`;
}

const stateWords: Record<TeamStatus["state"], string> = {
  running: "is running",
  lead_gone: "has lost its lead",
  ended: "has ended",
  no_processes: "has no processes of its own",
};

function countsText({ tasks }: TeamStatus): string {
  const all = tasks.open + tasks.in_progress + tasks.blocked + tasks.completed;
  if (all === 0) return "no tasks yet";
  const parts = [
    `${tasks.completed} of ${all} tasks completed`,
    tasks.in_progress > 0 && `${tasks.in_progress} in progress`,
    tasks.blocked > 0 && `${tasks.blocked} blocked`,
    tasks.open > 0 && `${tasks.open} open`,
  ];
  return parts.filter(Boolean).join(", ");
}

function placeLines(
  { place, team, state, members, tasks }: TeamStatus,
  { command, resumable }: { command: string; resumable: boolean },
): string[] {
  const resume = resumable ? [`Resume: ${command} team --resume ${team}`] : [];
  const isFinished = tasks.completed > 0 && tasks.open + tasks.in_progress + tasks.blocked === 0;
  if (state === "ended" && isFinished) return [`Report: ${command} team report --team ${team}`];
  if (state === "ended") return [`Report: ${command} team report --team ${team}`, ...resume];
  const lead = members.find(({ role }) => role === "lead");
  return [
    placeText(place, { team, leadPid: lead?.pid ?? null, command }),
    ...resume,
    ...(state === "lead_gone" ? [`Stop: ${command} team stop --team ${team}`] : []),
  ];
}

/** Where a team is shown, and how to look at it from here. */
export function placeText(place: Place, { team, leadPid, command }: { team: string; leadPid: number | null; command: string }): string {
  const leadTerminal = leadPid === null ? "the lead's terminal" : `the terminal of the lead, process ${leadPid}`;
  switch (place.kind) {
    case "tmux":
      return `Shown in tmux, ${tmuxWords[place.where]}. See it: ${command} team attach --team ${team}`;
    case "tabs":
      return "Shown in tabs of iTerm2, beside the lead's.";
    case "lead":
      return `Shown in ${leadTerminal}.${place.panes.length > 0 ? ` See it: ${command} team attach --team ${team}` : ""}`;
    case "driver":
      return `Shown by the display "${visibleLine(place.driver)}". See it: ${command} team attach --team ${team}`;
    case "logs":
      return place.files.length > 0
        ? `Not shown anywhere. Logs: ${place.files.join(" ")}`
        : "Not shown anywhere; each member has a log file.";
    case "nowhere":
      return "Its members are other programs.";
  }
}

/** For a person who has left a running team. */
export function detachedText(team: string, command: string): string {
  return `Detached. Team ${team} is still running.\n  See it again: ${command} team attach --team ${team}\n  Stop it: ${command} team stop --team ${team}`;
}

const tmuxWords = { beside: "in its lead's session", private: "on a server of its own", detached: "on a server of its own, detached" };

function memberTable(members: MemberView[], { style, now, columns }: { style: Style; now: Date; columns: number }): string[] {
  const column = columnsFor(members);
  const all = [
    column("member", ({ name }) => cell(name, (text) => style.member(name, text))),
    ...(members.some(({ definition }) => definition !== null) ? [column("role", ({ definition }) => visibleLine(definition ?? ""))] : []),
    column("state", ({ state }) => stateCell(memberStates[state], style)),
    column("for", ({ since }) => (since === null ? "" : age(since, now))),
    column("task", held),
    ...(members.some(({ hands }) => hands !== null) ? [column("hands", ...handsForms)] : []),
    column("turns", ({ turns }) => String(turns)),
    column("window", ({ context_tokens: used, window_tokens: window }) => windowFill(used ?? undefined, window ?? undefined)),
    column("cost", ({ cost_usd: cost }) => dollars(cost)),
    ...(hasTests(members) ? [column("tests", ({ evidence }) => testsCell(evidence))] : []),
    column("now", memberNow),
  ];
  return fittedTable(all, { columns, style, giveWay: memberColumnsGiveWay });
}

const memberColumnsGiveWay = ["hands", "window", "turns", "cost", "hands", "for", "role", "tests", "hands", "task"];

type WithHands = { hands: HandsFacts | null };

/** The forms of a column for hands. */
export const handsForms = [
  ({ hands }: WithHands) => (hands ? handsText(hands) : ""),
  ({ hands }: WithHands) => (hands ? handsBrief(hands) : ""),
  ({ hands }: WithHands) => hands?.place ?? "",
];

const widestTests = 40;

/** Whether somebody of these ran a test: without one, tables have no column for it. */
export function hasTests(those: { evidence: Evidence | null }[]): boolean {
  return those.some(({ evidence }) => evidence !== null && evidence.kind !== "none");
}

/** Of the task that a member holds or had last. */
export function testsCell(evidence: Evidence | null): string {
  if (evidence === null || evidence.kind === "none") return "";
  return clamp(visibleLine(evidenceWords(evidence).replace(/^(?:last|own) test:? /, "")), widestTests);
}

function age(since: string, now: Date): string {
  return elapsedTime(now.getTime() - Date.parse(since));
}

function held({ task, blocked }: MemberView): string {
  return [task, ...blocked.map((id) => `${id} (blocked)`)].filter(Boolean).join(" ");
}

/** What the member is doing, or how it ended. */
export function memberNow(member: Pick<MemberView, "state" | "doing" | "how" | "pid">): string {
  if (member.state === "waiting_permission") return member.doing ? `asks: ${visibleLine(member.doing)}` : "asks a question in its pane";
  if (member.state === "waiting_person") return `${visibleLine(member.how)}: type in its pane to continue`;
  if (member.state === "suspended") return `resume it with kill -CONT ${member.pid}`;
  return visibleLine(member.how || member.doing);
}

function memberLine(member: MemberView): string {
  const what = [held(member), memberNow(member)].filter(Boolean).join(" ");
  return `${member.name} ${memberStates[member.state].words}${what ? `: ${what}` : ""}`;
}

// Runs a lead in this process to the end of the team: its events, the meaning of its end, and an orderly shutdown.

import { isDeepStrictEqual } from "node:util";
import { failuresText } from "../../../agent/result/failures.ts";
import { endingIncident, type Incident, outcomeOfRun } from "../../../agent/result/outcome.ts";
import { completedText } from "../../../screen/team/team-report.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import { visibleLine, visibleText } from "../../../screen/visible-text.ts";
import type { NamedTeammate } from "../../../team/launch.ts";
import { type LeadEnd, runLead } from "../../../team/lead/lead.ts";
import { type TeamResult, writeResult } from "../../../team/lead/result.ts";
import { startTeammate } from "../../../team/lead/spawn-tools.ts";
import { type TeamReport, teamReport } from "../../../team/report/report.ts";
import { unansweredCalls } from "../../../team/requests.ts";
import { budgetSpent } from "../../../team/teammate/pause.ts";
import { flushDisk } from "../../disk-notice.ts";
import { promptText } from "../../print/stdin-prompt.ts";
import { runnerOf } from "../../session/screen/live-session.ts";
import type { World } from "../../world.ts";
import type { Member } from "../member/member.ts";
import { providerWaits } from "../provider-waits.ts";
import type { Lead, LeadSetup } from "./lead-parts.ts";
import { failLead, openLead } from "./open-lead.ts";
import { resumeLead } from "./resume-lead.ts";

/** How often processes are checked; a death is noticed well within two seconds. */
const pollMs = 500;

/** Leads the team to its end, stops the teammates and makes the report. The result is in result.json before the lead's claim is released. */
export async function runLeadProcess(world: World, setup: LeadSetup): Promise<TeamResult> {
  const lead = await openLead(world, setup);
  const { member, staff, pane, display, team, teammates } = lead;
  const { disk, board } = member;
  const stop = listenToWorld(world, lead, setup.interrupted);
  try {
    const prompt = await promptText({ typed: lead.launch.prompt, piped: setup.piped }, member.work.redacted);
    const toldAt = lead.launch.resumed && (await resumeLead(world, lead, lead.launch.resumed.since));
    if (prompt.text) member.session.say({ source: { kind: "user" }, ...prompt });
    await startNamed(lead);
    const end = await leadToEnd(world, lead, toldAt);
    if (lead.fault) throw lead.fault.error;
    member.session.setState("stopping");
    const running = staff.supervisor.running();
    if (lead.attended && running.length > 0) pane.print(lead.style.dim(`  stopping ${running.join(", ")}`));
    await staff.endAll();
    await staff.poll();
    team.refresh();
    teammates?.refresh();
    const spent = staff.statuses().some(({ paused }) => paused === budgetSpent);
    const { report, code } = outcomeOfTeam(lead, end, spent);
    const worktrees = await lead.trees?.settle();
    const result = { code, report, end: { how: end.how, stalled: end.stalled }, ...(worktrees && { worktrees }) };
    writeResult(disk, board.layout, result);
    await disk.written();
    return result;
  } finally {
    stop();
    await runEveryStep([
      () => staff.endAll(),
      () => lead.recorded,
      () => teammates?.close(),
      () => member.hooks.end("exit"),
      () => sayFailures(member, pane),
      () => pane.close(),
      () => display.dispose(),
      () => member.work.endAll(),
      () => flushDisk(disk, board.layout.log),
      () => member.release(),
    ]);
  }
}

/** Listens to file changes, signals, and an interruption from before there was a lead. Returns a function that stops listening. */
function listenToWorld(world: World, lead: Lead, interruptedBefore: AbortSignal | undefined): () => void {
  const { member, staff, team, wake, ending } = lead;
  const fail = (error: unknown) => failLead(lead, error);
  const lookAtSettings = oneAtATime(() => member.work.refresh(ending.signal));
  const onChange = () => {
    try {
      team.refresh();
      lead.teammates?.refresh();
    } catch (error) {
      fail(error);
    }
    staff.poll().catch(fail);
    lookAtSettings().catch(fail);
    wake.notify();
  };
  const stopWatching = member.watch.watch(watched(member), onChange, { pollMs });
  ending.signal.addEventListener("abort", member.disk.hurry, { once: true });
  const stopSignals = world.onSignal(() => ending.abort());
  if (interruptedBefore?.aborted) ending.abort();
  return () => {
    stopWatching();
    stopSignals();
  };
}

/** Starts the teammates that the person named, before the lead's model runs. The model and the person are told about one that does not start. */
async function startNamed({ launch, spawner, pane, member }: Lead): Promise<void> {
  const start = async ({ name, role, program, place }: NamedTeammate) => {
    const isProgram = program && role !== undefined;
    const started = isProgram
      ? await spawner.spawn({ name, program: role })
      : await startTeammate(spawner, { name, ...(place && { place }) }, role);
    if (started.ok) return;
    pane.warn(visibleLine(started.reason));
    member.session.say({ source: { kind: "harness" }, text: started.reason });
  };
  await Promise.all((launch.options.named ?? []).map(start));
}

function leadToEnd(world: World, lead: Lead, toldAt: number | undefined): Promise<LeadEnd> {
  const { member, staff, team, clock, launch, pane, style, ending } = lead;
  return runLead({
    session: member.session,
    async poll() {
      await staff.poll();
      lead.trees?.look();
    },
    check: lead.trees?.check,
    running: staff.supervisor.running,
    clock,
    readList: team.list,
    statusOf: (name) => (staff.supervisor.lives(name) ? staff.statusOf(name) : undefined),
    waitingMailOf: (name) => member.board.mailbox(name).peek(),
    ...runnerOf(lead.live),
    endWhenDone: launch.options.endWhenDone ?? false,
    toldAt,
    notBegun: unansweredCalls(member.requests, "lead"),
    onNotice: pane.warn,
    ...providerWaits(world, lead),
    onCompleted(checked) {
      const text = completedText(reportNow(lead), style, checked);
      if (text === undefined) return;
      pane.print(`\n${text}\n`, 9);
      const said = `Team ${launch.team}: all tasks are completed`;
      pane.notify(said);
      if (lead.attended) member.hooks.alert({ kind: "team_completed", text: said });
    },
    ending: ending.signal,
  });
}

/** The report counts from the creation of the team, whichever lead makes it, as `tool team report` does. */
function reportNow({ launch, team, staff, startedAt, clock, member }: Lead, incidents = staff.incidents(startedAt)): TeamReport {
  const read = member.board.record();
  return teamReport({
    team: launch.team,
    tasks: team.list()?.tasks ?? [],
    events: team.events,
    members: staff.statuses(),
    changes: staff.changes,
    incidents,
    startedAt: read.ok ? new Date(read.record.created_at) : startedAt,
    endedAt: clock.now(),
  });
}

/** The lead's own failures; those of teammates are in their reports. */
function sayFailures({ failures }: Member, pane: Pane): void {
  const text = failuresText(failures.fresh(), failures.path);
  if (text) pane.print(visibleText(text), 2);
}

/** Takes every step even if earlier ones fail, because anything left open outlives this process. Throws the first fault at the end. */
async function runEveryStep(steps: (() => unknown)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}

function watched({ board }: Member): string[] {
  const { layout } = board;
  return [folderOf(layout.record), folderOf(layout.log), layout.requests, `${layout.mailbox("lead")}/new`];
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** A person who watched has seen or made what happened on the way. Without one, nothing of it is a silent success. */
function outcomeOfTeam(lead: Lead, end: LeadEnd, spent: boolean): Pick<TeamResult, "report" | "code"> {
  const { attended, staff, startedAt } = lead;
  const onTheWay = staff.incidents(startedAt);
  const ended = endIncidents(end, reportNow(lead, []), { attended, spent });
  const isKnown = (one: Incident) => onTheWay.some((other) => isDeepStrictEqual(one, other));
  return {
    report: reportNow(lead, [...onTheWay, ...ended.filter((one) => !isKnown(one))]),
    code: outcomeOfRun(attended ? ended : [...ended, ...onTheWay]).exit_code,
  };
}

/** What the end itself says. A person who ends a team whose work is done interrupts nothing. */
function endIncidents(
  end: LeadEnd,
  { tasks, completed }: TeamReport,
  { attended, spent }: { attended: boolean; spent: boolean },
): Incident[] {
  const agent = "lead";
  switch (end.how) {
    case "completed":
    case "nothing_to_do":
      return [];
    case "stalled":
      return [
        { kind: spent ? "budget" : "failed", agent, item: "the team's tasks", reason: end.stalled.join(" ") || "The team is stuck." },
      ];
    case "interrupted":
      return attended && tasks.length > 0 && completed === tasks.length && !end.unchecked ? [] : [{ kind: "interrupted", agent }];
    case "failed": {
      const own = end.last && endingIncident(end.last.ending, agent);
      return [own ?? { kind: "failed", agent, item: "the merged work", reason: "Its test has not passed." }];
    }
  }
}

/** Does not start another while one runs. */
function oneAtATime(look: () => Promise<void>): () => Promise<void> {
  let runs = false;
  return async () => {
    if (runs) return;
    runs = true;
    await look().finally(() => {
      runs = false;
    });
  };
}

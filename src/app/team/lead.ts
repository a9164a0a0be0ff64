// Runs a lead in this process: its session, its staff, the team's events on the screen or as printed lines, and the end of the team.

import type { AgentEvent } from "../../agent/events.ts";
import { failuresText } from "../../agent/failures.ts";
import { askedCompaction } from "../../agent/requests/asked-compaction.ts";
import type { TeamEvent } from "../../board/event.ts";
import { openingState, sandboxNotice } from "../../permissions/sandbox-state.ts";
import { teamStatusLine } from "../../screen/status-line.ts";
import { createStyle, type Style } from "../../screen/style.ts";
import { printLine, saidByTeamEvents, teamLine } from "../../screen/team-lines.ts";
import { completedText } from "../../screen/team-report.ts";
import { toBackgroundKey } from "../../screen/terminal/keys.ts";
import { openPane, type Pane } from "../../screen/terminal/pane.ts";
import { visibleLine, visibleText } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { Display } from "../../team/display.ts";
import type { Launch } from "../../team/launch.ts";
import { type LeadEnd, runLead } from "../../team/lead/lead.ts";
import { removeResult, type TeamResult, writeResult } from "../../team/lead/result.ts";
import { type Spawner, spawnTools } from "../../team/lead/spawn-tools.ts";
import { createStaff, type Staff } from "../../team/lead/staff.ts";
import { readStatus } from "../../team/member-files.ts";
import { leadSystemPrompt } from "../../team/prompt.ts";
import { type TeamReport, teamReport } from "../../team/report.ts";
import type { MemberStatus } from "../../team/status.ts";
import { budgetSpent } from "../../team/teammate/teammate.ts";
import { settingsFlags } from "../agent-flags.ts";
import { leaveDisk } from "../disk-notice.ts";
import { editorOf, noOffers } from "../line-editor.ts";
import { changeMode } from "../mode-control.ts";
import { openSettings } from "../open-settings.ts";
import { runPersonsCommand } from "../persons-command.ts";
import { runSlash } from "../run-slash.ts";
import { promptText } from "../stdin-prompt.ts";
import { settingsNotices, trustedSettings, withoutEffect } from "../trust.ts";
import { waker } from "../waker.ts";
import type { Environment, ExitCode, World } from "../world.ts";
import { calmly } from "./calm-display.ts";
import { recordLead } from "./lead-record.ts";
import { showTeammates } from "./lead-teammates.ts";
import { type Member, openMember } from "./member.ts";
import { memberControls } from "./member-controls.ts";
import { withSkills } from "./member-skills.ts";
import { openingLines } from "./opening.ts";
import { watchTeam } from "./team-watch.ts";

export type LeadSetup = {
  launch: Launch;
  /** What was piped in below the launch's prompt. It is not of the launch, which can be a file: secrets are taken out of it first. */
  piped?: string;
  display: Display;
  /** A screen and a keyboard; otherwise lines are printed. */
  attended: boolean;
  /** What colours and symbols go by. */
  styleEnv: Environment;
  print: (text: string) => void;
  /** Gets each event of the team as well: for who reads them as data. */
  onEvent?: (event: TeamEvent) => void;
  /** Aborts at a signal that came before this lead could take it. */
  interrupted?: AbortSignal;
};

/** How often processes are looked at; a death is seen well within two seconds. */
const pollMs = 500;

/** Leads the team to its end, stops the teammates and gathers the report. The result is in result.json too before the lead's claim is free. */
export async function runLeadProcess(world: World, setup: LeadSetup): Promise<TeamResult> {
  const { display, attended } = setup;
  const [clock, processes, ownDisk] = await Promise.all([world.edges.clock(), world.edges.processes(), world.edges.disk()]);
  const startedAt = clock.now();
  const style: Style = createStyle(setup.styleEnv, () => staff.names());
  const terminal = attended ? await world.edges.terminal() : null;
  const offers = noOffers();
  const ending = new AbortController();
  const editor = editorOf(world, ownDisk, offers);
  const pane = openPane({
    terminal,
    write: setup.print,
    style,
    name: "lead",
    term: world.env["TERM"],
    now: clock.monotonicMs,
    editor,
    onLeave: () => ending.abort(),
  });
  const settings = await settingsHere(world, { launch: setup.launch, pane, style, ending, attended });
  const { directories, sandbox: wanted } = settings.effective;
  const found = await world.edges.sandboxTrial([setup.launch.cwd, ...directories.map(({ path }) => path)]);
  const launch: Launch = { ...setup.launch, sandbox: found };
  const unconfined = sandboxNotice(openingState(wanted, found));
  const wake = waker();
  const spawner: Spawner = { spawn: (order) => staff.spawn(order), stop: (name) => staff.stop(name) };
  const member = await openMember(world, launch, {
    actor: { name: "lead", role: "lead" },
    system: leadSystemPrompt(launch.team, { teammates: launch.options.teammates }),
    tools: spawnTools(spawner),
    readOnly: !launch.options.leadMayEdit,
    settings,
    pane,
    wake,
  });
  const { board, disk, session } = member;
  removeResult(disk, board.layout);
  const recorded = recordLead(world, member, pane.warn);
  const staff: Staff = createStaff({
    board,
    disk,
    clock,
    processes,
    display: calmly(display, { pane, clock }),
    launch,
    configDir: world.configDir,
    launcher: (path) => [...world.self, "teammate", "--launch", path],
    uniqueId: world.uniqueId,
    onNotice: pane.warn,
    tellLead: (text) => session.say({ source: { kind: "harness" }, text }),
  });
  const claims = new Map<string, number>();
  const line = (event: TeamEvent) => {
    setup.onEvent?.(event);
    if (!attended) return printLine(event, startedAt);
    if (event.kind === "member_waits") pane.bell();
    if (event.kind === "task_claimed") claims.set(event.task, Date.parse(event.at));
    const claimedAt = event.kind === "task_completed" ? claims.get(event.task) : undefined;
    return teamLine(event, style, {
      tookMs: claimedAt === undefined ? undefined : Date.parse(event.at) - claimedAt,
      way: event.kind === "member_started" ? staff.wayTo(event.member) : undefined,
    });
  };
  const team = watchTeam({
    member,
    staff,
    pane,
    style,
    line,
  });
  let fault: unknown;
  const fail = (error: unknown) => {
    fault ??= error;
    ending.abort();
  };
  const teammates = terminal && showTeammates({ world, launch, member, staff, display, pane, terminal, style, onFault: fail });
  let interrupted = false;
  /** Below what was interrupted, not in the middle of it. */
  const sayHowToEnd = () => {
    interrupted = false;
    pane.print(style.dim("  Ctrl-C again ends the team."));
  };
  const compaction = askedCompaction(session.agent, wake.now);
  const controls = memberControls(
    { ...member, member, world, pane, style, scripted: member.script !== undefined },
    {
      processes,
      compact: compaction.ask,
      wake: wake.now,
      exit: { summary: "end the team", keys: "Ctrl-C twice: end the team", run: () => askForEnd(pane, staff, ending) },
    },
  );
  const commands = withSkills(controls, { skills: member.beside.skills, session, wake, pane });
  Object.assign(offers, { commands, paths: member.work.paths, agents: staff.names });
  pane.attach({
    session,
    wake: wake.now,
    onLine: (line) =>
      runSlash(line, commands, { pane, style }) || runPersonsCommand(line, { pane, style, session, work: member.work }, ending.signal),
    onMode: () =>
      launch.options.leadMayEdit
        ? changeMode({ work: member.work, session, pane })
        : pane.print(style.dim("  The lead changes nothing. In a teammate's pane Shift-Tab changes that teammate's mode.")),
    onExit: () => pane.print(style.dim("  Ctrl-C twice ends the team.")),
    shows: attended ? worthShowing : worthPrinting,
    onKey: (key) => teammates?.onKey(key) || (key === toBackgroundKey && member.work.commands.own.toBackground()),
    statusLine: (width) =>
      teamStatusLine(
        { tasks: team.list()?.tasks ?? [], members: runningStatuses(staff), nowMs: clock.now().getTime(), hint: teammates?.hint() },
        style,
        width,
      ),
    onInterrupt(again) {
      if (again) return ending.abort();
      const works = session.status().state === "working";
      pane.interruptTurn();
      if (works) interrupted = true;
      else sayHowToEnd();
    },
  });
  const outlook = await display.outlook?.().catch(() => undefined); // said without it
  if (outlook?.where === "beside") pane.limitText(outlook.leadColumns);
  session.listen((event) => {
    if (interrupted && event.type === "ended") sayHowToEnd();
  });
  for (const line of launch.opening ? openingLines(launch, launch.opening, outlook) : []) pane.print(line);
  if (unconfined) pane.warn(visibleLine(unconfined));
  const lookAtSettings = oneAtATime(() => member.work.refresh(ending.signal));
  const onChange = () => {
    try {
      team.look();
      teammates?.look();
    } catch (error) {
      fail(error);
    }
    staff.look().catch(fail);
    lookAtSettings().catch(fail);
    wake.now();
  };
  const reportNow = () =>
    teamReport({
      team: launch.team,
      tasks: team.list()?.tasks ?? [],
      events: team.events,
      members: staff.statuses(),
      changes: staff.changes,
      denials: staff.denials,
      startedAt,
      endedAt: clock.now(),
    });
  const stopWatching = member.watch.watch(watched(member), onChange, { pollMs });
  ending.signal.addEventListener("abort", disk.hurry, { once: true });
  const stopSignals = world.onSignal(() => ending.abort());
  if (setup.interrupted?.aborted) ending.abort();
  try {
    const prompt = await promptText({ typed: launch.prompt, piped: setup.piped }, member.work.redacted);
    if (prompt) session.say({ source: { kind: "user" }, text: prompt });
    const end = await runLead({
      session,
      look: staff.look,
      running: staff.supervisor.running,
      clock,
      readList: team.list,
      statusOf: (name) => readStatus(disk, board.layout, name),
      waitingMailOf: (name) => board.mailbox(name).peek(),
      changed: wake.next,
      compaction,
      endWhenDone: launch.options.endWhenDone ?? false,
      onNotice: pane.warn,
      onCompleted() {
        pane.print(`\n${completedText(reportNow(), style)}\n`, 9);
        pane.notify(`Team ${launch.team}: all tasks are completed`);
      },
      ending: ending.signal,
      turnSignal: pane.turnSignal,
    });
    if (fault) throw fault;
    session.setState("stopping");
    const running = staff.supervisor.running();
    if (attended && running.length > 0) pane.print(style.dim(`  stopping ${running.join(", ")}`));
    await staff.supervisor.stopAll();
    await staff.look();
    team.look();
    teammates?.look();
    const report = reportNow();
    const result = {
      code: exitCode(end, report, { attended, spent: staff.statuses().some(({ paused }) => paused === budgetSpent) }),
      report,
      end: { how: end.how, stalled: end.stalled },
    };
    writeResult(disk, board.layout, result);
    await disk.written();
    return result;
  } finally {
    stopWatching();
    stopSignals();
    await eachOf([
      () => staff.supervisor.stopAll(),
      () => recorded,
      () => teammates?.close(),
      () => member.hooks.end("exit"),
      () => sayFailures(member, pane),
      () => pane.close(),
      () => display.dispose(),
      () => member.work.endAll(),
      () => leaveDisk(disk, board.layout.log),
      () => member.release(),
    ]);
  }
}

/** Items that the lead itself has recorded; those of teammates are in their reports. */
function sayFailures({ beside: { failures } }: Member, pane: Pane): void {
  const text = failuresText(failures.fresh(), failures.path);
  if (text) pane.print(visibleText(text), 2);
}

type Asked = { launch: Launch; pane: Pane; style: Style; ending: AbortController; attended: boolean };

/** Teammates find in the record what the person answers here. */
async function settingsHere(world: World, { launch, attended, ...place }: Asked): Promise<LoadedSettings> {
  const flags = settingsFlags(launch.options);
  const settings = attended ? await trustedSettings({ world, ...place, declined: {} }, flags) : await openSettings(world, flags);
  for (const notice of attended ? withoutEffect(settings) : settingsNotices(settings, world.command)) place.pane.warn(visibleLine(notice));
  return settings;
}

/** Whoever types /exit may not think of the teammates that go with it. */
async function askForEnd(pane: Pane, staff: Staff, ending: AbortController): Promise<void> {
  const running = staff.supervisor.running();
  const stay = { label: "No", hint: "the team goes on" };
  const end = { label: "Yes", hint: `stops ${running.join(", ")}` };
  if (running.length === 0 || (await pane.pick([stay, end], { title: "End the team" })) === end) ending.abort();
}

/** Takes every step whatever the ones before met, since what is left open outlives this process. Throws the first fault at the end. */
async function eachOf(steps: (() => unknown)[]): Promise<void> {
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

function runningStatuses(staff: Staff): MemberStatus[] {
  const running = new Set(["lead", ...staff.supervisor.running()]);
  return staff.statuses().filter(({ name }) => running.has(name));
}

function watched({ board }: Member): string[] {
  const { layout } = board;
  return [folderOf(layout.record), folderOf(layout.log), layout.requests, `${layout.mailbox("lead")}/new`];
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** On the lead's screen: what the team's own events do not say already. */
function worthShowing(event: AgentEvent): boolean {
  if (event.type === "input") return event.inputs.some(({ source }) => source.kind === "user");
  return event.type !== "tool_ended" || event.isError || !saidByTeamEvents.has(event.name);
}

/** Printed without a screen: the lead's words and what went wrong. The team's own events have their lines already. */
function worthPrinting(event: AgentEvent): boolean {
  return event.type === "reply" || event.type === "retry" || event.type === "ended";
}

/** Where a person watched, they have seen what was refused, or have refused it. Elsewhere it is never a silent success. */
function exitCode(end: LeadEnd, report: TeamReport, { attended, spent }: { attended: boolean; spent: boolean }): ExitCode {
  const missing = !attended && report.denials.length > 0;
  switch (end.how) {
    case "completed":
    case "nothing_to_do":
      return missing ? 3 : 0;
    case "stalled":
      return missing ? 3 : spent ? 4 : 1;
    case "interrupted":
      return report.tasks.length > 0 && report.completed === report.tasks.length ? 0 : 130;
    case "failed":
      return end.last?.ending.kind === "budget" || end.last?.ending.kind === "max_turns" ? 4 : 1;
  }
}

/** While one runs, another is not begun. */
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

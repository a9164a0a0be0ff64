// Runs a lead in this process: its session, its staff, the team's events on the screen or as printed lines, and the end of the team.

import type { Clock } from "../../agent/clock.ts";
import { failuresText } from "../../agent/failures.ts";
import { askedCompaction } from "../../agent/requests/asked-compaction.ts";
import type { TeamEvent } from "../../board/event.ts";
import { openingState, sandboxNotice } from "../../permissions/sandbox-state.ts";
import { createStyle, type Style } from "../../screen/style.ts";
import { completedText } from "../../screen/team-report.ts";
import { openPane, type Pane } from "../../screen/terminal/pane.ts";
import type { Terminal } from "../../screen/terminal/terminal.ts";
import { visibleLine, visibleText } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { Display } from "../../team/display.ts";
import type { Launch, NamedTeammate } from "../../team/launch.ts";
import { type LeadEnd, runLead } from "../../team/lead/lead.ts";
import { removeResult, type TeamResult, writeResult } from "../../team/lead/result.ts";
import { type Spawner, spawnTools, startTeammate } from "../../team/lead/spawn-tools.ts";
import { createStaff, type Staff } from "../../team/lead/staff.ts";
import { readStatus } from "../../team/member-files.ts";
import { leadSystemPrompt } from "../../team/prompt.ts";
import { type TeamReport, teamReport } from "../../team/report.ts";
import { unansweredCalls } from "../../team/requests.ts";
import { budgetSpent } from "../../team/teammate/teammate.ts";
import { settingsFlags } from "../agent-flags.ts";
import { leaveDisk } from "../disk-notice.ts";
import { editorOf, emptyCompletions } from "../line-editor.ts";
import { openSettings } from "../open-settings.ts";
import { promptText } from "../stdin-prompt.ts";
import { settingsNotices, trustedSettings, withoutEffect } from "../trust.ts";
import { type Waker, waker } from "../waker.ts";
import type { Environment, ExitCode, World } from "../world.ts";
import { recordLead } from "./lead-record.ts";
import { attachLead, eventLine } from "./lead-screen.ts";
import { showTeammates } from "./lead-teammates.ts";
import { type LeadTrees, leadTrees } from "./lead-trees.ts";
import { type Member, type MemberPart, openMember } from "./member.ts";
import { openingLines } from "./opening.ts";
import { hideLiveAreaWhileOpening } from "./opening-display.ts";
import { resumeLead } from "./resume-lead.ts";
import { roleNamed, rolesPrompt } from "./roles.ts";
import { openTrees } from "./team-trees.ts";
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
  const lead = await openLead(world, setup);
  const { member, staff, pane, display, team, teammates } = lead;
  const { disk, board } = member;
  const stop = listenToWorld(world, lead, setup.interrupted);
  try {
    const prompt = await promptText({ typed: lead.launch.prompt, piped: setup.piped }, member.work.redacted);
    const toldAt = lead.launch.resumed && (await resumeLead(world, lead, lead.launch.resumed.since));
    if (prompt) member.session.say({ source: { kind: "user" }, text: prompt });
    await startNamed(lead);
    const end = await leadToEnd(lead, toldAt);
    if (lead.fault) throw lead.fault.error;
    member.session.setState("stopping");
    const running = staff.supervisor.running();
    if (setup.attended && running.length > 0) pane.print(lead.style.dim(`  stopping ${running.join(", ")}`));
    await staff.endAll();
    await staff.poll();
    team.refresh();
    teammates?.refresh();
    const report = reportNow(lead);
    const spent = staff.statuses().some(({ paused }) => paused === budgetSpent);
    const code = exitCode(end, report, { attended: setup.attended, spent });
    const worktrees = await lead.trees?.settle();
    const result = { code, report, end: { how: end.how, stalled: end.stalled }, ...(worktrees && { worktrees }) };
    writeResult(disk, board.layout, result);
    await disk.written();
    return result;
  } finally {
    stop();
    await eachOf([
      () => staff.endAll(),
      () => lead.recorded,
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

export type Place = {
  clock: Clock;
  processes: Awaited<ReturnType<World["edges"]["processes"]>>;
  startedAt: Date;
  style: Style;
  terminal: Terminal | null;
  offers: ReturnType<typeof emptyCompletions>;
  pane: Pane;
  ending: AbortController;
  attended: boolean;
};

export type Lead = Place & {
  display: Display;
  launch: Launch;
  member: Member;
  staff: Staff;
  team: ReturnType<typeof watchTeam>;
  teammates: ReturnType<typeof showTeammates> | null;
  wake: Waker;
  compaction: ReturnType<typeof askedCompaction>;
  spawner: Spawner;
  /** The lead's entry in the record, once it is written. */
  recorded: Promise<unknown>;
  /** Absent where all work in one tree. */
  trees: LeadTrees | undefined;
  /** What ended it early. */
  fault?: { error: unknown };
};

async function openPlace(world: World, setup: LeadSetup, names: () => string[]): Promise<Place> {
  const { attended } = setup;
  const [clock, processes, ownDisk] = await Promise.all([world.edges.clock(), world.edges.processes(), world.edges.disk()]);
  const startedAt = clock.now();
  const style = createStyle(setup.styleEnv, names);
  const terminal = attended ? await world.edges.terminal() : null;
  const offers = emptyCompletions();
  const ending = new AbortController();
  const editor = editorOf(world, ownDisk, offers);
  const onLeave = () => ending.abort();
  const term = world.env["TERM"];
  const pane = openPane({ terminal, write: setup.print, style, name: "lead", term, now: clock.monotonicMs, editor, onLeave });
  return { clock, processes, startedAt, style, terminal, offers, pane, ending, attended };
}

async function openLead(world: World, setup: LeadSetup): Promise<Lead> {
  const { display } = setup;
  let staff: Staff | undefined;
  const place = await openPlace(world, setup, () => staff?.names() ?? []);
  const { pane, style, terminal, clock } = place;
  const settings = await settingsHere(world, { launch: setup.launch, ...place });
  const { directories, sandbox: wanted } = settings.effective;
  const found = await world.edges.sandboxTrial([setup.launch.cwd, ...directories.map(({ path }) => path)]);
  const launch: Launch = { ...setup.launch, sandbox: found };
  const unconfined = sandboxNotice(openingState(wanted, found));
  const wake = waker();
  const spawner: Spawner = {
    roleNamed: (name) => roleNamed(world, member.work.settings(), name),
    spawn: (order) => staff!.spawn(order),
    stop: (name) => staff!.stop(name),
  };
  const member = await openMember(
    world,
    launch,
    leadPart(launch, { settings, roles: await rolesPrompt(world, settings), pane, wake, spawner }),
  );
  removeResult(member.disk, member.board.layout);
  const recorded = recordLead(world, member, pane.warn);
  const trees = await openTrees(world, launch);
  staff = createStaff({
    beforeStart: trees && ((name) => trees.add(name)),
    board: member.board,
    disk: member.disk,
    clock,
    processes: place.processes,
    display: hideLiveAreaWhileOpening(display, { pane, clock }),
    launch,
    configDir: world.configDir,
    launcher: (path) => [...world.self, "teammate", "--launch", path],
    uniqueId: world.uniqueId,
    onNotice: pane.warn,
    tellLead: (text) => member.session.say({ source: { kind: "harness" }, text }),
  });
  const team = watchTeam({ member, staff, pane, style, line: eventLine(place, { staff, onEvent: setup.onEvent }) });
  const compaction = askedCompaction(member.session.agent, wake.notify);
  const treesOfLead = trees && leadTrees(world, { ...place, trees, launch, member, staff, settings });
  const lead: Lead = {
    ...place,
    trees: treesOfLead,
    display,
    launch,
    member,
    staff,
    team,
    teammates: null,
    wake,
    compaction,
    recorded,
    spawner,
  };
  const onFault = (error: unknown) => failLead(lead, error);
  if (terminal) lead.teammates = showTeammates({ world, launch, member, staff, display, pane, terminal, style, onFault });
  attachLead(world, lead);
  const outlook = await display.outlook?.().catch(() => undefined); // said without it
  if (outlook?.where === "beside") pane.limitText(outlook.leadColumns);
  for (const line of launch.opening ? openingLines(launch, launch.opening, outlook) : []) pane.print(line);
  if (unconfined) pane.warn(visibleLine(unconfined));
  return lead;
}

function failLead(lead: Lead, error: unknown): void {
  lead.fault ??= { error };
  lead.ending.abort();
}

type LeadParts = { settings: LoadedSettings; roles: string; pane: Pane; wake: Waker; spawner: Spawner };

function leadPart({ team, options }: Launch, { settings, roles, pane, wake, spawner }: LeadParts): MemberPart {
  return {
    actor: { name: "lead", role: "lead" },
    system: leadSystemPrompt(team, options),
    tools: spawnTools(spawner, roles),
    readOnly: !options.leadMayEdit,
    settings,
    pane,
    wake,
  };
}

/** Files that change, signals, and an end that was asked for before there was a lead. Returns the way to stop listening. */
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

/** Those whom the person named, before the lead's model says anything. It hears of one that does not start, as the person does. */
async function startNamed({ launch, spawner, pane, member }: Lead): Promise<void> {
  const start = async ({ name, role }: NamedTeammate) => {
    const started = await startTeammate(spawner, { name }, role);
    if (started.ok) return;
    pane.warn(visibleLine(started.reason));
    member.session.say({ source: { kind: "harness" }, text: started.reason });
  };
  await Promise.all((launch.options.named ?? []).map(start));
}

function leadToEnd(lead: Lead, toldAt: number | undefined): Promise<LeadEnd> {
  const { member, staff, team, clock, wake, compaction, launch, pane, style, ending } = lead;
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
    statusOf: (name) => readStatus(member.disk, member.board.layout, name),
    waitingMailOf: (name) => member.board.mailbox(name).peek(),
    changed: wake.next,
    compaction,
    endWhenDone: launch.options.endWhenDone ?? false,
    toldAt,
    notBegun: unansweredCalls(member.requests, "lead"),
    onNotice: pane.warn,
    onCompleted() {
      pane.print(`\n${completedText(reportNow(lead), style)}\n`, 9);
      pane.notify(`Team ${launch.team}: all tasks are completed`);
    },
    ending: ending.signal,
    turnSignal: pane.turnSignal,
  });
}

function reportNow({ launch, team, staff, startedAt, clock }: Lead): TeamReport {
  return teamReport({
    team: launch.team,
    tasks: team.list()?.tasks ?? [],
    events: team.events,
    members: staff.statuses(),
    changes: staff.changes,
    denials: staff.denials,
    startedAt,
    endedAt: clock.now(),
  });
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

function watched({ board }: Member): string[] {
  const { layout } = board;
  return [folderOf(layout.record), folderOf(layout.log), layout.requests, `${layout.mailbox("lead")}/new`];
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
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

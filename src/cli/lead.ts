// Runs a lead in this process: supervisor, display, the team's events on the screen or as lines, and the end of the team.
import { randomUUID } from "node:crypto";
import { parseTranscript, transcriptPath } from "../agent/transcript.ts";
import { takeAllFromGone } from "../board/board.ts";
import type { TeamEvent } from "../board/event.ts";
import type { TaskList } from "../board/task.ts";
import { addTeammate, type Member as RecordedMember, type TeamRecord } from "../board/team-record.ts";
import { openPane, type Pane } from "../screen/pane.ts";
import { paneTitle, teamStatusLine } from "../screen/status-line.ts";
import { createStyle, type Style } from "../screen/style.ts";
import { printLine, teamLine } from "../screen/team-lines.ts";
import { type LeadEnd, runLead } from "../team/lead.ts";
import type { Launch } from "../team/launch.ts";
import type { Display } from "../team/display.ts";
import { changeRecord, memberFiles, readStatus } from "../team/member-files.ts";
import { leadSystemPrompt, memberGoneNotice } from "../team/prompt.ts";
import { type TeamReport, teamReport } from "../team/report.ts";
import { type Staff, spawnTools } from "../team/spawn-tools.ts";
import { createSupervisor, type Supervisor, type SupervisorEvent } from "../team/supervisor.ts";
import { createTouched } from "../team/touched.ts";
import { type Member, openMember } from "./member.ts";
import { waker } from "./waker.ts";
import type { ExitCode, World } from "./world.ts";

export type LeadSetup = {
  launch: Launch;
  display: Display;
  /** A screen and a keyboard; otherwise lines are printed. */
  attended: boolean;
  /** What is said before anything else: where the team is shown, what it may cost. */
  opening: string[];
  print: (line: string) => void;
};

export type LeadResult = { code: ExitCode; report: TeamReport; how: LeadEnd["how"]; stalled: string[] };

const pollMs = 500;

/** Leads the team to its end, stops the teammates and gathers the report. */
export async function runLeadProcess(world: World, setup: LeadSetup): Promise<LeadResult> {
  const { launch, display } = setup;
  const clock = await world.edges.clock();
  const processes = await world.edges.processes();
  const startedAt = clock.now();
  const style = createStyle(world.env, () => names);
  const names: string[] = [];
  const pane = openPane({
    terminal: setup.attended ? await world.edges.terminal() : null,
    write: setup.print,
    style,
    name: "lead",
    now: () => clock.now().getTime(),
  });
  for (const line of setup.opening) pane.print(line);

  const staff: Staff = { spawn: (name, prompt) => spawn(name, prompt), stop: (name, reason) => stop(name, reason) };
  const member = await openMember(world, launch, {
    actor: { name: "lead", role: "lead" },
    system: leadSystemPrompt(launch.team, { cwd: launch.cwd, teammates: launch.options.teammates }),
    tools: spawnTools(staff),
    readOnly: !launch.options.leadMayEdit,
    ask: pane.ask,
  });
  const { board, disk, session } = member;
  const { layout } = board;
  const sessions = new Map<string, string>();
  const wake = waker();
  const ending = new AbortController();

  const supervisor = createSupervisor({
    display,
    processes,
    clock,
    nonce: randomUUID,
    cwd: launch.cwd,
    launcher: (path) => [...world.self, "teammate", "--launch", path],
    ownerOf: (name) => `${sessions.get(name)}:${name}`,
    files: memberFiles({
      disk,
      layout,
      launchOf: (name) => teammateLaunch(launch, { name, session: sessions.get(name) ?? "", prompt: promptOf(board.record(), name) }),
      requestStop: (name) => void board.send({ from: "lead", to: name, kind: "shutdown", text: "The lead asks you to end." }),
      now: clock.now,
    }),
    onEvent: (event) => onSupervisorEvent(event, { member, sessions, world, style, pane }),
  });

  async function spawn(name: string, prompt: string | undefined): ReturnType<Staff["spawn"]> {
    let problem: string | undefined;
    changeRecord(disk, layout, (record) => {
      const added = addTeammate(record, { name, prompt, session: world.uniqueId() } as Omit<RecordedMember, "role">);
      if (!added.ok) problem = added.reason;
      return added.ok ? added.record : record;
    });
    if (problem) return { ok: false, reason: problem };
    const read = board.record();
    if (read.ok) for (const { name: known, session: id } of read.record.members) if (id) sessions.set(known, id);
    names.push(name);
    const started = await supervisor.start(name);
    if (!started.ok) changeRecord(disk, layout, (record) => endedRecord(record, name, { how: "did not start", at: clock.now().toISOString() }));
    return started;
  }

  async function stop(name: string, _reason: string): ReturnType<Staff["stop"]> {
    if (!supervisor.running().includes(name)) return { ok: false, reason: `Cannot stop "${name}": it is not running. Running: ${supervisor.running().join(", ") || "nobody"}.` };
    await supervisor.stop(name);
    return { ok: true };
  }

  const events: TeamEvent[] = [];
  const follower = board.follow();
  const labels = new Map<string, string>();
  const followTeam = () => {
    for (const event of follower.next()) {
      events.push(event);
      const line = setup.attended ? teamLine(event, style) : printLine(event, startedAt);
      if (line !== undefined) pane.print(line);
    }
    const list = readList();
    for (const name of supervisor.running()) {
      const status = readStatus(disk, layout, name);
      const title = status && list ? paneTitle(status, list.tasks) : name;
      if (labels.get(name) === title) continue;
      labels.set(name, title);
      const place = placeOf(board.record(), name);
      if (place) void display.label(place, title).catch(() => undefined); // a title is not worth a failure: the pane may just have closed
    }
    pane.refresh();
  };
  let told = "";
  const readList = (): TaskList | undefined => {
    const read = board.tasks.read();
    if (read.ok) return read.list;
    if (told !== read.reason) pane.warn(read.reason);
    told = read.reason;
    return undefined;
  };

  pane.attach({
    session,
    wake: wake.now,
    quiet: !setup.attended,
    statusLine: (width) => teamStatusLine({ tasks: readList()?.tasks ?? [], members: statuses(), nowMs: clock.now().getTime() }, style, width),
    onInterrupt: (again) => {
      if (again) return ending.abort();
      pane.interruptTurn();
      pane.print(style.dim("  Ctrl-C again ends the team."));
    },
  });
  const statuses = () => ["lead", ...names].flatMap((name) => readStatus(disk, layout, name) ?? []);
  const onChange = () => {
    followTeam();
    void supervisor.look();
    wake.now();
  };
  const stopWatching = member.watch.watch([layout.record.slice(0, -"/team.json".length), `${layout.mailbox("lead")}/new`, `${layout.log.slice(0, -"/events.jsonl".length)}`], onChange, { pollMs });
  const stopSignals = world.onSignal(() => ending.abort());

  try {
    if (launch.prompt) session.say({ source: { kind: "user" }, text: launch.prompt });
    const end = await runLead({
      session,
      supervisor,
      clock,
      readList,
      statusOf: (name) => readStatus(disk, layout, name),
      waitingMailOf: (name) => board.mailbox(name).peek(),
      changed: wake.next,
      endWhenDone: launch.options.endWhenDone ?? false,
      ending: ending.signal,
      turnSignal: pane.turnSignal,
    });
    session.setState("stopping");
    await stopTeam({ supervisor, pane, style });
    followTeam();
    const report = teamReport({
      team: launch.team,
      tasks: readList()?.tasks ?? [],
      events,
      members: statuses(),
      touched: (name, task) => touchedBy(member, { world, name, session: sessions.get(name) }).of(task),
      startedAt,
      endedAt: clock.now(),
    });
    return { code: exitCode(end, report), report, how: end.how, stalled: end.stalled };
  } finally {
    stopWatching();
    stopSignals();
    await supervisor.stopAll();
    pane.close();
    await display.dispose();
    await member.work.endAll();
    member.release();
  }
}

async function stopTeam({ supervisor, pane, style }: { supervisor: Supervisor; pane: Pane; style: Style }): Promise<void> {
  const running = supervisor.running();
  if (running.length > 0) pane.print(style.dim(`  stopping ${running.join(", ")}`));
  await supervisor.stopAll();
}

type EventContext = { member: Member; sessions: Map<string, string>; world: World; style: Style; pane: Pane };

/** What an event of a process means for the list, the log and the lead's model. */
async function onSupervisorEvent(event: SupervisorEvent, context: EventContext): Promise<void> {
  const { member, pane } = context;
  const { board, clock, session } = member;
  const at = clock.now().toISOString();
  const { name } = event;
  switch (event.kind) {
    case "started":
      return board.log({ kind: "member_started", by: "lead", at, member: name });
    case "restarted":
      pane.warn(`${name}: ${event.how}. Restarting it; it keeps its task.`);
      return;
    case "ended":
      board.log({ kind: "member_ended", by: "lead", at, member: name, how: event.how });
      await takeAllFromGone(board, { name, reason: `${name} has ended`, by: "lead" });
      return;
    case "gone": {
      board.log({ kind: "member_ended", by: "lead", at, member: name, how: event.how });
      const task = heldTask(board.tasks.read(), name);
      const touched = task ? touchedBy(member, { world: context.world, name, session: context.sessions.get(name) }).of(task) : [];
      const files = touched.length > 0 ? `; files touched: ${touched.join(", ")}` : "";
      await takeAllFromGone(board, { name, reason: `${name} is gone: ${event.how}${files}`, by: "lead" });
      session.say({ source: { kind: "harness" }, text: memberGoneNotice(name, event.how, task ? { id: task, touched } : undefined) });
      return;
    }
  }
}

function heldTask(read: ReturnType<Member["board"]["tasks"]["read"]>, name: string): string | undefined {
  return read.ok ? read.list.tasks.find((task) => task.status === "in_progress" && task.assigned_to === name)?.id : undefined;
}

/** From the transcript that a teammate's process has left. */
function touchedBy({ disk, launch }: Member, { world, name: _name, session }: { world: World; name: string; session: string | undefined }) {
  const text = session && disk.read(transcriptPath(world.configDir, launch.cwd, session))?.toString("utf8");
  return createTouched(text ? parseTranscript(text) : []);
}

function teammateLaunch(lead: Launch, { name, session, prompt }: { name: string; session: string; prompt: string | undefined }): Omit<Launch, "nonce"> {
  const { display: _display, teammates: _teammates, endWhenDone: _end, leadMayEdit: _edit, ...options } = lead.options;
  return { ...lead, role: "teammate", name, session, prompt, options };
}

function promptOf(read: ReturnType<Member["board"]["record"]>, name: string): string | undefined {
  return read.ok ? read.record.members.find((member) => member.name === name)?.prompt : undefined;
}

function placeOf(read: ReturnType<Member["board"]["record"]>, name: string): Parameters<Display["label"]>[0] | undefined {
  const place = read.ok ? read.record.members.find((member) => member.name === name)?.display : undefined;
  return place as Parameters<Display["label"]>[0] | undefined;
}

function endedRecord(record: TeamRecord, name: string, ended: { how: string; at: string }): TeamRecord {
  return { ...record, members: record.members.map((member) => (member.name === name ? { ...member, ended } : member)) };
}

function exitCode(end: LeadEnd, report: TeamReport): ExitCode {
  switch (end.how) {
    case "completed":
    case "nothing_to_do":
      return 0;
    case "stalled":
      return 1;
    case "interrupted":
      return report.tasks.length > 0 && report.completed === report.tasks.length ? 0 : 130;
    case "failed":
      return end.last?.ending.kind === "budget" || end.last?.ending.kind === "max_turns" ? 4 : 1;
  }
}

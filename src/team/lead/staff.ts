// The lead's teammates: who they are, their processes under the supervisor, and what becomes of their work when one ends.

import type { TranscriptEvent } from "../../agent/events.ts";
import type { Clock } from "../../agent/ports/clock.ts";
import type { Incident } from "../../agent/result/outcome.ts";
import type { Board } from "../../board/board.ts";
import type { PatientDisk } from "../../board/disk.ts";
import { readableMembers, readableTasks } from "../../board/readable.ts";
import { heldBy } from "../../board/tasks/claims.ts";
import type { Task, TaskId } from "../../board/tasks/task.ts";
import { addTeammate, type Member, type TeamRecord } from "../../board/team-record.ts";
import type { Display } from "../display/display.ts";
import type { Launch } from "../launch.ts";
import { type MemberFilesSetup, memberFiles, type StatusOf, statusReader } from "../member-files.ts";
import type { ProcessTable } from "../member-process.ts";
import { type MemberRun, memberIncidents } from "../report/incidents.ts";
import { readTranscript } from "../report/read-transcript.ts";
import type { MemberStatus } from "../report/status.ts";
import { createTouched, type FileChange } from "../report/touched.ts";
import { giveBack } from "../resume/give-back.ts";
import { recordedRole } from "../role.ts";
import { createEndedMembers, type EndedMembers } from "./ended-members.ts";
import { createHungMembers, type HungMembers } from "./hung-members.ts";
import { type MemberPlaces, memberPlaces } from "./member-places.ts";
import { createRejoin, type Rejoin } from "./rejoin.ts";
import type { Spawner, StopOutcome } from "./spawn-tools.ts";
import { createSupervisor, type MemberFiles, type Processes, type Supervisor, type SupervisorEvent } from "./supervisor.ts";
import { placeForTeammate } from "./teammate-place.ts";

export type StaffSetup = {
  board: Board;
  disk: PatientDisk;
  clock: Clock;
  processes: Processes & Pick<ProcessTable, "find">;
  display: Display;
  /** The lead's own launch; a teammate's is made of it. */
  launch: Launch;
  configDir: string;
  launcher: (launchPath: string) => string[];
  /** Processor cores that teammates start on. */
  cores: number;
  /** What a teammate's process finds when it starts: its worktree. */
  beforeStart?: ((name: string) => Promise<{ ok: true } | { ok: false; reason: string }>) | undefined;
  uniqueId: () => string;
  /** A line for the user on the lead's screen. */
  onNotice: (text: string) => void;
  /** A notice for the lead's model. */
  tellLead: (text: string) => void;
};

export interface Staff extends Omit<Spawner, "roleNamed">, Pick<MemberPlaces, "place" | "wayTo" | "label"> {
  supervisor: Supervisor;
  rejoin: Rejoin;
  /** A member that ended before the team did: it only appears in the report. */
  remember(name: string, session: string): void;
  /** Stops everybody, because the team ends. */
  endAll(): Promise<void>;
  /** Looks once at every process, and settles what has ended; to be called every half second and at each change. */
  poll(): Promise<void>;
  /** Everybody who was ever started here, in order. */
  names(): string[];
  statusOf: StatusOf;
  statuses(): MemberStatus[];
  /** Those that work without an event for longer than they may. */
  hung: HungMembers["now"];
  /** Files that this teammate wrote while it worked on that task. */
  changes(name: string, task: TaskId): FileChange[];
  /** What everybody has lacked or failed in since then, the lead as well. */
  incidents(since: Date): Incident[];
}

export function createStaff(setup: StaffSetup): Staff {
  const { board, disk, clock, launch, display } = setup;
  const sessions = new Map<string, string>();
  const resumedSince = new Map<string, string>();
  let teamEnds = false;
  const notices = owedNotices(setup);
  const recorded = (name: string) => readableMembers(board).find((member) => member.name === name);
  const transcripts = { disk, configDir: setup.configDir, record: launch };
  const transcript = (session: string | undefined): TranscriptEvent[] =>
    session === undefined ? [] : readTranscript(transcripts, session);
  const tasks = () => readableTasks(board);
  const places = memberPlaces({ display, clock }, recorded);
  const statusOf = statusReader(disk, board.layout);

  const files = memberFiles({
    disk,
    board,
    launchOf: (name) =>
      teammateLaunch(launch, {
        name,
        session: sessions.get(name) ?? "",
        since: resumedSince.get(name),
        member: recorded(name),
        display: display.kind,
      }),
    requestStop: (name) => board.send({ from: "lead", to: name, kind: "shutdown", text: "The lead asks you to end." }).ok,
    statusOf,
  });
  const ended = createEndedMembers({
    board,
    touched: ({ session }, task) => createTouched(transcript(session)).of(task),
    onProblem: setup.onNotice,
    tellLead: setup.tellLead,
  });
  const supervisor = createSupervisor({
    display,
    processes: setup.processes,
    clock,
    nonce: setup.uniqueId,
    cwd: launch.cwd,
    launcher: setup.launcher,
    startsAtOnce: setup.cores,
    ownerOf: (name) => `${sessions.get(name)}:${name}`,
    files: {
      ...files,
      prepare: preparing(setup, files),
      async recordPlace(name, handle) {
        const placed = await files.recordPlace(name, handle);
        if (placed.ok) places.learn(name);
        return placed;
      },
    },
    onEvent: staffEvents(setup, { places, ended, teamEnds: () => teamEnds }),
  });

  const hung = hungMembers(setup, statusOf);
  const staff: Staff = {
    supervisor,
    hung: hung.now,
    poll: inOrder([supervisor.poll, () => hung.check(supervisor.running()), ended.reconcile, notices]),
    spawn: createSpawn(setup, { supervisor, ended, sessions, statusOf }),
    rejoin: createRejoin(setup, { supervisor, places, sessions, resumedSince }),
    remember: (name, session) => void sessions.set(name, session),
    async endAll() {
      teamEnds = true;
      await supervisor.stopAll();
    },
    stop: (name) => stopOne(name, supervisor, tasks),
    names: () => [...sessions.keys()],
    statusOf,
    statuses: () => ["lead", ...sessions.keys()].flatMap((name) => statusOf(name) ?? []),
    changes: (name, task) => createTouched(transcript(sessions.get(name))).changes(task),
    incidents: (since) => memberIncidents(transcripts, membersOf(setup, { sessions, running: supervisor.running(), transcript }), since),
    place: places.place,
    wayTo: places.wayTo,
    label: places.label,
  };
  return staff;
}

type Members = { sessions: Map<string, string>; running: string[]; transcript: (session: string) => TranscriptEvent[] };

/** The lead and everybody whom it has started. */
function membersOf({ board, launch }: StaffSetup, { sessions, running, transcript }: Members): MemberRun[] {
  const record = readableMembers(board);
  return [["lead", launch.session] as const, ...sessions].map(([member, session]) => ({
    member,
    session,
    events: transcript(session),
    isRunning: running.includes(member),
    ended: record.find(({ name }) => name === member)?.ended,
  }));
}

function preparing({ beforeStart }: StaffSetup, { prepare }: MemberFiles): MemberFiles["prepare"] {
  return async (name, nonce) => {
    const ready = await beforeStart?.(name);
    return ready?.ok === false ? ready : prepare(name, nonce);
  };
}

function inOrder(steps: (() => unknown)[]): () => Promise<void> {
  return async () => {
    for (const step of steps) await step();
  };
}

type SpawnPorts = { supervisor: Supervisor; ended: EndedMembers; sessions: Map<string, string>; statusOf: StatusOf };

function createSpawn(
  { board, clock, uniqueId, launch }: StaffSetup,
  { supervisor, ended, sessions, statusOf }: SpawnPorts,
): Spawner["spawn"] {
  return async ({ role, place: wanted, ...order }) => {
    const { name } = order;
    const session = uniqueId();
    const places = launch.options.places ?? [];
    let place: string | undefined;
    const added = await changedRecord(board, (record) => {
      const found = order.program === undefined ? placeForTeammate(record, { wanted, places, statusOf }) : { ok: true as const };
      if (!found.ok) return { ok: false, reason: `Cannot start "${name}": ${found.reason}` };
      const { ok: _, ...at } = found;
      place = at.place;
      return addTeammate(record, { ...order, ...at, definition: role, session });
    });
    if (!added.ok) return added;
    sessions.set(name, session);
    const started = await supervisor.start(name);
    if (!started.ok) await ended.add({ name, how: "it did not start", at: clock.now().toISOString(), tellLead: false });
    return started.ok ? { ok: true, place } : started;
  };
}

function hungMembers({ board, clock, processes, tellLead }: StaffSetup, statusOf: StatusOf): HungMembers {
  return createHungMembers({
    board,
    now: clock.now,
    nowMs: clock.monotonicMs,
    tasks: () => readableTasks(board),
    statusOf,
    isStopped({ pid, start }) {
      const found = processes.find(pid);
      return found?.start === start && found.stopped;
    },
    tellLead,
  });
}

type Told = { places: MemberPlaces; ended: EndedMembers; teamEnds: () => boolean };

/** What the log, the person and the list hear of a process. */
function staffEvents({ board, clock }: StaffSetup, { places, ended, teamEnds }: Told): (event: SupervisorEvent) => Promise<void> {
  return async (event) => {
    const { kind, name } = event;
    const stamp = { by: "lead", at: clock.now().toISOString(), member: name };
    if (kind === "started") {
      board.log({ kind: "member_started", ...stamp }); // first: it may claim a task in the next moment
      return places.learnt(name);
    }
    if (kind === "restart") {
      board.log({ kind: "member_restarted", ...stamp, how: event.how, after_ms: event.afterMs });
      await giveBack(board, name); // one that had given up waiting for a lead has blocked it
      return;
    }
    board.log({ kind: "member_ended", ...stamp, how: event.how });
    await ended.add({ name, how: event.how, at: stamp.at, tellLead: kind === "gone", withTeam: teamEnds() });
  };
}

/** Sends what others could not send of blocks and of files in common; the same refusal is reported once. */
function owedNotices({ board, onNotice }: StaffSetup): () => Promise<void> {
  let said: string | undefined;
  return async () => {
    const refused = (await board.blockNotices.send()) ?? (await board.overlapNotices.send());
    if (refused && refused.reason !== said) onNotice(refused.reason);
    said = refused?.reason;
  };
}

async function stopOne(name: string, supervisor: Supervisor, tasks: () => Task[]): Promise<StopOutcome> {
  const running = supervisor.running();
  if (!running.includes(name))
    return { ok: false, reason: `Cannot stop "${name}": it is not running. Running: ${running.join(", ") || "nobody"}.` };
  const held = heldBy(tasks(), name);
  await supervisor.stop(name);
  return { ok: true, left: tasks().find(({ id }) => id === held?.id) };
}

async function changedRecord(
  board: Board,
  change: (record: TeamRecord) => ReturnType<typeof addTeammate>,
): Promise<{ ok: true } | { ok: false; reason: string }> {
  let problem: string | undefined;
  const changed = await board.changeRecord((record) => {
    const added = change(record);
    problem = added.ok ? undefined : added.reason;
    return added.ok ? added.record : record;
  });
  if (!changed.ok) return changed;
  return problem ? { ok: false, reason: problem } : { ok: true };
}

type TeammateFacts = { name: string; session: string; since: string | undefined; member: Member | undefined; display: Display["kind"] };

/** What a teammate inherits: everything but what only a lead has. */
function teammateLaunch(lead: Launch, { name, session, since, member, display }: TeammateFacts): ReturnType<MemberFilesSetup["launchOf"]> {
  const found = recordedRole({ name, definition: member?.definition });
  if (!found.ok) return found;
  const { role: definition } = found;
  const { opening: _opening, resumed: _lead, options, ...shared } = lead;
  const { teammates: _teammates, named: _named, leadMayEdit: _leadMayEdit, endWhenDone: _endWhenDone, ...inherited } = options;
  const model = member?.model ?? inherited.model;
  const effort = member?.effort ?? definition?.effort ?? inherited.effort;
  const limits = [definition?.maxTurns, inherited.maxTurns].filter((limit) => limit !== undefined);
  const maxTurns = limits.length > 0 ? Math.min(...limits) : undefined;
  const own = { ...inherited, ...(model && { model }), ...(effort && { effort }), maxTurns, display };
  const resumed = since === undefined ? {} : { resumed: { since } };
  const { prompt, program, place, moves } = member ?? {};
  const at = { ...(place !== undefined && { place }), ...(moves && { moves }) };
  return { ok: true, launch: { ...shared, role: "teammate", name, session, prompt, program, ...at, definition, ...resumed, options: own } };
}

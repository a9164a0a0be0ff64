// A snapshot of a team, gathered from its files and the process table: what `tool team status` shows.

import type { Clock } from "../../agent/ports/clock.ts";
import type { Board } from "../../board/board.ts";
import type { BoardDisk } from "../../board/disk.ts";
import { heldBy } from "../../board/tasks/claims.ts";
import { stallCulprits } from "../../board/tasks/graph.ts";
import { type Task, type TaskId, type TaskStatus, taskStatuses } from "../../board/tasks/task.ts";
import type { Member, TeamRecord } from "../../board/team-record.ts";
import type { HandsFacts } from "../../places/hands-facts.ts";
import { type Evidence, isFailed } from "../../wording/evidence.ts";
import { hungForMs, hungWords } from "../hung.ts";
import { readResult } from "../lead/result.ts";
import { ownExit, readStatus } from "../member-files.ts";
import { type MemberProcess, memberProcess, type ProcessTable } from "../member-process.ts";
import { type Place, placeOf } from "../place.ts";
import { costOf, type MemberState, type MemberStatus } from "./status.ts";

export type TeamStatus = {
  team: string;
  cwd: string;
  created_at: string;
  /** `lead_gone`: teammates run without one. `ended`: nobody runs any more. `no_processes`: nobody was ever started here. */
  state: "running" | "lead_gone" | "ended" | "no_processes";
  place: Place;
  members: MemberView[];
  tasks: Record<TaskStatus, number>;
  /** Blocked tasks of which the lead could not be told yet: that is tried again. */
  untold: TaskId[];
  /** Completed tasks whose last test failed. */
  failed_tests: { task: TaskId; by: string | null; evidence: Evidence }[];
  /** Why nothing can continue; empty while something can, and when everything is completed. */
  stalled: string[];
  tokens: number;
  /** Null when the price of a model is not known. */
  cost_usd: number | null;
};

export type MemberView = {
  name: string;
  role: Member["role"];
  /** The definition of an agent in whose role it works. */
  definition: string | null;
  /**
   * Of a living process by its own word, `suspended` when a signal keeps it from saying anything, `hung` when it has
   * worked for too long without an event; else what became of it.
   */
  state: MemberState | "suspended" | "hung" | "ended" | "died" | "elsewhere" | "not_started";
  pid: number | null;
  /** How it ended, where it is, why it waits for the person or seems to hang. Empty while it works here. */
  how: string;
  /** What the list says it holds. */
  task: TaskId | null;
  blocked: TaskId[];
  doing: string;
  /** ISO 8601, UTC: since when it is in that state; null when nobody knows. */
  since: string | null;
  turns: number;
  tokens: number;
  /** What its model's window holds, and how much it can; null while nobody knows. */
  context_tokens: number | null;
  window_tokens: number | null;
  cost_usd: number | null;
  /** Of its hands at a place; null if they are on this machine. */
  hands: HandsFacts | null;
  /** The last test for the task it holds, or had last; null when nobody looked. */
  evidence: Evidence | null;
};

export type StatusPorts = {
  board: Board;
  disk: Pick<BoardDisk, "read">;
  processes: Pick<ProcessTable, "find">;
  clock: Pick<Clock, "monotonicMs">;
};

export type StatusRead = { ok: true; status: TeamStatus } | { ok: false; reason: string };

/** The reason names the file that cannot be read. */
export function teamStatus(ports: StatusPorts): StatusRead {
  const { board, disk } = ports;
  const read = board.record();
  if (!read.ok) return read;
  const list = board.tasks.read();
  if (!list.ok) return list;
  const { record } = read;
  const { tasks } = list.list;
  const facts = record.members.map((member): [Member, MemberFacts] => {
    const process = memberProcess(board, member.name, ports.processes);
    const status = readStatus(disk, board.layout, member.name);
    const own = process.kind === "running" && status?.pid === process.pid && status.start === process.start ? status : undefined;
    return [member, { process, status, own, ending: endingOf(member, ports), tasks, nowMs: ports.clock.monotonicMs() }];
  });
  const members = facts.map((of) => memberView(...of));
  const ofLead = facts.find(([{ role }]) => role === "lead")?.[1].own;
  const state = teamState(members);
  return {
    ok: true,
    status: {
      team: record.name,
      cwd: record.cwd,
      created_at: record.created_at,
      state,
      place: placeOf(record),
      members,
      tasks: Object.fromEntries(
        taskStatuses.map((status) => [status, tasks.filter((task) => task.status === status).length]),
      ) as TeamStatus["tasks"],
      untold: board.blockNotices.untold(),
      failed_tests: tasks.flatMap(({ id, status, assigned_to, evidence }) =>
        status === "completed" && evidence && isFailed(evidence) ? [{ task: id, by: assigned_to, evidence }] : [],
      ),
      // A lead knows more than the files say: what has just been sent, and what it is about to do.
      stalled:
        ofLead?.stalled ??
        stallCulprits(tasks, state === "no_processes" ? namesOfTeammates(record) : runningTeammates(members), waitingTeammates(members)),
      tokens: members.reduce((sum, { tokens }) => sum + tokens, 0),
      cost_usd: costOf(members),
    },
  };
}

/** A process of this member that can be seen from here. */
function isRunning({ pid }: MemberView): boolean {
  return pid !== null;
}

type Ending = { how: string; at: string | null };
/** `own`: the status that the living process has written. An older one tells of its predecessor. */
type MemberFacts = {
  process: MemberProcess;
  status: MemberStatus | undefined;
  own: MemberStatus | undefined;
  ending: Ending | undefined;
  tasks: Task[];
  nowMs: number;
};

function memberView(member: Member, { process, status, own, ending, tasks, nowMs }: MemberFacts): MemberView {
  return {
    name: member.name,
    role: member.role,
    definition: member.definition?.name ?? null,
    ...stateOf({ process, status, own, ending, nowMs }),
    pid: process.kind === "running" ? process.pid : null,
    task: heldBy(tasks, member.name)?.id ?? null,
    blocked: tasks.filter((task) => task.status === "blocked" && task.assigned_to === member.name).map(({ id }) => id),
    doing: own?.doing ?? "",
    turns: status?.turns ?? 0,
    tokens: status?.tokens ?? 0,
    context_tokens: status?.context_tokens ?? null,
    window_tokens: status?.window_tokens ?? null,
    cost_usd: status ? status.cost_usd : 0,
    hands: member.place === undefined ? null : (status?.hands ?? null),
    evidence: status?.evidence ?? null,
  };
}

function stateOf({ process, status, own, ending, nowMs }: Omit<MemberFacts, "tasks">): Pick<MemberView, "state" | "how" | "since"> {
  switch (process.kind) {
    case "running":
      if (process.stopped) return { state: "suspended", how: "", since: null };
      return own ? ownState(own, nowMs) : { state: "starting", how: "", since: null };
    case "elsewhere":
      return { state: "elsewhere", how: process.where, since: null };
    case "none":
      if (ending) return { state: "ended", how: ending.how, since: ending.at };
      return status ? { state: "died", how: "", since: null } : { state: "not_started", how: "", since: null };
  }
}

function ownState(own: MemberStatus, nowMs: number): Pick<MemberView, "state" | "how" | "since"> {
  const silentMs = hungForMs({ status: own, stopped: false, nowMs });
  if (silentMs !== undefined) return { state: "hung", how: hungWords(silentMs, own.doing), since: own.since };
  return { state: own.state, how: own.paused ?? "", since: own.since };
}

/** How it ended: by the record, by its own last status, or, for a lead, by the team's result. */
function endingOf(member: Member, { board, disk }: StatusPorts): Ending | undefined {
  const { layout } = board;
  if (member.ended) return member.ended;
  const exit = ownExit(disk, layout, member.name);
  if (exit) return { how: exit.detail ?? exit.reason.replace("_", " "), at: exit.at };
  const result = member.role === "lead" ? readResult(disk, layout) : undefined;
  return result && { how: result.end.how.replaceAll("_", " "), at: null };
}

function teamState(members: MemberView[]): TeamStatus["state"] {
  const runs = ({ state, pid }: MemberView) => pid !== null || state === "elsewhere";
  if (members.some((member) => member.role === "lead" && runs(member))) return "running";
  if (members.some(runs)) return "lead_gone";
  return members.every(({ state }) => state === "not_started") ? "no_processes" : "ended";
}

function runningTeammates(members: MemberView[]): string[] {
  return members
    .filter((member) => member.role === "teammate" && (isRunning(member) || member.state === "elsewhere"))
    .filter(({ state }) => state !== "waiting_person")
    .map(({ name }) => name);
}

function waitingTeammates(members: MemberView[]): string[] {
  return members.filter(({ role, state }) => role === "teammate" && state === "waiting_person").map(({ name }) => name);
}

function namesOfTeammates(record: TeamRecord): string[] {
  return record.members.filter(({ role }) => role === "teammate").map(({ name }) => name);
}

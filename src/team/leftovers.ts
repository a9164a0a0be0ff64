// What a dead lead left running: found by records and marks, verified before each action, and ended. Nothing else is touched.

import type { Clock } from "../agent/ports/clock.ts";
import type { Board } from "../board/board.ts";
import type { BoardDisk } from "../board/disk.ts";
import type { TaskId } from "../board/tasks/task.ts";
import type { Member, TeamRecord } from "../board/team-record.ts";
import { plural } from "../wording/figures.ts";
import { releaseTasks, settleDead, tasksOfDead } from "./dead-members.ts";
import { type Display, type DisplayHandle, isDisplayError } from "./display/display.ts";
import { endInSteps } from "./end-process.ts";
import { recordEnd } from "./lead/ended-members.ts";
import { unlessRefused } from "./lead/start-member.ts";
import { readStatus } from "./member-files.ts";
import { memberProcess, type ProcessRef, type ProcessTable } from "./member-process.ts";
import { handlesOf, optionsOf, type TmuxHandle } from "./place.ts";
import { leadGone } from "./teammate/lead-gone.ts";

/** `task`: in progress with a teammate that has no process. `commands`: started by an agent that is gone. `socket`: of a tmux server that has ended. */
export type Leftover =
  | { kind: "teammate"; name: string; process: ProcessRef }
  | { kind: "task"; name: string; task: TaskId }
  | { kind: "commands"; name: string; owner: string; pids: number[] }
  | { kind: "pane"; name: string; handle: DisplayHandle }
  | { kind: "server"; server: TmuxHandle; others: number }
  | { kind: "socket"; path: string }
  | { kind: "launch_file"; name: string; path: string };

/** `waiting`: teammates that still wait for their lead to come back, and will end by themselves. */
export type Leftovers = { found: Leftover[]; waiting: { name: string; pid: number; until: Date }[]; problems: string[] };

/** `kept`: on purpose. */
export type Reaped = { kind: "done" | "kept" | "failed"; how: string };

export type TeamPorts = {
  board: Board;
  record: TeamRecord;
  disk: BoardDisk;
  configDir: string;
  clock: Clock;
  processes: ProcessTable;
  /** The display for handles of this kind. */
  displayFor: (handle: DisplayHandle) => Promise<Display>;
  privateServers: PrivateServers;
};

/** tmux servers that belong to a team, each identified by a pane that was recorded on it. */
export interface PrivateServers {
  /** `none`: no such server, or the user's own one, or another server has its socket. `others`: the number of live panes that are not the team's. */
  look(pane: TmuxHandle): Promise<{ kind: "none" } | { kind: "socket" } | { kind: "runs"; others: number }>;
  /** Ends it if it is still the recorded one, and removes its socket. */
  end(pane: TmuxHandle): Promise<void>;
}

/** `note`: record when the lead was first seen to be lost. `patient`: leave teammates alone during the time that they may wait for their lead. */
export type Look = { note: boolean; patient: boolean };

/** Finds nothing while a lead runs, or may run on another machine: a lead cleans up after its team itself. */
export async function findLeftovers(team: TeamPorts, { note, patient }: Look): Promise<Leftovers> {
  const { board, record, disk, clock } = team;
  const processOf = (name: string) => memberProcess(board, name, team.processes);
  if (processOf(record.lead).kind !== "none") return { found: [], waiting: [], problems: [] };

  const now = clock.now();
  const gone = leadGone(disk, board.layout, { now, note });
  const until = gone.kind === "ended" ? now : new Date(gone.at.getTime() + (optionsOf(record).lead_grace_ms ?? 0));
  const running = record.members.flatMap(({ name, role }) => {
    const process = processOf(name);
    return role === "teammate" && process.kind === "running" ? { name, process } : [];
  });
  const mayWait = patient && now < until;
  const isRunning = (name: string) => running.some((member) => member.name === name);
  const silent = record.members.filter(({ name }) => processOf(name).kind === "none");
  const problems: string[] = [];
  const found: Leftover[] = [
    ...(mayWait ? [] : running.map(({ name, process: { pid, start } }) => ({ kind: "teammate" as const, name, process: { pid, start } }))),
    ...silent.flatMap((member) => commandsOf(member, team)),
    ...(await lookedAt(problems, () => panesLeft(team, isRunning))),
    ...(mayWait && running.length > 0 ? [] : await lookedAt(problems, () => serversLeft(team))),
    ...silent.flatMap(({ name }) => launchFile(name, team)),
    ...tasksOfDead(team).map(({ name, task }) => ({ kind: "task" as const, name, task: task.id })),
  ];
  return { found, waiting: mayWait ? running.map(({ name, process: { pid } }) => ({ name, pid, until })) : [], problems };
}

/** Ends one of them, if it is still the recorded one. The task of a teammate that has to be killed becomes blocked; `meanwhile` completes the reason. */
export async function reap(leftover: Leftover, team: TeamPorts, meanwhile: string): Promise<Reaped> {
  try {
    return await end(leftover, team, meanwhile);
  } catch (error) {
    if (!isDisplayError(error)) throw error;
    return { kind: "failed", how: error.message };
  }
}

async function end(leftover: Leftover, team: TeamPorts, meanwhile: string): Promise<Reaped> {
  switch (leftover.kind) {
    case "teammate":
      return endTeammate(leftover, team, meanwhile);
    case "task": {
      const settled = await settleDead(team, meanwhile);
      return settled.ok ? { kind: "done", how: "blocked" } : { kind: "failed", how: settled.reason };
    }
    case "commands":
      await team.processes.sweep(leftover.owner);
      return { kind: "done", how: "ended" };
    case "pane":
      await (await team.displayFor(leftover.handle)).close(leftover.handle);
      return { kind: "done", how: "closed" };
    case "server":
      return endServer(leftover.server, team);
    case "socket":
    case "launch_file":
      team.disk.remove(leftover.path);
      return { kind: "done", how: "removed" };
  }
}

/** Processes with the marker of a member that has no process. */
function commandsOf({ name, session }: Member, { board, disk, processes }: TeamPorts): Leftover[] {
  const known = session ?? readStatus(disk, board.layout, name)?.session;
  if (!known) return [];
  const owner = `${known}:${name}`;
  const pids = processes.marked(owner).map(({ pid }) => pid);
  return pids.length > 0 ? [{ kind: "commands", name, owner, pids }] : [];
}

/** Places in which no teammate runs any more. A lead's own pane is never closed: it is the user's, or it closes by itself. */
async function panesLeft({ record, displayFor }: TeamPorts, isRunning: (name: string) => boolean): Promise<Leftover[]> {
  const places = handlesOf(record).filter(({ role, name }) => role === "teammate" && !isRunning(name));
  const looked = await Promise.all(
    places.map(async ({ name, handle }) => ({
      name,
      handle,
      state: await unlessRefused((await displayFor(handle)).state(handle), "server_gone"),
    })),
  );
  return looked.flatMap(({ name, handle, state }) => (state === "open" ? { kind: "pane", name, handle } : []));
}

async function serversLeft({ record, privateServers }: TeamPorts): Promise<Leftover[]> {
  const handles = handlesOf(record).flatMap(({ handle }) => (handle.kind === "tmux" ? handle : []));
  const servers = new Map(handles.map((handle) => [`${handle.socket} ${handle.serverPid} ${handle.serverStart}`, handle]));
  const sockets = new Set<string>();
  const found: Leftover[] = [];
  for (const server of servers.values()) {
    const state = await privateServers.look(server);
    if (state.kind === "runs") found.push({ kind: "server", server, others: state.others });
    if (state.kind === "socket" && !sockets.has(server.socket)) found.push({ kind: "socket", path: server.socket });
    sockets.add(server.socket);
  }
  return found;
}

/** A launch file contains the environment, keys included. It exists only for a moment, so an old one was never read. */
function launchFile(name: string, { board, disk, clock }: TeamPorts): Leftover[] {
  const path = `${board.layout.member(name)}/launch.json`;
  const written = disk.changedAt(path);
  return written && clock.now().getTime() - written.getTime() > launchMs ? [{ kind: "launch_file", name, path }] : [];
}

const launchMs = 60_000;

async function endTeammate(
  { name, process }: Extract<Leftover, { kind: "teammate" }>,
  team: TeamPorts,
  meanwhile: string,
): Promise<Reaped> {
  const { board, record, clock, processes } = team;
  const how = await endInSteps({
    ask: () => board.send({ from: "user", to: name, kind: "shutdown", text: "The team is stopped." }).ok,
    signal: (signal) => processes.signalGroup(process, signal),
    isGone: () => !processes.isAlive(process),
    clock,
  });
  if (!how) return { kind: "failed", how: `process ${process.pid} does not end, even after SIGKILL` };
  const member = record.members.find((candidate) => candidate.name === name);
  const handle = handlesOf(record).find((place) => place.name === name)?.handle;
  if (member?.session) await processes.sweep(`${member.session}:${name}`);
  if (handle) await unlessRefused((await team.displayFor(handle)).close(handle), undefined);
  const at = clock.now().toISOString();
  const recorded = await recordEnd(board, { name, how, at, withTeam: true });
  if (recorded.ok) board.log({ kind: "member_ended", by: "user", at, member: name, how });
  const settled = recorded.ok ? await releaseTasks(team, meanwhile) : recorded;
  return settled.ok ? { kind: "done", how } : { kind: "failed", how: `${how}, but its tasks are not released: ${settled.reason}` };
}

/** Keeps a server on which the user has opened panes: it ends when the last of them closes. */
async function endServer(server: TmuxHandle, { privateServers }: TeamPorts): Promise<Reaped> {
  const state = await privateServers.look(server);
  if (state.kind === "runs" && state.others > 0) {
    return { kind: "kept", how: `left running: it has ${plural(state.others, "pane")} of yours` };
  }
  if (state.kind !== "none") await privateServers.end(server);
  return { kind: "done", how: "ended" };
}

/** A display that does not answer must not prevent the rest from being ended. */
async function lookedAt(problems: string[], look: () => Promise<Leftover[]>): Promise<Leftover[]> {
  try {
    return await look();
  } catch (error) {
    if (!isDisplayError(error)) throw error;
    problems.push(error.message);
    return [];
  }
}

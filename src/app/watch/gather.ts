// One look at everything that runs on this machine, from the records below the configuration folder: read without a lock, and what has ended is
// recognized by the times of its files and not read again.

import type { Clock } from "../../agent/ports/clock.ts";
import { transcriptPath } from "../../agent/session/transcript.ts";
import type { BatchStore } from "../../batch/batch-record.ts";
import { openStore } from "../../batch/batch-record.ts";
import { batchesFolder, batchLayout } from "../../batch/layout.ts";
import { type Board, openBoard } from "../../board/board.ts";
import type { BoardDisk, Lock } from "../../board/disk.ts";
import { teamsFolder } from "../../board/layout.ts";
import type { Snapshot, WatchRow } from "../../screen/watch/row.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import { readRecords } from "../../subagents/record-file.ts";
import { teamStatus } from "../../team/report/team-status.ts";
import { personRequests, teamRequests } from "../../team/requests.ts";
import { isBatchId } from "../batch/known-batches.ts";
import { sessionFolderOf } from "../session/session-claim.ts";
import type { Edges, World } from "../world.ts";
import { batchRows } from "./batch-rows.ts";
import { costToday } from "./cost-today.ts";
import { questionsFolder, type RunningSession, runningFolder, runningSessions } from "./running-sessions.ts";
import { agentRow, sessionRows } from "./session-rows.ts";
import { teamRows } from "./team-rows.ts";

type Ports = { disk: BoardDisk; lock: Lock; clock: Clock; processes: Awaited<ReturnType<Edges["processes"]>> };

export interface Gathering {
  look(): Snapshot;
  /** The folders in which the running ones write, as of the last look. */
  folders(): string[];
  ports: Ports;
  board(team: string): Board;
}

const newTranscriptsMs = 30_000;

export async function openGathering({ edges, configDir }: World): Promise<Gathering> {
  const [disk, lock, clock, processes] = await Promise.all([edges.disk(), edges.lock(), edges.clock(), edges.processes()]);
  const ports = { disk, lock, clock, processes };
  const today = costToday(disk, `${configDir}/projects`, { everyMs: newTranscriptsMs });
  const ended = new Map<string, string>();
  const board = (team: string) => openBoard(ports, `${teamsFolder(configDir)}/${team}`);
  let folders: string[] = [];
  /** Undefined for what has ended, which is only looked at again when one of its files has changed. */
  const unlessEnded = <T>(id: string, files: string[], open: () => T | undefined): T | undefined => {
    const stamp = files.map((file) => disk.changedAt(file)?.getTime() ?? 0).join(" ");
    if (ended.get(id) === stamp) return undefined;
    const opened = open();
    if (opened === undefined) ended.set(id, stamp);
    return opened;
  };
  const teams = () =>
    disk.list(teamsFolder(configDir)).flatMap((name) => {
      const one = board(name);
      const { record, log } = one.layout;
      const found = unlessEnded(`team ${name}`, [record, log, one.layout.member("lead")], () => watchedTeam(one, ports));
      if (found)
        folders.push(
          `${record}/..`,
          `${log}/..`,
          one.layout.requests,
          ...found.record.members.map((member) => one.layout.member(member.name)),
        );
      return found ? [...teamRows(found, configDir), ...memberAgents(found, ports, configDir)] : [];
    });
  const sessions = () =>
    runningSessions(ports, configDir).flatMap((session) => {
      const { transcript, pid } = session;
      const questions = questionsFolder(transcript);
      folders.push(sessionFolderOf(transcript), questions);
      const asked = session.state === "waiting_permission" ? personRequests(questions, ports).pending()[0] : undefined;
      const question = asked && { in: { session: session.session, folder: questions }, request: asked.id };
      return sessionRows(session, { agents: agentsOf(transcript, disk), stopped: processes.find(pid)?.stopped === true, question });
    });
  const batches = () =>
    disk.list(batchesFolder(configDir)).flatMap((id) => {
      const layout = batchLayout(configDir, id);
      const found = isBatchId(id) ? unlessEnded(`batch ${id}`, [layout.claim, layout.units], () => watchedBatch(layout, ports)) : undefined;
      if (found) folders.push(layout.units);
      return found ? batchRows(found.store, { pid: found.pid, configDir }) : [];
    });
  return {
    ports,
    board,
    look() {
      folders = [runningFolder(configDir), teamsFolder(configDir), batchesFolder(configDir)];
      const rows: WatchRow[] = [...sessions(), ...teams(), ...batches()];
      return { at: clock.now().toISOString(), rows, today: today(clock.now()) };
    },
    folders: () => folders,
  };
}

/** Undefined if it has ended or cannot be read. */
function watchedTeam(board: Board, ports: Ports) {
  const read = teamStatus({ board, ...ports });
  if (!read.ok || (read.status.state !== "running" && read.status.state !== "lead_gone")) return undefined;
  const [record, list] = [board.record(), board.tasks.read()];
  if (!record.ok || !list.ok) return undefined;
  const pending = teamRequests({ board, ...ports }).pending();
  return { status: read.status, record: record.record, tasks: list.list.tasks, pending };
}

/** What the members have started in the background. */
function memberAgents({ status, record }: NonNullable<ReturnType<typeof watchedTeam>>, { disk }: Ports, configDir: string): WatchRow[] {
  return status.members.flatMap(({ name, pid }) => {
    const session = record.members.find((member) => member.name === name)?.session;
    if (pid === null || session === undefined) return [];
    const agents = agentsOf(transcriptPath(configDir, status.cwd, session), disk).filter(
      ({ state }) => state === "running" || state === "needs_permission",
    );
    const head = { id: `team ${status.team}`, fullName: `${status.team}/${name}`, folder: status.cwd };
    return agents.map((agent) => agentRow(agent, { head, session }));
  });
}

function watchedBatch(
  layout: ReturnType<typeof batchLayout>,
  { disk, lock }: Ports,
): { store: BatchStore; pid: number | null } | undefined {
  const holder = lock.holder(layout.claim);
  if (!holder) return undefined;
  try {
    return { store: openStore(disk, layout), pid: holder.kind === "alive" ? holder.pid : null };
  } catch {
    return undefined; // a plan that was never approved, or damaged files
  }
}

function agentsOf(transcript: RunningSession["transcript"], disk: BoardDisk): AgentRecord[] {
  try {
    return readRecords(disk, sessionFolderOf(transcript));
  } catch {
    return []; // damaged: the session itself says so
  }
}

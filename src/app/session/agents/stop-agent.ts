// `tool agents stop`: ends an agent of a session in another process by a request that this session reads, or an agent whose session has ended.
import { transcriptPath } from "../../../agent/session/transcript.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import type { AgentRecord } from "../../../subagents/record.ts";
import { openRecords, readRecords } from "../../../subagents/record-file.ts";
import { askToStop, canStop, stopInRecords } from "../../../subagents/stop-requests.ts";
import { type ExitCode, UsageError, type World } from "../../world.ts";
import { claimSession, sessionFolderOf } from "../session-claim.ts";
import { findAgent } from "./resume-agent.ts";

/** How long to wait for the session to end its agent; the request stays in force afterwards. */
const patienceMs = 10_000;
const pollMs = 100;

/** Throws UsageError if there is no such agent, or if it has ended. */
export async function stopAgent(world: World, { id: wanted, json }: { id: string; json?: boolean | undefined }): Promise<ExitCode> {
  const { session, record } = await findAgent(world, wanted);
  if (!canStop(record)) throw new UsageError(`cannot stop agent ${wanted}: it has ended (${record.state}).`);
  const stopped = (await stopInFile(world, session, record.id)) ?? (await stopInItsSession(world, session, record.id));
  const { id: agent, name, state } = stopped;
  const done = !canStop(stopped);
  const words = done
    ? `Agent ${visibleLine(name)} is ${state}.`
    : `Agent ${visibleLine(name)} was asked to stop; its session has not stopped it yet.`;
  world.stdout.write(json ? `${JSON.stringify({ ok: done, agent, name, state })}\n` : `${words}\n`);
  return done ? 0 : 1;
}

/** If no process has the session. */
async function stopInFile({ edges, configDir, cwd }: World, session: string, id: string): Promise<AgentRecord | undefined> {
  const [disk, lock, clock] = await Promise.all([edges.disk(), edges.lock(), edges.clock()]);
  const transcript = transcriptPath(configDir, cwd, session);
  const claim = claimSession({ disk, lock }, transcript);
  if (!claim.ok) return undefined;
  try {
    return stopInRecords(openRecords(disk, sessionFolderOf(transcript)), id, clock.now().toISOString());
  } finally {
    claim.release();
  }
}

async function stopInItsSession({ edges, configDir, cwd }: World, session: string, id: string): Promise<AgentRecord> {
  const [disk, clock] = await Promise.all([edges.disk(), edges.clock()]);
  const folder = sessionFolderOf(transcriptPath(configDir, cwd, session));
  askToStop(disk, folder, id);
  const now = () => readRecords(disk, folder).find((record) => record.id === id)!;
  for (const until = clock.monotonicMs() + patienceMs; canStop(now()) && clock.monotonicMs() < until; ) await clock.sleep(pollMs);
  return now();
}

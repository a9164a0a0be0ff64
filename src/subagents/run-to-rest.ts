// Runs a conversation until its model has nothing left to do and all background agents that it started have ended.
import type { Agent } from "../agent/agent.ts";
import { type Ended, runTurns } from "../agent/loop.ts";
import type { Subagents } from "./subagents.ts";

/** `id`: the agent whose conversation it is; absent for the session itself. `notBegun`: calls that a suspension prevented. */
export type RestOrder = { host: Subagents; id?: string; signal: AbortSignal; notBegun?: readonly string[] };

/**
 * Resolves with the last end. Reports that arrive enter the conversation and are answered, together where others follow soon: nobody waits for an
 * answer to each, and every answer is a request with the whole conversation.
 */
export async function runToRest(agent: Agent, { host, id, signal, notBegun }: RestOrder): Promise<Ended> {
  const reports = host.deliveriesTo(id);
  let last = await runTurns(agent, signal, notBegun);
  while (last.ending.kind === "done" && !signal.aborted && (reports.waits() || host.isAtWork(id))) {
    if (!reports.waits()) await host.nextEnd(signal);
    if (reports.waits()) await othersOrTime(agent, { host, id, signal });
    if (reports.waits() && !signal.aborted) last = await runTurns(agent, signal);
  }
  return last;
}

/** How long a report waits for those of agents that still work. */
const longestGatheringMs = 30_000;

/** Resolves when nothing works in the background any more, the time is over, or the signal aborts. */
async function othersOrTime({ clock }: Agent, { host, id, signal }: RestOrder): Promise<void> {
  const gathering = new AbortController();
  const until = AbortSignal.any([signal, gathering.signal]);
  void clock.sleep(longestGatheringMs, until).then(() => gathering.abort());
  while (host.isAtWork(id) && !until.aborted) await host.nextEnd(until);
  gathering.abort();
}

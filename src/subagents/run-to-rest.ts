// Runs a conversation until its model has nothing left to do and all background agents that it started have ended.
import type { Agent } from "../agent/agent.ts";
import { type Ended, runTurns } from "../agent/loop.ts";
import type { Subagents } from "./subagents.ts";

/** `id`: the agent whose conversation it is; absent for the session itself. `notBegun`: calls that a suspension prevented. */
export type RestOrder = { host: Subagents; id?: string; signal: AbortSignal; notBegun?: readonly string[] };

/** Resolves with the last end. Reports that arrive enter the conversation and are answered. */
export async function runToRest(agent: Agent, { host, id, signal, notBegun }: RestOrder): Promise<Ended> {
  const reports = host.deliveriesTo(id);
  let last = await runTurns(agent, signal, notBegun);
  while (last.ending.kind === "done" && !signal.aborted && (reports.waits() || host.isAtWork(id))) {
    if (!reports.waits()) await host.nextEnd(signal);
    if (reports.waits() && !signal.aborted) last = await runTurns(agent, signal);
  }
  return last;
}

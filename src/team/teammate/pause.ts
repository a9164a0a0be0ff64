// Why a teammate takes nothing up by itself after a run of turns, and when it tries again.

import type { Ending } from "../../agent/events.ts";
import { plural } from "../../wording/figures.ts";
import { nextTryMs } from "../failure-classes.ts";

/** `again`: it makes the same request again at that monotonic time, and waits for nobody. */
export type Pause = { reason: string; again?: { atMs: number; afterMs: number } };

/** `triesMade`: runs in a row that failed for lack of the provider, and were tried again. */
export type Tried = { triesMade: number; nowMs: number };

/** Said of a teammate that waits for this reason: to people, and to the lead's exit code. */
export const budgetSpent = "its budget is spent";

/** The same of one whose turn the person has stopped: it is theirs to say how it continues. */
export const interrupted = "interrupted";

/** Undefined when it continues at once. In all other cases it would only fail again with the next task, at a cost. */
export function pauseAfter(ending: Ending, { triesMade, nowMs }: Tried): Pause | undefined {
  if (ending.kind === "aborted") return { reason: interrupted };
  if (ending.kind === "budget") return { reason: budgetSpent };
  if (ending.kind === "repeats_itself" || ending.kind === "stopped_by_hook") return { reason: ending.reason };
  if (ending.kind !== "fault") return undefined;
  const afterMs = ending.cause && nextTryMs(ending.cause, triesMade);
  if (afterMs === undefined) return { reason: ending.reason };
  return { reason: `${ending.reason} Retrying after ${waitWords(afterMs)}.`, again: { atMs: nowMs + afterMs, afterMs } };
}

function waitWords(ms: number): string {
  return ms < 60_000 ? plural(ms / 1_000, "second") : plural(ms / 60_000, "minute");
}

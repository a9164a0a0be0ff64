// Reads a stream of tokens at intervals: a process that wakes for each token uses several times the processor time of one that reads what
// has accumulated. Unread data stays with the system, because http-fetch.ts reads no more than one piece ahead.
import { setTimeout as pause } from "node:timers/promises";

import type { OpenBlock } from "./reply-assembly.ts";

/** A short answer is not delayed; only a longer one is read at intervals. */
const atOnceMs = 500;
/** One frame of the screen. */
const frameMs = 66;
/** Work waits for the end of a call; but most of a long one is not its end. */
const callMs = 16;
const longCall = 500;

/** To be waited for after a piece of an answer that ends within that block; undefined while there is nothing to wait for. */
export function pacing(): (within: OpenBlock) => Promise<void> | undefined {
  const begin = performance.now();
  /** The next piece was read before the wait, and what came during it follows at once. */
  let isAhead = false;
  return ({ kind, inputLength }) => {
    if (performance.now() - begin <= atOnceMs) return undefined;
    isAhead = !isAhead;
    if (!isAhead) return undefined;
    return pause(kind === "tool_use" && inputLength < longCall ? callMs : frameMs);
  };
}

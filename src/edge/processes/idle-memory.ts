// The memory of a process that waits: V8 keeps the young generation that a busy turn grew until it happens to collect, 10 MiB of an idle session.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { IdleMemory } from "../../agent/session/idle-memory.ts";

/** So long nothing happens before memory is given back: a collection of 15 to 25 ms is not to meet a key or an answer. */
const quietMs = 2_500;

/**
 * V8 makes the young generation smaller at a collection before which little was allocated. It looks back over the collections of the last five
 * seconds: one that comes sooner counts the busy turn before it too.
 */
const lookedBackMs = 5_100;

/** Collects when the process has been idle for a while, and a while later. Keeps no process alive. */
export function idleMemory(afterMs: number = quietMs): IdleMemory {
  let waiting: NodeJS.Timeout | undefined;
  const collectAfter = (...[ms, ...more]: number[]) => {
    clearTimeout(waiting);
    if (ms === undefined) return;
    waiting = setTimeout(() => {
      collect();
      collectAfter(...more);
    }, ms).unref();
  };
  return { busy: () => clearTimeout(waiting), idle: () => collectAfter(afterMs, lookedBackMs) };
}

/** The flag is taken back at once: code that is loaded later is cached for the flags as they were. */
function collect(): void {
  setFlagsFromString("--expose-gc");
  const gc: () => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  gc();
}

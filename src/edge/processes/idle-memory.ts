// The memory of a process that waits: V8 keeps the young generation that a busy turn grew until it happens to collect, 10 MiB of an idle session.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { IdleMemory } from "../../agent/session/idle-memory.ts";

/** So long nothing happens before memory is given back: a collection of 15 to 25 ms is not to meet a key or an answer. */
const quietMs = 3_000;

/** V8 makes the young generation smaller at a collection before which little was allocated since the last one. */
const collections = 2;

/** Collects when the process has been idle for a while, and a while later. Keeps no process alive. */
export function idleMemory(afterMs: number = quietMs): IdleMemory {
  let waiting: NodeJS.Timeout | undefined;
  const wait = (left: number) => {
    clearTimeout(waiting);
    if (left === 0) return;
    waiting = setTimeout(() => {
      collect();
      wait(left - 1);
    }, afterMs).unref();
  };
  return { busy: () => clearTimeout(waiting), idle: () => wait(collections) };
}

/** The flag is taken back at once: code that is loaded later is cached for the flags as they were. */
function collect(): void {
  setFlagsFromString("--expose-gc");
  const gc: () => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  gc();
}

// The state of teammates that a display starts as child processes: a pseudo-terminal or a log file is known only as long as this lead runs.
import type { DisplayState } from "../../team/display/display.ts";
import type { End } from "../display/last-words.ts";

export type Life = { kind: "running" } | { kind: "ended"; end: End } | { kind: "closed" };

/** The display port's rule: a failed program keeps its place, a successful one gives it up. */
export function stateOf(life: Life): DisplayState {
  if (life.kind === "running") return "open";
  return life.kind === "ended" && !(life.end.kind === "exited" && life.end.code === 0) ? "open" : "gone";
}

/** An end as Node and node-pty report it: a code, and a signal if one ended the program. */
export function endedBy(code: number | null, signal: number | undefined): Life {
  if (signal) return { kind: "ended", end: { kind: "signalled", signal } };
  return { kind: "ended", end: code === null ? { kind: "unknown" } : { kind: "exited", code } };
}

/** A child leads its own group; before it does, in its first moment, only the child is signalled. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // No such group: it does not exist yet or any more. No such process: it has ended, as intended.
    }
  }
}

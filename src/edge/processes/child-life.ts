// The places of displays that start teammates as their own children: a pseudo-terminal or a log file exists as long as this lead remembers it.
import type { DisplayState } from "../../team/display.ts";
import type { End } from "../display/last-words.ts";

export type Life = { kind: "running" } | { kind: "ended"; end: End } | { kind: "closed" };

/** The rule of the port: a failure keeps its place, a success takes it along. */
export function stateOf(life: Life): DisplayState {
  if (life.kind === "running") return "open";
  return life.kind === "ended" && !(life.end.kind === "exited" && life.end.code === 0) ? "open" : "gone";
}

/** As Node and node-pty report an end: a code, and a signal where one ended the program. */
export function endedBy(code: number | null, signal: number | undefined): Life {
  if (signal) return { kind: "ended", end: { kind: "signalled", signal } };
  return { kind: "ended", end: code === null ? { kind: "unknown" } : { kind: "exited", code } };
}

/** A child of ours leads its own group; in its first moment, before it does, it is signalled alone. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // No such group: it is not there yet, or not any more. No such process: it has ended, which is what was wanted.
    }
  }
}

// The places of displays that start teammates as their own children: a pseudo-terminal or a log file exists as long as this lead remembers it.
import type { DisplayState } from "../team/display.ts";
import type { End } from "./last-words.ts";

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

/** A child of ours is the leader of its own group as long as it runs. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended in this moment: that is what was wanted.
  }
}

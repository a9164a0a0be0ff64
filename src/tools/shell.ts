// What the Bash tool needs of a shell: one command line, run to its end in the working directory.
import type { DeniedOnTheWay } from "./tool.ts";

export type ShellRequest = {
  command: string;
  /** Absent: it may run forever. */
  timeoutMs?: number;
  /** Once it aborts, the time limit no longer holds. */
  untimed?: AbortSignal;
  signal: AbortSignal;
  /** Standard output and standard error, in the order they were written. */
  onOutput: (bytes: Buffer) => void;
  /** In the sandbox, this one has the network. */
  network?: true;
  /** Files that the sandbox masks otherwise, and that this one may read. */
  shown?: string[];
  /** It may change files that are not among those of its worker. */
  others?: true;
};

export type ShellEnd =
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timed_out" }
  | { kind: "aborted" }
  /** The shell itself did not start. */
  | { kind: "failed"; reason: string };

/** `denied`: what the command left behind and nobody allowed to stay. `askedMs`: how long it took to ask for it, which `ms` has no part of. */
export type ShellRun = { end: ShellEnd; ms: number; denied?: DeniedOnTheWay[]; askedMs?: number };

export interface Shell {
  /** Resolves once the shell has ended, whatever its children still hold. At the timeout and on abort the whole group is ended. */
  run(request: ShellRequest): Promise<ShellRun>;
}

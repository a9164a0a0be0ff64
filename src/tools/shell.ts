// The shell as the Bash tool uses it: it runs one command line to its end, in the working directory.
import type { DeniedOnTheWay } from "./tool.ts";

export type ShellRequest = {
  command: string;
  /** Absent: no time limit. */
  timeoutMs?: number;
  /** Once it aborts, the time limit no longer applies. */
  untimed?: AbortSignal;
  /** How long the command has waited for a person so far, in milliseconds: not counted by the time limit. */
  askedMs?: () => number;
  signal: AbortSignal;
  /** Standard output and standard error, in the order they were written. */
  onOutput: (bytes: Buffer) => void;
  /** It was decided as a command in the sandbox, and runs nowhere else. */
  inside?: true;
  /** This command has the network inside the sandbox. */
  network?: true;
  /** Files that the sandbox usually masks, and that this command may read. */
  shown?: string[];
  /** It may change files outside those of its worker. */
  others?: true;
  /** What the person sees beside its output; absent: nobody shows it. */
  aside?: Aside;
  /** Protected files that it may change, and its words: what else changes there is asked about. */
  changes?: { paths: string[]; words: string[] };
};

/** `progress`: what it waits for, in the place of its output. `notice`: comes with its result; false if no result will come. */
export type Aside = { progress(text: string): void; notice(text: string): boolean };

export type ShellEnd =
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timed_out" }
  | { kind: "aborted" }
  /** The shell itself did not start. */
  | { kind: "failed"; reason: string };

/**
 * `denied`: files that the command left behind and was not allowed to keep. `askedMs`: how long it waited for answers, which is not part of
 * `ms`.
 */
export type ShellRun = { end: ShellEnd; ms: number; denied?: DeniedOnTheWay[]; askedMs?: number };

export interface Shell {
  /** Resolves once the shell has ended, even if its children hold the output open. On timeout or abort the whole process group is ended. */
  run(request: ShellRequest): Promise<ShellRun>;
}

// What hooks need of the world: one program run to its end.

export type HookProcess = {
  /** For bash. */
  command: string;
  cwd: string;
  /** The whole environment; its TOOL_OWNER marks what the hook starts. */
  env: Record<string, string>;
  /** JSON, on its standard input. */
  input: string;
  timeoutMs: number;
  signal: AbortSignal;
};

/** How it ended, and the first 64 KB of what it printed on each stream. `isCut`: there was more on standard output. */
export type HookEnd = { stdout: string; stderr: string; isCut: boolean } & (
  | { kind: "exited"; code: number }
  | { kind: "killed"; by: string }
  | { kind: "timed_out" | "aborted" }
  | { kind: "failed"; reason: string }
);

/** Never rejects. */
export type RunHook = (hook: HookProcess) => Promise<HookEnd>;

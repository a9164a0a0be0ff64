// The port through which a hook runs: one program from start to end.

export type HookProcess = {
  /** Run by bash. */
  command: string;
  cwd: string;
  /** The complete environment. TOOL_OWNER in it marks the hook's processes. */
  env: Record<string, string>;
  /** JSON for standard input. */
  input: string;
  timeoutMs: number;
  /** If it succeeds, processes that it leaves in its group go on. Otherwise they are ended with it. */
  mayLeave?: true;
  /** In the sandbox of the agent's commands. */
  sandboxed?: true;
  signal: AbortSignal;
};

/** How the program ended, and the first 64 KB of each output stream. `isCut`: standard output was longer. */
export type HookEnd = { stdout: string; stderr: string; isCut: boolean } & (
  | { kind: "exited"; code: number }
  | { kind: "killed"; by: string }
  | { kind: "timed_out" | "aborted" }
  | { kind: "failed"; reason: string }
);

export type RunHook = (hook: HookProcess) => Promise<HookEnd>;

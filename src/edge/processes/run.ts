// Runs a helper program (tmux, gh, rg, osascript) to its end and keeps its output. The only file that uses execa, which is loaded with the
// first program: many teammates never run one.
import type { Readable } from "node:stream";
import { killGroup } from "./end-group.ts";
import { helperProgram } from "./helper-programs.ts";
import { lastOutput } from "./last-output.ts";

export type RunOptions = {
  /** "/" by default: our own working directory may be removed at any time, and then nothing could run in it. */
  cwd?: string;
  env?: Record<string, string>;
  /** False: the program gets only `env`. */
  extendEnv?: boolean;
  /** Its standard input; empty by default. */
  input?: string | Uint8Array;
  /** After this, the program and its whole process group are killed. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Characters kept of each stream; a program that prints more is killed. 16 Mi by default. */
  maxOutput?: number;
};

export type RunResult = {
  /** Null if a signal ended it, or it never ran. */
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** Why it never ran, or why its output is incomplete: one sentence. */
  failed?: string;
};

/**
 * Runs `argv` without a shell, in its own process group. Never rejects: a missing program, a deadline and an abort are results. Once the
 * program has ended, its output is awaited only briefly, since a grandchild may hold the pipe open forever.
 */
export async function run(argv: string[], options: RunOptions = {}): Promise<RunResult> {
  const [program = "", ...args] = argv;
  const helper = helperProgram(program, options.env?.["PATH"]);
  if (helper.kind === "missing") return { ...nothing, failed: helper.why };
  const { execa } = await import("execa");
  if (options.signal?.aborted) return { ...nothing, failed: `${program} was not started: the call was aborted` };
  const child = execa(helper.path, args, {
    cwd: options.cwd ?? "/",
    env: options.env,
    extendEnv: options.extendEnv ?? true,
    ...(options.input === undefined ? { stdin: "ignore" as const } : { input: options.input }),
    detached: true,
    cleanup: false,
    reject: false,
    stripFinalNewline: false,
    maxBuffer: options.maxOutput ?? 16 * 1024 * 1024,
  });
  let timedOut = false;
  // Helper programs have nothing to save: they are killed immediately, with their whole group.
  const kill = () => killGroup(child.pid);
  const expire = () => {
    timedOut = true;
    kill();
  };
  const deadline = options.timeoutMs === undefined ? undefined : setTimeout(expire, options.timeoutMs);
  options.signal?.addEventListener("abort", kill, { once: true });
  child.once("exit", () => void letGoOfPipes([child.stdout, child.stderr]));
  try {
    const end = await child;
    if (end.isMaxBuffer) kill();
    return {
      code: end.exitCode ?? null,
      signal: end.signal ?? null,
      stdout: end.stdout ?? "",
      stderr: end.stderr ?? "",
      timedOut,
      failed: failureOf(program, end, options),
    };
  } finally {
    clearTimeout(deadline);
    options.signal?.removeEventListener("abort", kill);
  }
}

const nothing: RunResult = { code: null, signal: null, stdout: "", stderr: "", timedOut: false };

async function letGoOfPipes(pipes: Readable[]): Promise<void> {
  await lastOutput(pipes);
  for (const pipe of pipes) pipe.destroy();
}

type RawEnd = { code?: string; exitCode?: number; signal?: string; isMaxBuffer: boolean };

function failureOf(program: string, end: RawEnd, options: RunOptions): string | undefined {
  if (options.signal?.aborted) return `${program} was killed: the call was aborted`;
  if (end.isMaxBuffer) return `${program} was killed: it printed more than ${options.maxOutput ?? 16 * 1024 * 1024} characters`;
  if (end.code === "ENOENT") return `${program} was not found${options.cwd ? `, or the folder ${options.cwd} is missing` : " on PATH"}`;
  if (end.code === "EACCES") return `${program} cannot be executed: permission denied`;
  if (end.code && end.exitCode === undefined && end.signal === undefined) return `${program} cannot be started: ${end.code}`;
  return undefined;
}

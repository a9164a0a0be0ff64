// One process of git, run by simple-git to its end: the only file that uses it. simple-git refuses arguments and variables that would make
// git run something. Only own-git.ts calls this: what a process may do is decided there.
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { SimpleGitOptions } from "simple-git";
import { errorText } from "../../wording/error-text.ts";
import { sweep } from "../processes/sweep.ts";

export type GitProcess = {
  /** The program, and a first argument before git's own. */
  binary: string | [string, string];
  cwd: string;
  args: string[];
  /** The whole environment. */
  env: Record<string, string>;
  /** Settings for this process: `key=value`. */
  settings?: string[];
  /** What simple-git refuses, and this process needs. */
  unsafe?: SimpleGitOptions["unsafe"];
  input?: string | Buffer | undefined;
  limitMs: number;
  /** Asked when it has run for a while: why it will not end, a whole sentence; then git is ended. */
  obstacle?: (() => Promise<string | undefined>) | undefined;
  /** git is ended once it has printed that many bytes. */
  headBytes?: number | undefined;
  signal?: AbortSignal | undefined;
};

/** `code` is null if git was ended or never ran; `failed` says why, in one sentence, if it is not for its limit. */
export type GitEnd = { code: number | null; stdout: Buffer; stderr: string; timedOut: boolean; failed?: string };

/** Never rejects. What git printed until its end is returned in any case. */
export async function runGit(order: GitProcess): Promise<GitEnd> {
  const { simpleGit } = await import("simple-git");
  const { cwd, binary, args, env, settings = [], unsafe = {}, input = "", headBytes = Infinity, signal } = order;
  const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let [code, bytes]: [number | null, number] = [null, 0];
  const stop = stopping(order);
  const owner = `${env["TOOL_OWNER"] ?? "git"}/git-${randomUUID()}`;
  if (signal?.aborted) return { code, ...joined(printed), timedOut: false, failed: "git was not started: the call was aborted" };
  try {
    const git = simpleGit({
      baseDir: cwd,
      binary,
      abort: stop.signal,
      completion: { onClose: true, onExit: false },
      allowEnvironment: Object.keys(env),
      config: settings,
      unsafe: { allowUnsafeCustomBinary: true, ...unsafe },
      errors(_error, { exitCode }) {
        code = exitCode;
        return undefined;
      },
      input: () => Buffer.from(input), // of no bytes too: git must not wait for its standard input
    });
    const ended = git
      .env({ ...env, TOOL_OWNER: owner })
      .outputHandler((_command, stdout, stderr) => {
        collect(stdout as Readable, printed.stdout, (size) => {
          bytes += size;
          if (bytes >= headBytes) stop.now("head");
        });
        collect(stderr as Readable, printed.stderr);
        setImmediate(() => stderr.emit("data", Buffer.alloc(0))); // simple-git waits 50 ms longer for a process that has printed nothing
      })
      .raw(args);
    await Promise.race([ended, stop.stopped]);
  } catch (error) {
    if (stop.why() === undefined)
      return { code: null, ...joined(printed), timedOut: false, failed: `git was not run: ${errorText(error)}` };
  } finally {
    stop.clear();
  }
  const why = stop.why();
  if (why !== undefined) await sweep(owner); // simple-git signals git alone, and not what git has started
  if (code !== null && code < 0) return { code: null, ...joined(printed), timedOut: false, failed: "git cannot be started" };
  const bySignal = code === null && why === undefined ? "git was ended by a signal" : undefined;
  const failed = why === "abort" ? "git was ended: the call was aborted" : (stop.obstacle() ?? bySignal);
  return { code: why === undefined ? code : null, ...joined(printed), timedOut: why === "limit", ...(failed && { failed }) };
}

function collect(stream: Readable, chunks: Buffer[], onBytes?: (size: number) => void): void {
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    onBytes?.(chunk.length);
  });
}

const joined = ({ stdout, stderr }: { stdout: Buffer[]; stderr: Buffer[] }) => ({
  stdout: Buffer.concat(stdout),
  stderr: Buffer.concat(stderr).toString("utf8"),
});

type Why = "limit" | "abort" | "head" | "obstacle";

/** A look takes as long as a folder is large: the time to the next one doubles. */
const firstLookMs = 1000;

/** Ends the process at a limit, when the call is aborted, when enough has been read, or when it would only wait. */
function stopping({ limitMs, signal, obstacle }: Pick<GitProcess, "limitMs" | "signal" | "obstacle">) {
  const controller = new AbortController();
  let [why, resolve]: [Why | undefined, () => void] = [undefined, () => {}];
  const stopped = new Promise<void>((done) => {
    resolve = done;
  });
  const now = (reason: Why) => {
    why ??= reason;
    controller.abort();
    resolve();
  };
  const timer = setTimeout(() => now("limit"), limitMs);
  let [found, looking]: [string | undefined, NodeJS.Timeout | undefined] = [undefined, undefined];
  let isOver = false;
  const lookIn = (ms: number) => {
    looking = setTimeout(() => void look(ms), ms);
  };
  const look = async (waitedMs: number) => {
    found = await obstacle?.();
    if (found !== undefined) now("obstacle");
    else if (!isOver) lookIn(2 * waitedMs);
  };
  if (obstacle) lookIn(firstLookMs);
  const onAbort = () => now("abort");
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    stopped,
    now,
    why: () => why,
    obstacle: () => (why === "obstacle" ? found : undefined),
    clear() {
      clearTimeout(timer);
      clearTimeout(looking);
      isOver = true;
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

// Temporary places for a test, and ways to wait; everything is removed when the test has finished.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** A path or text as one word of a shell. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tool-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty repository, with `git` in it as somebody who may commit, and `put`, which writes a file with its folders. */
export function scratchRepository() {
  const top = realpathSync(scratchFolder());
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], { cwd: top, stdio: "pipe" });
  const put = (name: string, text = name) => {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), text);
  };
  git("init", "-q", "-b", "main");
  return { top, git, put };
}

/** For sockets, whose paths may have 107 bytes at most: not below TMPDIR, which may be long. The caller removes it. */
export const socketFolder = () => mkdtempSync("/tmp/tool-s-");

/** A home that is not a temporary folder. */
export const lastingHome = () => (/^(\/var)?\/tmp(\/|$)/.test(homedir()) ? userInfo().homedir : homedir());

/** For programs that a test puts on PATH. Not in a temporary folder, even where HOME is one: programs there are never used as ours. */
export function programFolder(programs: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(lastingHome(), ".tool-test-programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text, { mode: 0o755 });
  return folder;
}

/**
 * Resolves with the result of `look` as soon as it is neither undefined nor false. Throws after 90 s, or `withinMs`: a
 * deadline costs nothing until a test fails, and beside other load a team takes long. At most a twentieth of the time is spent on looking,
 * because the awaited process needs the processor too.
 */
export async function eventually<T>(look: () => T | undefined | false, withinMs = 90_000): Promise<T> {
  for (const end = performance.now() + withinMs; performance.now() < end; ) {
    const before = performance.now();
    const found = look();
    if (found !== undefined && found !== false) return found;
    const pauseMs = Math.max(10, Math.min(200, 20 * (performance.now() - before)));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error(`Did not happen within ${withinMs / 1000} s: ${look.toString()}`);
}

export type Program = {
  child: ChildProcess;
  pid: number;
  output: () => string;
  ended: Promise<{ code: number | null; signal: string | null }>;
};

type StartOptions = { env?: Record<string, string>; cwd?: string; detached?: boolean };

/** Starts a command as a separate process, with `env` besides PATH, and kills it when the test has finished. */
export function start([program = "", ...args]: string[], options: StartOptions = {}): Program {
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: options.cwd,
    detached: options.detached,
    env: { PATH: process.env["PATH"], ...options.env },
  });
  let output = "";
  const keep = (text: string) => {
    output += text;
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", keep);
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  if (child.pid === undefined) throw new Error(`Cannot start ${program}`);
  return { child, pid: child.pid, output: () => output, ended };
}

export type PipedProgram = { pid: number; stdout: () => string; stderr: () => string; ended: Promise<{ code: number | null }> };

/** Starts a command with `input` on its standard input, which is then closed. */
export function startPiped(
  [program = "", ...args]: string[],
  { input, env, cwd }: { input: string; env: Record<string, string>; cwd: string },
): PipedProgram {
  const child = spawn(program, args, { env, cwd });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.on("error", () => {}); // some tests are about programs that end without reading their input
  child.stdin.end(input);
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<{ code: number | null }>((resolve) => child.once("close", (code) => resolve({ code })));
  return { pid: child.pid ?? 0, stdout: () => output.stdout, stderr: () => output.stderr, ended };
}

/** Starts test/programs/{name}.ts, as bundled by `npm run build`, with one JSON argument. */
export function startProgram(name: string, argument: unknown): Program {
  return start([process.execPath, `dist/test/${name}.js`, JSON.stringify(argument)]);
}

/** Fills the folder's disk. Returns a function that frees the space again. */
export function fill(folder: string): () => void {
  const filler = join(folder, "filler");
  try {
    for (;;) writeFileSync(filler, Buffer.alloc(4096), { flag: "a" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
  return () => rmSync(filler);
}

/** A separate file system, at `folder` if given. `limits` as for a tmpfs: `size=64k`, `nr_inodes=10`. */
export function smallDisk(
  limits: string,
  folder = mkdtempSync(join(tmpdir(), "tool-disk-")),
): { folder: string; remount: (access: "ro" | "rw") => void } {
  mkdirSync(folder, { recursive: true });
  if (!mount(folder, limits)) throw new Error("Cannot mount a tmpfs");
  // A run that is killed takes it along: then the end of this pipe is all that somebody learns of it.
  const keeper = spawn("sh", ["-c", 'read end; umount -l "$0" && rmdir "$0"', folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  keeper.unref();
  onTestFinished(() => {
    unmount(folder);
    rmSync(folder, { recursive: true });
    keeper.stdin.end();
  });
  return { folder, remount: (access) => remount(folder, access) };
}

/** Retries, because a file that is open for writing prevents it. */
function remount(folder: string, access: "ro" | "rw"): void {
  for (const end = performance.now() + 30_000; !run("mount", "-o", `remount,${access}`, folder); )
    if (performance.now() > end) throw new Error(`Cannot make ${folder} ${access}: a file of it stays open for writing`);
}

export function mount(folder: string, limits: string): boolean {
  return process.platform === "linux" && run("mount", "-t", "tmpfs", "-o", limits, "tmpfs", folder);
}

export function unmount(folder: string): void {
  run("umount", "-l", folder);
}

function run(program: string, ...args: string[]): boolean {
  return spawnSync(program, args).status === 0;
}

/** A folder that is filled once for a test file, and copied for each test. Call it where tests are described. */
export function templateFolder(fill: (folder: string) => void): () => string {
  let template: string | undefined;
  afterAll(() => template !== undefined && rmSync(template, { recursive: true, force: true }));
  return () => {
    if (template === undefined) {
      template = mkdtempSync(join(tmpdir(), "tool-template-"));
      fill(template);
    }
    const folder = realpathSync(scratchFolder());
    cpSync(template, folder, { recursive: true, preserveTimestamps: true });
    return folder;
  };
}

// Runs of `tool` in processes that have run others before (programs/warm-tool.ts): for what a run prints, asks for and leaves on the disk. A test
// that is about the process of a run starts one: its signals, its death, its terminal, its memory, what other processes see of it.
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { onTestFinished } from "vitest";

export type Order = {
  args: string[];
  env: Record<string, string>;
  cwd: string;
  input: string;
  program: string;
  packageDir: string;
  version: string;
};
type Stream = "stdout" | "stderr";
export type FromWarm = { kind: "printed"; stream: Stream; text: string } | { kind: "ended"; code: number };

/** `output`: both streams, as they were printed. */
export type WarmRun = { stdout: () => string; stderr: () => string; output: () => string; ended: Promise<{ code: number | null }> };

const packageDir = resolve(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(resolve(packageDir, "package.json"), "utf8"));

/** Those that run nothing now. They end with the process that started them, or when they have not been needed for a while. */
const idle = new Map<ChildProcess, NodeJS.Timeout>();
const longestIdleMs = 60_000;

/** Runs `tool …` with this environment, which must have nothing that Node reads only at its own start. */
export function runWarm(args: string[], { env, cwd, input = "" }: { env: Record<string, string>; cwd: string; input?: string }): WarmRun {
  const early = ["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS"].filter((name) => name in env);
  if (early.length > 0) throw new Error(`A process that is warm has read ${early.join(" and ")} already: start one`);
  const host = taken() ?? startHost();
  const printed = { stdout: "", stderr: "", output: "" };
  const keep = (stream: Stream) => (text: string) => {
    printed[stream] += text;
    printed.output += text;
  };
  const of = { stdout: keep("stdout"), stderr: keep("stderr") };
  let isOver = false;
  const ended = new Promise<{ code: number | null }>((done) => {
    const finish = (code: number | null) => {
      isOver = true;
      host.off("message", onMessage).off("exit", finish);
      for (const stream of ["stdout", "stderr"] as const) host[stream]?.off("data", of[stream]);
      done({ code });
    };
    const onMessage = (message: FromWarm) => {
      if (message.kind === "printed") return of[message.stream](message.text);
      finish(message.code);
      idle.set(host, setTimeout(() => host.disconnect(), longestIdleMs).unref());
    };
    for (const stream of ["stdout", "stderr"] as const) host[stream]?.on("data", of[stream]); // of one that crashes
    host.on("message", onMessage).on("exit", finish);
  });
  onTestFinished(() => void (isOver || host.kill("SIGKILL")));
  host.send({ args, env, cwd, input, program: resolve(packageDir, "bin/tool.js"), packageDir, version } satisfies Order);
  return { stdout: () => printed.stdout, stderr: () => printed.stderr, output: () => printed.output, ended };
}

/** The one that was used last. */
function taken(): ChildProcess | undefined {
  const host = [...idle.keys()].findLast(({ connected }) => connected);
  if (host) clearTimeout(idle.get(host));
  if (host) idle.delete(host);
  return host;
}

/** Nothing waits for its end. */
function startHost(): ChildProcess {
  const host = fork(resolve(packageDir, "dist/test/warm-tool.js"), [], {
    cwd: "/",
    env: { PATH: process.env["PATH"] },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  host.once("exit", () => {
    clearTimeout(idle.get(host));
    idle.delete(host);
  });
  for (const stream of [host.stdout, host.stderr]) stream?.setEncoding("utf8");
  for (const part of [host, host.channel, host.stdout, host.stderr] as { unref?(): void }[]) part?.unref?.();
  return host;
}

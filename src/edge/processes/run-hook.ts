// Runs one hook: a command of the user, by bash, in its own process group. Not through execa: processes that left the group may hold the
// pipes open forever, and output beyond the limit must be drained, because the hook's exit code still counts.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { HookEnd, HookProcess } from "../../hooks/hook-process.ts";
import { endGroup, killGroup } from "./end-group.ts";
import { helperProgram } from "./helper-programs.ts";
import { lastOutput } from "./last-output.ts";

/** Never rejects: every end of a hook is a result. Nothing of its group is left running, unless `mayLeave` says so. */
export async function runHook(hook: HookProcess): Promise<HookEnd> {
  const nothing = { stdout: "", stderr: "", isCut: false };
  if (hook.signal.aborted) return { kind: "aborted", ...nothing };
  const bash = helperProgram("bash", hook.env["PATH"]);
  if (bash.kind === "missing") return { kind: "failed", reason: bash.why, ...nothing };
  const started = startHook(bash.path, hook);
  if (started instanceof Error) return { kind: "failed", reason: started.message, ...nothing };
  const { child, ended } = started;
  const [stdout, stderr] = [kept(child.stdout), kept(child.stderr)];
  const limit = limitOf(hook);
  const first = await Promise.race([ended, limit.reached]);
  limit.forget();
  if (typeof first === "string") await endGroup({ outer: child.pid }, graceMs);
  else if (!hook.mayLeave || first.kind !== "exited" || first.code !== 0) killGroup(child.pid);
  await lastOutput([child.stdout, child.stderr]);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  const printed = { stdout: stdout.text(), stderr: stderr.text(), isCut: stdout.isCut() };
  return typeof first === "string" ? { kind: first, ...printed } : { ...first, ...printed };
}

type Ended = { kind: "exited"; code: number } | { kind: "killed"; by: string } | { kind: "failed"; reason: string };

/** Time to clean up for a hook that ran too long. */
const graceMs = 500;

/** Bytes kept of each stream. */
const mostBytes = 64 * 1024;

function startHook(bash: string, { command, cwd, env, input }: HookProcess) {
  try {
    // Node's pipes are sockets, and with a socket as input bash assumes that it is a remote shell, which reads ~/.bashrc.
    const child = spawn(bash, ["--norc", "-c", command], { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
    const ended = new Promise<Ended>((resolve) => {
      child.once("error", ({ message }) => resolve({ kind: "failed", reason: existsSync(cwd) ? message : `the folder ${cwd} is missing` }));
      child.once("exit", (code, by) => resolve(code === null ? { kind: "killed", by: by ?? "a signal" } : { kind: "exited", code }));
    });
    child.stdin.on("error", () => {}); // the hook need not read its input
    child.stdin.end(input);
    return { child, ended };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function kept(stream: Readable): { text(): string; isCut(): boolean } {
  const parts: Buffer[] = [];
  let bytes = 0;
  stream.on("error", () => {}); // read until it closes, for whatever reason
  stream.on("data", (part: Buffer) => {
    if (bytes < mostBytes) parts.push(part.subarray(0, mostBytes - bytes));
    bytes += part.length;
  });
  // A character cut by the limit is left out.
  return { text: () => new StringDecoder("utf8").write(Buffer.concat(parts)), isCut: () => bytes > mostBytes };
}

function limitOf({ timeoutMs, signal }: HookProcess) {
  let forget = () => {};
  const reached = new Promise<"timed_out" | "aborted">((resolve) => {
    const deadline = setTimeout(resolve, timeoutMs, "timed_out");
    const onAbort = () => resolve("aborted");
    signal.addEventListener("abort", onAbort, { once: true });
    forget = () => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", onAbort);
    };
  });
  return { reached, forget };
}

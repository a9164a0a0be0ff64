// The process of one command: bash, inside the sandbox or not, in its own process group.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { SandboxRun } from "../../agent/ports/sandbox-port.ts";
import { endInside, firstInside, type Group } from "../processes/end-group.ts";
import { helperProgram } from "../processes/helper-programs.ts";

export type Child = ChildProcessByStdio<null, Readable, Readable>;

export type ChildEnd = { kind: "exited"; code: number } | { kind: "killed"; signal: string } | { kind: "failed"; error: Error };

/** `ended` also resolves for callers that ask after the end: nothing in its sandbox goes on then. */
export type Started = { child: Child; group: Group; ended: Promise<ChildEnd> };

export type StartOptions = {
  cwd: string;
  env: Record<string, string>;
  stay?: SandboxRun;
  /** Opens another pipe, as file descriptor 4. */
  spoken?: boolean;
  /** For bash, once it is in place and before it reads the script. */
  first?: string;
  /** Opens one as file descriptor 3, which bubblewrap has for itself in a sandbox. */
  watched?: boolean;
};

/**
 * Starts `bash` with these arguments, the last of which is a script, under the name bash rather than its path. It reads no ~/.bashrc, which
 * bash does where it takes itself for a remote shell: by SSH_CLIENT, as at a place. Throws if the system refuses immediately; otherwise an
 * `error` event of the child says that it did not start.
 */
export function startShell(args: string[], { cwd, env, stay, spoken = false, first = "", watched = false }: StartOptions): Started {
  const bash = helperProgram("bash", env["PATH"]);
  if (bash.kind === "missing") throw new Error(bash.why);
  const ours = ["--norc", ...args];
  const before = `${stay?.check ?? ""}${first}`;
  const all = before ? ["--norc", "-c", `${before}exec "$BASH" "$@" bash`, "bash", ...ours] : [...ours, "bash"];
  const shell = [bash.path, ...all];
  const [program = bash.path, ...rest] = stay ? stay.argv.concat(shell) : shell;
  const pipes = [stay !== undefined || watched, spoken, stay?.seccomp !== undefined].map((is) => (is ? "pipe" : "ignore"));
  const stdio = ["ignore", "pipe", "pipe", ...pipes] as ["ignore", "pipe", "pipe"];
  const child = spawn(program, rest, { cwd, env: { ...env, ...stay?.env }, stdio, detached: true });
  const group: Group = { outer: child.pid };
  const isRead = stay ? readInner(child.stdio as (Readable | null)[], group) : undefined;
  if (stay?.seccomp) tell(child.stdio as unknown as (Writable | null)[], stay.seccomp);
  const ended = new Promise<ChildEnd>((resolve) => {
    child.once("error", (error) => resolve({ kind: "failed", error }));
    const allGone = async (end: ChildEnd) => {
      await isRead;
      await endInside(group);
      return end;
    };
    child.once("exit", (code, name) =>
      resolve(allGone(code === null ? { kind: "killed", signal: name ?? "a signal" } : { kind: "exited", code })),
    );
  });
  return { child, group, ended };
}

/** Node has no exit code for a process that a signal ended. */
export function hasEnded({ child }: Started): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function tell(streams: (Writable | null)[], seccomp: Buffer): void {
  streams[5]?.on("error", () => {}); // it did not start, or ended at once, which is reported elsewhere
  streams[5]?.end(seccomp);
}

/** bwrap(1), --info-fd: one JSON object. Resolves when it is known, or will not be. */
function readInner(streams: (Readable | null)[], group: Group): Promise<void> {
  return new Promise((resolve) => {
    let text = "";
    streams[3]?.on("error", () => {}); // it ended before it wrote anything: then there is nothing inside to end
    streams[3]?.once("close", resolve);
    streams[3]?.on("data", (bytes: Buffer) => {
      text += bytes.toString();
      const pid = /"child-pid"\s*:\s*(\d+)/.exec(text)?.[1];
      if (!pid || group.inner !== undefined) return;
      Object.assign(group, { inner: Number(pid), ...firstInside(Number(pid)) });
      resolve();
    });
  });
}

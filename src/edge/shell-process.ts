// The process of one command: bash, inside the sandbox or not, in a group of its own.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { Stay } from "./sandbox.ts";

export type Child = ChildProcessByStdio<null, Readable, Readable>;

/** The groups to end: our child's own, and inside the sandbox the command's, which alone can be asked to end by itself. */
export type Group = { outer: number | undefined; inner?: number };

export type Started = { child: Child; group: Group };

export type StartOptions = {
  cwd: string;
  env: Record<string, string>;
  stay?: Stay;
  /** With a stay: a pipe more, as file descriptor 4. */
  spoken?: boolean;
};

/** Starts `bash` with these arguments. Throws where the system refuses at once; else an `error` of the child says that it did not start. */
export function startShell(args: string[], { cwd, env, stay, spoken = false }: StartOptions): Started {
  const [program = "bash", ...rest] = [...(stay?.argv ?? []), "bash", ...args];
  const more: "pipe"[] = [...(stay ? (["pipe"] as const) : []), ...(spoken ? (["pipe"] as const) : [])];
  const stdio = ["ignore", "pipe", "pipe", ...more] as ["ignore", "pipe", "pipe"];
  const child = spawn(program, rest, { cwd, env: { ...env, ...stay?.env }, stdio, detached: true });
  const group: Group = { outer: child.pid };
  if (stay) readInner(child.stdio as (Readable | null)[], group);
  return { child, group };
}

/** bwrap(1), --info-fd: one JSON object. */
function readInner(streams: (Readable | null)[], group: Group): void {
  let text = "";
  streams[3]?.on("error", () => {}); // it ended before it said anything: then there is nothing inside to end
  streams[3]?.on("data", (bytes: Buffer) => {
    text += bytes.toString();
    const pid = /"child-pid"\s*:\s*(\d+)/.exec(text)?.[1];
    if (pid) group.inner = Number(pid);
  });
}

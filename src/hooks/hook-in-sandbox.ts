// Runs a hook in the sandbox of the agent's commands, through their own door: it may take code from the tree, which agents write. That door has
// no standard input and one stream of output, so the hook's input is in the script, and what it printed comes encoded.

import { quotedWord } from "../wording/shell-word.ts";
import type { HookEnd, HookProcess } from "./hook-process.ts";

type ShellEnd =
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timed_out" | "aborted" }
  | { kind: "failed"; reason: string };

type InSandbox = { inside: true; onOutput(bytes: Buffer): void };

export type SandboxedShell = {
  sandbox(): Promise<{ kind: string }>;
  harnessShell: {
    run(request: Pick<HookProcess, "command" | "timeoutMs" | "signal"> & InSandbox): Promise<{ end: ShellEnd }>;
  };
};

/** Without a sandbox the hook does not run. */
export async function hookInSandbox(work: SandboxedShell, hook: HookProcess): Promise<HookEnd> {
  const nothing = { stdout: "", stderr: "", isCut: false };
  if ((await work.sandbox()).kind !== "active") return { kind: "failed", reason: "there is no sandbox", ...nothing };
  const printed: Buffer[] = [];
  const { timeoutMs, signal } = hook;
  const { end } = await work.harnessShell.run({
    command: scriptOf(hook),
    inside: true,
    timeoutMs,
    signal,
    onOutput: (bytes) => void printed.push(bytes),
  });
  if (end.kind === "killed") return { kind: "killed", by: end.signal, ...nothing };
  if (end.kind !== "exited") return { ...end, ...nothing };
  return endIn(Buffer.concat(printed).toString()) ?? { kind: "failed", reason: "what it printed is lost", ...nothing };
}

const mostBytes = 64 * 1024;

/** Standard error is kept in a variable while standard output passes, up to the limit; the rest of it is read, because the code counts. */
function scriptOf({ command, cwd, env, input }: HookProcess): string {
  const folders = ["TOOL_PROJECT_DIR", "CLAUDE_PROJECT_DIR"].map((name) => `${name}=${quotedWord(env[name] ?? "")}`).join(" ");
  const kept = (bytes: number) => `{ head -c ${bytes} | base64 -w 0; cat >/dev/null; }`;
  const run = `{ printf %s ${quotedWord(input)}; } 2>/dev/null | ${folders} bash --norc -c ${quotedWord(command)} | ${kept(mostBytes + 1)} >&3`;
  return `cd ${quotedWord(cwd)} || exit
{ error=$( { ${run}; printf ' %s ' "\${PIPESTATUS[1]}" >&3; } 2>&1 ); } 3>&1
printf %s "$error" | ${kept(mostBytes)}; echo`;
}

function endIn(printed: string): HookEnd | undefined {
  const [, out = "", code, error = ""] = /^([\w+/=]*) (\d+) ([\w+/=]*)\n/.exec(printed) ?? [];
  if (code === undefined) return undefined;
  const [stdout, stderr] = [out, error].map((text) => Buffer.from(text, "base64"));
  return {
    kind: "exited",
    code: Number(code),
    stdout: stdout!.subarray(0, mostBytes).toString(),
    stderr: stderr!.toString(),
    isCut: stdout!.length > mostBytes,
  };
}

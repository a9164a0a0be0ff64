// Bash: one command line in the working directory, with a time limit and an output that fits a context window, or in the background.
import { z } from "zod";
import { done, refused } from "./answer.ts";
import type { Aliases } from "./arguments.ts";
import type { Background, BackgroundCommand } from "./background.ts";
import { type KeptOutput, keptOutput, type OutputStore } from "./output.ts";
import type { Aside, Shell, ShellEnd, ShellRun } from "./shell.ts";
import { testCounts } from "./test-counts.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

const input = z.strictObject({
  command: z.string(),
  description: z.string().optional().describe("for the person, in a few words"),
  timeout_ms: z.number().optional(),
  background: z.boolean().optional(),
});
type BashInput = z.infer<typeof input>;

const aliases: Aliases = {
  timeout: "timeout_ms",
  run_in_background: "background",
  dangerouslyDisableSandbox: { ignored: true, when: false },
};

/** `background`: absent if no command can run there. */
export type BashParts = { outputs?: OutputStore | undefined; background?: Background | undefined };

export function bashTool(shell: Shell, parts: BashParts = {}): Tool<BashInput> {
  return {
    name: "Bash",
    description:
      "Run a shell command. Each call starts in the working directory, without a terminal or input. 30 KB of its output are shown; the rest is kept in a file. Default timeout_ms 120000, at most 600000. background: true, for servers and what takes long: returns at once, has no time limit, ends with the session.",
    input,
    aliases,
    readOnly: false,
    subject: ({ command }) => command.trim().replaceAll(/\s+/g, " "),
    purpose: ({ description }) => description?.trim().replaceAll(/\s+/g, " ") || undefined,
    run({ command, background = false, timeout_ms }, context) {
      if (background) return Promise.resolve(startInBackground(shell, { command, timeoutMs: timeout_ms }, parts.background));
      const timeoutMs = timeout_ms !== undefined && timeout_ms > 0 ? Math.min(timeout_ms, maxTimeoutMs) : defaultTimeoutMs;
      return runInForeground(shell, { ...parts, command, timeoutMs }, context);
    },
  };
}

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;
/** The maximum of `setTimeout`. */
const longestTimerMs = 2 ** 31 - 1;
/** More than any screen shows of the last lines. */
const shownBytes = 4 * 1024;
const room = { headBytes: 10 * 1024, tailBytes: 20 * 1024 };

function startInBackground(
  shell: Shell,
  { command, timeoutMs }: { command: string; timeoutMs: number | undefined },
  background: Background | undefined,
): ToolResult {
  const begun = background?.begin(command) ?? { refused: "Cannot start it in the background: background commands are not available here." };
  if ("refused" in begun) return refused(begun.refused, "not started");
  const stop = new AbortController();
  const limit = timeoutMs === undefined ? {} : { timeoutMs: Math.min(Math.max(1, timeoutMs), longestTimerMs) };
  begun.follow(shell.run({ command, ...limit, signal: stop.signal, onOutput: begun.add }), stop);
  return done(`Started in the background as ${begun.id}. ${howToGoOn(begun)}`, `in the background as ${begun.id}`);
}

function howToGoOn({ id, path }: BackgroundCommand): string {
  const file = path === undefined ? "" : ` Its output goes to ${path}.`;
  return `BashOutput shows what is new of its output, KillBash ends it. You are told when ${id} ends; continue meanwhile.${file}`;
}

type Foreground = BashParts & { command: string; timeoutMs: number };

/** Waits until the command ends, or the user sends it to the background. */
async function runInForeground(
  shell: Shell,
  { command, timeoutMs, outputs, background }: Foreground,
  { signal, onOutput: shown }: ToolContext,
): Promise<ToolResult> {
  const output = keptOutput(room, outputs);
  const [stop, untimed] = [new AbortController(), new AbortController()];
  const interrupt = () => stop.abort();
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt, { once: true });
  let sent: BackgroundCommand | undefined;
  const onOutput = (bytes: Buffer) => {
    if (sent) return sent.add(bytes);
    output.add(bytes);
    shown?.(bytes.subarray(-shownBytes).toString("utf8"));
  };
  const notices: string[] = [];
  const aside: Aside = { progress: (text) => shown?.(`${text}\n`), notice: (text) => sent === undefined && notices.push(text) > 0 };
  const running = shell.run({ command, timeoutMs, untimed: untimed.signal, signal: stop.signal, onOutput, aside });
  let withdraw = () => {};
  const moved = new Promise<BackgroundCommand>((resolve) => {
    withdraw =
      background?.offer((startedAt) => {
        const begun = background.begin(command, startedAt);
        if ("refused" in begun) return false;
        sent = begun;
        begun.earlier(Buffer.from(output.text()));
        untimed.abort();
        begun.follow(running, stop);
        resolve(begun);
        return true;
      }) ?? withdraw;
  });
  try {
    const first = await Promise.race([running, moved]);
    return "id" in first
      ? movedResult(first, output)
      : { ...endedResult(first, output, timeoutMs), ...(notices.length > 0 && { notices }) };
  } finally {
    withdraw();
    signal.removeEventListener("abort", interrupt);
  }
}

function movedResult(command: BackgroundCommand, output: KeptOutput): ToolResult {
  const soFar = output.text().trimEnd();
  const text = `The person sent it to the background as ${command.id}. ${howToGoOn(command)}`;
  return done(`${text}${soFar && `\nIts output so far:\n${soFar}`}`, `in the background as ${command.id}`);
}

function endedResult({ end, denied, askedMs }: ShellRun, output: KeptOutput, timeoutMs: number): ToolResult {
  const text = output.text();
  const how = ending(end, timeoutMs);
  const silence = end.kind === "failed" ? "" : "(no output)";
  const answer = done([text.trimEnd() || silence, how.text].filter(Boolean).join("\n"), testCounts(text) ?? how.summary);
  return { ...answer, isError: !(end.kind === "exited" && end.code === 0), ...(denied && { denied }), ...(askedMs && { askedMs }) };
}

/** A line for the model, if there is something to say, and a few words for the user. */
function ending(end: ShellEnd, timeoutMs: number): { text: string; summary: string } {
  switch (end.kind) {
    case "exited":
      return { text: end.code === 0 ? "" : `[exit ${end.code}]`, summary: `exit ${end.code}` };
    case "killed":
      return { text: `[ended by ${end.signal}]`, summary: end.signal };
    case "timed_out":
      return { text: `[stopped with everything it started: it ran longer than ${timeoutMs} ms]`, summary: "timed out" };
    case "aborted":
      return { text: "[interrupted and stopped with everything it started]", summary: "interrupted" };
    case "failed":
      return { text: `Cannot run the command: ${end.reason}.`, summary: "not started" };
  }
}

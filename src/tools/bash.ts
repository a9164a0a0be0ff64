// Bash: one command line in the working directory, with a time limit and an output that fits a context window.
import { z } from "zod";
import { done } from "./answer.ts";
import type { Aliases } from "./arguments.ts";
import { keptOutput, type OutputStore } from "./output.ts";
import type { Shell, ShellEnd } from "./shell.ts";
import { testCounts } from "./test-counts.ts";
import type { Tool } from "./tool.ts";

const input = z.strictObject({ command: z.string(), timeout_ms: z.number().optional() });
type BashInput = z.infer<typeof input>;

const aliases: Aliases = {
  timeout: "timeout_ms",
  description: { ignored: true },
  run_in_background: { ignored: true, when: false },
  dangerouslyDisableSandbox: { ignored: true, when: false },
};

export function bashTool(shell: Shell, outputs?: OutputStore): Tool<BashInput> {
  return {
    name: "Bash",
    description:
      "Run a shell command in the working directory. No terminal, no input; each call starts anew. Default timeout_ms 120000, at most 600000.",
    input,
    aliases,
    readOnly: false,
    subject: ({ command }) => command.trim().replaceAll(/\s+/g, " "),
    async run({ command, timeout_ms = defaultTimeoutMs }, { signal, onOutput: shown }) {
      const output = keptOutput(room, outputs);
      const onOutput = (bytes: Buffer) => {
        output.add(bytes);
        shown?.(bytes.subarray(-shownBytes).toString("utf8"));
      };
      const timeoutMs = Math.min(Math.max(1, timeout_ms), maxTimeoutMs);
      const { end, denied, askedMs } = await shell.run({ command, timeoutMs, signal, onOutput });
      const text = output.text();
      const how = ending(end, timeoutMs);
      const answer = done([text.trimEnd() || "(no output)", how.text].filter(Boolean).join("\n"), testCounts(text) ?? how.summary);
      return { ...answer, isError: !(end.kind === "exited" && end.code === 0), ...(denied && { denied }), ...(askedMs && { askedMs }) };
    },
  };
}

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;
/** More than the last lines of any screen that shows them. */
const shownBytes = 4 * 1024;
const room = { headBytes: 10 * 1024, tailBytes: 20 * 1024 };

/** A line for the model, when there is something to say, and a word or two for a person. */
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

// A question to a person about one call, and the answers there are.
import type { LocatedCall } from "./call.ts";
import type { Decision } from "./decision.ts";
import { showRule } from "./rules.ts";
import { visible } from "./visible.ts";

export type Question = {
  tool: string;
  /** What is to be run or touched, one line for each simple part, safe to print. */
  lines: string[];
  /** Why it is asked: one sentence without its full stop. */
  reason: string;
  /** The rule that the answer "session" adds, safe to print; without it there is no such answer. */
  rule?: string;
};

export type Answer = { kind: "once" } | { kind: "session" } | { kind: "no"; reason?: string };

export function question(call: LocatedCall, decision: Decision): Question {
  return {
    tool: call.tool,
    lines: linesOf(call).map(visible),
    reason: visible(decision.reason),
    ...(decision.suggestion && { rule: visible(showRule(decision.suggestion)) }),
  };
}

function linesOf({ subject, input }: LocatedCall): string[] {
  switch (subject.kind) {
    case "path":
      return [subject.written === subject.real ? subject.real : `${subject.written}, which is ${subject.real}`];
    case "command":
      return simpleParts(subject.command);
    case "host":
      return [subject.url];
    case "agent":
    case "none":
    case "unclear":
      return [JSON.stringify(input) ?? ""];
  }
}

/** Split where a shell would go on to another command, outside quotes. Nothing is left out, so that nothing hides at the end of a line. */
function simpleParts(command: string): string[] {
  const parts = command.match(/(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^;|&\n'"\\])+|[;|&\n'"\\]/g) ?? [];
  const lines = [""];
  for (const part of parts) {
    if (part === "\n") lines.push("");
    else if ([";", "|", "&"].includes(part)) lines[lines.length - 1] += part;
    else if (/[;|&]$/.test(lines.at(-1)!)) lines.push(part);
    else lines[lines.length - 1] += part;
  }
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

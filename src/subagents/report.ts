// The report of a sub-agent as it enters its parent's conversation: always short. The full text is in a file.
import type { TranscriptEvent } from "../agent/events.ts";
import { estimateTokens } from "../agent/requests/tokens.ts";
import { cutMiddle } from "../agent/result/result-budget.ts";
import type { OutputStore } from "../tools/output.ts";

export type ReportOrder = {
  text: string;
  /** Calls that failed in the run, one line each. */
  failedCalls: string[];
  mostTokens: number;
  outputs: OutputStore | undefined;
};

/** The agent's last text and its failed calls, within `mostTokens`. The part that is cut is in a file that the report names. */
export function reportOf({ text, failedCalls, mostTokens, outputs }: ReportOrder): string {
  const failed =
    failedCalls.length > 0
      ? `\n\nTool calls that failed:\n${failedCalls
          .slice(0, 10)
          .map((line) => `- ${line}`)
          .join("\n")}`
      : "";
  const whole = `${text.trim() || "It ended without a word."}${failed}`;
  const tokens = estimateTokens(whole);
  if (tokens <= mostTokens) return whole;
  const file = outputs?.begin();
  file?.append(Buffer.from(whole));
  file?.end?.();
  const limit = Math.floor((whole.length * mostTokens) / tokens) - longestNote;
  return cutMiddle(whole, { limit, ...(file && { whole: file.path }) });
}

/** The longest note that replaces the cut part. */
const longestNote = 200;
const mostLine = 200;

export type EndedCall = Extract<TranscriptEvent, { type: "tool_ended" }>;

/** Calls that failed and did not succeed when repeated. */
export function failedCallsIn(ended: readonly EndedCall[]): EndedCall[] {
  const isSame = (call: EndedCall) => (other: EndedCall) => other.name === call.name && other.subject === call.subject;
  return ended.filter((call, at) => call.isError && !ended.slice(at + 1).some((later) => !later.isError && isSame(call)(later)));
}

/** One line for each call: its name, its subject, and the first line of its result. */
export function callLines(calls: readonly EndedCall[]): string[] {
  return calls.map(({ name, subject, summary, text }) => {
    const line = `${name} ${subject}: ${summary || (text.trim().split("\n")[0] ?? "")}`.replaceAll(/\s+/g, " ");
    return line.length > mostLine ? `${line.slice(0, mostLine).toWellFormed()}…` : line;
  });
}

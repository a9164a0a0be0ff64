// The two kinds of a tool's answer: success and refusal.
import type { Cut } from "./disk.ts";
import type { ToolResult } from "./tool.ts";

export function done(text: string, summary: string, touched?: string[]): ToolResult {
  return { text, summary, isError: false, ...(touched && { touched }) };
}

/** `reason` is one sentence: the action, what was found, what to do. `summary` says the same in a word or two. */
export function refused(reason: string, summary: string): ToolResult {
  return { text: reason.endsWith(".") || reason.endsWith("?") ? reason : `${reason}.`, summary, isError: true };
}

/** What is said of a file in a /tmp that only the session has: the user would look for it in vain. */
export function writtenIn({ path, outside }: { path: string; outside?: string }): { text: string; summary: string } {
  if (outside === undefined) return { text: "", summary: "" };
  return {
    text: `. ${path} is in the session's own /tmp: the person finds it at ${outside}, until the session ends. What is to stay belongs in the working directory`,
    summary: ", in the session's own /tmp",
  };
}

/** Continues a sentence with a reason that was given, if one was. */
export function because(reason: string | undefined): string {
  return reason ? `: ${reason.replace(/\.$/, "")}` : "";
}

/** The summary of a call that nobody began, since what was to carry it out could not be reached. */
export const notReached = "not reached";

/** The summary of a call that may have been carried out: nobody is left who knows how it ended. */
export const unknownOutcome = "outcome unknown";

/** Says when the folder was too large to be searched completely. */
export function unfinished(cut: Cut): string {
  switch (cut) {
    case "nothing":
      return "";
    case "limit":
      return "\n[not everything was searched: use a narrower path or pattern]";
    case "time":
      return "\n[out of time before everything was searched: use a narrower path or a simpler pattern]";
  }
}

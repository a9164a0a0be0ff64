// The hunks of a unified diff as an editor shows them: the lines before and after, and where they are.
import type { ToolCallContent } from "@agentclientprotocol/sdk";

export type Diffs = { content: ToolCallContent[] /** Of the first change, counted from 1. */; line: number | undefined };

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,\d+)? @@/;

/** Lines before the first hunk are left out. `path` is absolute. */
export function diffsOf(lines: readonly string[], path: string): Diffs {
  const starts = lines.flatMap((line, index) => (header.test(line) ? [index] : []));
  const hunks = starts.map((start, index) => hunkOf(lines.slice(start, starts[index + 1]), path));
  return { content: hunks.map(({ content }) => content), line: hunks[0]?.line };
}

function hunkOf([first = "", ...lines]: readonly string[], path: string): { content: ToolCallContent; line: number } {
  const [, oldStart = "1", oldLines = "1", newStart = "1"] = header.exec(first) ?? [];
  let [before, after] = ["", ""];
  let last: string = " ";
  for (const line of lines) {
    const mark = line[0];
    if (mark === undefined) continue; // the end of the text
    if (mark === "\\") {
      if (last !== "+") before = before.replace(/\n$/, "");
      if (last !== "-") after = after.replace(/\n$/, "");
      continue;
    }
    if (mark !== "+") before += `${line.slice(1)}\n`;
    if (mark !== "-") after += `${line.slice(1)}\n`;
    last = mark;
  }
  const isNew = oldStart === "0" && oldLines === "0";
  const changed = lines.findIndex((line) => /^[-+]/.test(line));
  return {
    content: { type: "diff", path, oldText: isNew ? null : before, newText: after },
    line: Math.max(1, Number(newStart) + Math.max(0, changed)),
  };
}

// A unified diff for a person: numbered lines, red and green, without the header.

import { wrap } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { beginning, visibleLine } from "../visible-text.ts";

/** `context`: include the lines around the changes. */
export function diffLines(diff: string, style: Style, { context, columns }: { context: boolean; columns: number }): string[] {
  const lines: string[] = [];
  let [before, after] = [0, 0];
  for (const line of diff.split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    const text = beginning(visibleLine(line.slice(1).replace(/\r$/, "")), longestLine);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      if (context && lines.length > 0) lines.push(style.dim(`      ${style.ellipsis}`));
    } else if (before === 0 && after === 0) continue;
    else if (line.startsWith("-")) lines.push(`${numbered(before++, style)}${style.syntax(`-  ${text}`, "removed")}`);
    else if (line.startsWith("+")) lines.push(`${numbered(after++, style)}${style.syntax(`+  ${text}`, "added")}`);
    else if (line.startsWith(" ")) {
      if (context) lines.push(`${numbered(after, style)}   ${text}`);
      before++;
      after++;
    }
  }
  return lines.map((line) => wrap(line, columns, textColumn));
}

/** The column of a line's text, behind its number and sign. */
const textColumn = 14;

/** Whether the text is a unified diff. */
export function isDiff(text: string): boolean {
  return text.startsWith("--- ") && /^@@ -\d+/m.test(text.slice(0, 2_000));
}

const longestLine = 2_000;

function numbered(line: number, style: Style): string {
  return `${style.dim(String(line).padStart(8))}   `;
}

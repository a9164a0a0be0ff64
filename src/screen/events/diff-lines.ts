// A unified diff for a person: numbered lines, red and green, without the header.
import { filledRows } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { beginning, visibleLine } from "../visible-text.ts";

/** `context`: include the lines around the changes. */
export function diffLines(diff: string, style: Style, { context, columns }: { context: boolean; columns: number }): string[] {
  const lines: string[] = [];
  const rows = (text: string, paint = (row: string) => row) => filledRows(text, [columns - numberColumns, columns - textColumn]).map(paint);
  const numbered = (line: number, [first = "", ...rest]: string[]) =>
    [`${style.dim(String(line).padStart(8))}   ${first}`, ...rest.map((row) => " ".repeat(textColumn) + row)].join("\n");
  let [before, after] = [0, 0];
  for (const line of diff.split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    const text = beginning(visibleLine(line.slice(1).replace(/\r$/, "")), longestLine);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      if (context && lines.length > 0) lines.push(style.dim(`      ${style.ellipsis}`));
    } else if (before === 0 && after === 0) continue;
    else if (line.startsWith("-"))
      lines.push(
        numbered(
          before++,
          rows(`-  ${text}`, (row) => style.syntax(row, "removed")),
        ),
      );
    else if (line.startsWith("+"))
      lines.push(
        numbered(
          after++,
          rows(`+  ${text}`, (row) => style.syntax(row, "added")),
        ),
      );
    else if (line.startsWith(" ")) {
      if (context) lines.push(numbered(after, rows(`   ${text}`)));
      before++;
      after++;
    }
  }
  return lines;
}

/** The column of a line's text, behind its number and sign. */
const textColumn = 14;
const numberColumns = 11;

/** Whether the text is a unified diff. */
export function isDiff(text: string): boolean {
  return text.startsWith("--- ") && /^@@ -\d+/m.test(text.slice(0, 2_000));
}

const longestLine = 2_000;

// The report of an agent as its reader sees it: as the model's text is, and no more than its first lines at first.
import { createBlockReader } from "../markdown/block-reader.ts";
import { renderBlock } from "../markdown/render.ts";
import type { Style } from "../style.ts";
import { watchKey } from "./agents-view.ts";

const firstLines = 3;
const indent = " ".repeat(9);

type Look = { style: Style; width: number };

/** The whole report. */
export function reportLines(report: string, { style, width }: Look): string[] {
  const reader = createBlockReader();
  const blocks = [...reader.feed(report.trim(), Number.POSITIVE_INFINITY), ...reader.end()];
  const look = { style, width: Math.max(20, width - indent.length), highlight: undefined };
  return blocks.flatMap((block) => renderBlock(block, look)).map((line) => (line === "" ? "" : indent + line));
}

/** The beginning of it, how much is left, and the key for that. `leaving`: no key of this screen works any more. */
export function reportBeginning(report: string, { leaving, ...look }: Look & { leaving: boolean }): string[] {
  const lines = reportLines(report, look);
  if (lines.length <= firstLines + 1) return lines;
  const more = `${indent}${look.style.ellipsis} ${lines.length - firstLines} more lines (${watchKey.name}${leaving ? ", once resumed" : ""})`;
  return [...lines.slice(0, firstLines), look.style.dim(more)];
}

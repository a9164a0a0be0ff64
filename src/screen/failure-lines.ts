// The end of what a failed command printed, below its call: why it failed mostly stands there.
import type { AgentEvent } from "../agent/events.ts";
import { clamp } from "./line-widths.ts";
import type { Style } from "./style.ts";
import { detailKey } from "./terminal/call-details.ts";
import { beginning, visibleLine } from "./visible-text.ts";

/** The last lines with the sandbox's own word among them, the others on one row each, with the line break before it; empty for any other call. */
export function failureLines({ name, isError, summary, text }: Extract<AgentEvent, { type: "tool_ended" }>, style: Style, columns: number) {
  if (name !== "Bash" || !isError || toldOtherwise.has(summary)) return "";
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !nothingNew.test(line));
  const word = lines.findLast((line) => sandboxWord.test(line));
  // A test run is told by its counts and the name of what failed: what it ends with says nothing more.
  const last = testRun.test(summary) ? [] : lines.slice(-mostLines);
  const shown = word === undefined || last.includes(word) ? last : [word, ...last.slice(1)];
  const hidden = lines.length - shown.length;
  const more = hidden > 0 ? [`${style.ellipsis} ${hidden} more line${hidden === 1 ? "" : "s"}: ${detailKey.name}`] : [];
  const width = Math.max(16, Math.min(columns, widest) - indent.length);
  const fitted = (line: string) => (line === word ? line : clamp(line, width));
  const row = (line: string) => `\n${indent}${style.dim(fitted(visibleLine(beginning(line, longestLine))))}`;
  return [...shown, ...more].map(row).join("");
}

const mostLines = 3;
const indent = " ".repeat(6);
/** Text is not read wider than this. */
const widest = 100;
const longestLine = 2_000;

const testRun = /^✗ \d+ (of \d+ )?failed/;

/** What has its reason below already, or was the person's own doing. */
const toldOtherwise = new Set(["denied", "refused", "failed", "bad input", "interrupted", "not run"]);
/** The summary says it, or nothing is to say. */
const nothingNew = /^\[(exit \d+|ended by \S+)\]$|^\(no output\)$/;
const sandboxWord = /^\[(in the sandbox |the sandbox cannot )/;

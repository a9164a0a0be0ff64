// The last output lines of a command below its call: of a failed one because they usually give the reason, of another one as many as the person wants.

import type { AgentEvent } from "../../agent/events.ts";
import { plural } from "../../wording/figures.ts";
import { clamp, widestText } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { beginning, visibleLine } from "../visible-text.ts";
import { detailKey } from "./call-details.ts";

/** `ofSuccess`: how many lines of a successful command. */
type Look = { style: Style; columns: number; ofSuccess: number };

/** The last lines, each on one row, with the sandbox's own message in full and a line break before them; empty for any other call. */
export function outputLines(call: Extract<AgentEvent, { type: "tool_ended" }>, { style, columns, ofSuccess }: Look): string {
  const { name, isError, summary, text } = call;
  if (name !== "Bash" || toldOtherwise.has(summary) || summary.startsWith(inBackground)) return "";
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !nothingNew.test(line));
  const word = isError ? lines.findLast((line) => sandboxWord.test(line)) : undefined;
  const most = isError ? mostOfFailure : ofSuccess;
  // A test run is summarized by its counts and the name of the failed test; its last lines add nothing.
  const last = most === 0 || testRun.test(summary) ? [] : lines.slice(-most);
  const shown = word === undefined || last.includes(word) ? last : [word, ...last.slice(1)];
  const hidden = lines.length - shown.length;
  const more = hidden > 0 && (isError || shown.length > 0) ? [`${style.ellipsis} ${plural(hidden, "more line")}: ${detailKey.name}`] : [];
  const width = Math.max(16, Math.min(columns, widestText) - indent.length);
  const fitted = (line: string) => (line === word ? line : clamp(line, width));
  const row = (line: string) => `\n${indent}${style.dim(fitted(visibleLine(beginning(line, longestLine))))}`;
  return [...shown, ...more].map(row).join("");
}

const mostOfFailure = 3;
const indent = " ".repeat(6);
const longestLine = 2_000;
/** Its result is for the model: what goes on there has its own row. */
const inBackground = "in the background as ";

const testRun = /^(✗ \d+ (of \d+ )?failed|✓ \d+ passed)/;

/** These have their reason elsewhere, or the person caused them. */
const toldOtherwise = new Set(["denied", "refused", "failed", "bad input", "interrupted", "not run"]);
/** Lines that only repeat the summary, or say nothing. */
const nothingNew = /^\[(exit \d+|ended by \S+)\]$|^\(no output\)$/;
const sandboxWord = /^\[(in the sandbox |the sandbox cannot )/;

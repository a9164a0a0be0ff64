// Measures lines that contain our own colours, and fits them to a width.
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { beginning } from "./visible-text.ts";

/** Measuring a very long line is slow, so each line is first cut to a few thousand characters. */
const longestLine = 4_000;

/** The greatest width of text, even on a wider terminal, so that it stays readable. */
export const widestText = 100;

/** Wraps each line at `width` columns; a very long one is wrapped in pieces. Continuation lines are indented by `hang` columns. */
export function wrap(text: string, width: number, hang = 0): string {
  return text
    .split("\n")
    .flatMap((line) => (columnsOf(line.slice(0, longestLine)) <= width ? [line] : wrapLine(line.replace(beforeFigure, glued), width, hang)))
    .join("\n")
    .replaceAll(glue, " ");
}

/** Stands for a blank at which no line breaks: a noncharacter of Unicode, so that no sensible text contains it. */
const glue = "\ufdd0";
const glued = (blanks: string) => blanks.replaceAll(" ", glue);

function wrapLine(line: string, width: number, hang: number): string[] {
  const room = width - hang;
  if (hang === 0 || room < 20) return pieces(line).flatMap((piece) => wrapTextWithAnsi(piece, width));
  const first = firstRow(beginning(line, longestLine), width);
  const following = pieces(restAfter(first, line)).flatMap((piece) => wrapTextWithAnsi(piece, room));
  return [first, ...following.map((text) => `${" ".repeat(hang)}${text}`)];
}

/** The beginning of a long word stays on the row of its indent instead of moving to the next row. */
function firstRow(line: string, width: number): string {
  const [all = "", codes = "", indent = ""] = leading.exec(line) ?? [];
  const inside = width - indent.length;
  if (inside < 10) return wrapTextWithAnsi(line, width)[0] ?? "";
  return `${indent}${wrapTextWithAnsi(codes + line.slice(all.length), inside)[0] ?? ""}`;
}

/** The rest of a line after its first row, in its colours. A broken word continues without a blank. */
function restAfter(row: string, line: string): string {
  const shown = row.replaceAll(colours, "").trimEnd().length;
  let active = "";
  let at = 0;
  for (let seen = 0; seen < shown || line.startsWith(`${esc}[`, at); ) {
    const [code] = line.startsWith(`${esc}[`, at) ? (/^.\[[\d;]*m/.exec(line.slice(at, at + 32)) ?? []) : [];
    if (code === undefined) seen++;
    else active = code === `${esc}[0m` ? "" : active + code;
    at += code?.length ?? 1;
    if (at >= line.length) return "";
  }
  return active + line.slice(at).replace(/^ +/, "");
}

/** A `clamp` that caches: most lines are the same in each frame, and measuring them is the main cost of drawing. */
export function clamper(): (lines: string[], width: number) => string[] {
  let known = new Map<string, string>();
  let knownWidth = 0;
  return (lines, width) => {
    const before = knownWidth === width ? known : new Map<string, string>();
    known = new Map(lines.map((line) => [line, before.get(line) ?? clamp(line, width)]));
    knownWidth = width;
    return lines.map((line) => known.get(line) ?? "");
  };
}

const esc = "\u001b";
const colours = new RegExp(`${esc}\\[[\\d;]*m`, "g");
/** One-column characters, which make up most of every frame. */
const narrow = /^[\x20-\x7e─│…•→▶✓✗█░]*$/;

/** The blanks before a duration or a count of changed lines, which say nothing on a row of their own. */
const beforeFigure = new RegExp(
  `(?<=\\S)(?:${esc}\\[[\\d;]*m)* {1,2}(?=(?:[+−]\\d+|\\d[\\d.]*(?:s|m\\d+s|h\\d+m))(?:${esc}|[\\s)]|$))`,
  "g",
);

const leading = new RegExp(`^((?:${esc}\\[[\\d;]*m)*)( *)`);

/** The columns of a line, ignoring colours. */
export function columnsOf(line: string): number {
  const bare = line.includes(esc) ? line.replaceAll(colours, "") : line;
  return narrow.test(bare) ? bare.length : visibleWidth(line);
}

/** Cuts a line to `width` columns, with an ellipsis. A line without colours gets none, because it may not go to a terminal. */
export function clamp(line: string, width: number): string {
  if (line.length <= longestLine && columnsOf(line) <= width) return line;
  const cut = truncateToWidth(beginning(line, longestLine), width, "…");
  return line.includes(esc) ? cut : cut.replaceAll(colours, "");
}

/** Breaks a line without colours wherever a row is full, as code has no words to break at: the first row, and then those that follow. */
export function filledRows(line: string, [first, following]: readonly [number, number]): string[] {
  const rows: string[] = [];
  for (let rest = line, room = first; rest !== "" || rows.length === 0; room = following) {
    const row = columnsOf(rest) <= room ? rest : truncateToWidth(rest, Math.max(leastRow, room), "").replaceAll(colours, "");
    rows.push(row);
    rest = rest.slice(Math.max(1, row.length));
  }
  return rows;
}

const leastRow = 16;

/** The first of these forms of a line that fits, the longest first; if none does, the last one, cut. */
export function firstFitting(forms: readonly string[], width: number): string {
  return clamp(forms.find((line) => columnsOf(line) <= width) ?? forms.at(-1) ?? "", width);
}

function pieces(line: string): string[] {
  const found: string[] = [];
  for (let rest = line; rest !== ""; rest = rest.slice(found.at(-1)?.length)) found.push(beginning(rest, longestLine));
  return found;
}

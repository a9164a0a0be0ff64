// Lines with our own colours in them, measured and made to fit a width.
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { beginning } from "./visible-text.ts";

/** Width calls are slow on monstrous lines, so each line is cut to a few thousand characters before any of them. */
const longestLine = 4_000;

/** Wraps each line at `width` columns; a very long one is wrapped in pieces. What follows a break is indented by `hang` columns. */
export function wrap(text: string, width: number, hang = 0): string {
  return text
    .split("\n")
    .flatMap((line) => (visibleWidth(line.slice(0, longestLine)) <= width ? [line] : wrapLine(line, width, hang)))
    .join("\n");
}

function wrapLine(line: string, width: number, hang: number): string[] {
  const room = width - hang;
  if (hang === 0 || room < 20) return pieces(line).flatMap((piece) => wrapTextWithAnsi(piece, width));
  const first = firstRow(beginning(line, longestLine), width);
  const following = pieces(restAfter(first, line)).flatMap((piece) => wrapTextWithAnsi(piece, room));
  return [first, ...following.map((text) => `${" ".repeat(hang)}${text}`)];
}

/** Of a long word behind an indent the beginning stands there, and not on a row of its own. */
function firstRow(line: string, width: number): string {
  const [all = "", codes = "", indent = ""] = leading.exec(line) ?? [];
  const inside = width - indent.length;
  if (inside < 10) return wrapTextWithAnsi(line, width)[0] ?? "";
  return `${indent}${wrapTextWithAnsi(codes + line.slice(all.length), inside)[0] ?? ""}`;
}

/** What of a line comes after its first row, in the colours it has there. A word that was broken continues without a blank. */
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

/** Cuts lines again and again; most of them are the same as the time before, and measuring is what drawing costs. */
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
/** Signs of one column each, our own among them: what is drawn with every frame is made of these. */
const narrow = /^[\x20-\x7e─│…•→▶✓✗█░]*$/;

const leading = new RegExp(`^((?:${esc}\\[[\\d;]*m)*)( *)`);

/** How many columns a line takes, colours aside. */
export function columnsOf(line: string): number {
  const bare = line.includes(esc) ? line.replaceAll(colours, "") : line;
  return narrow.test(bare) ? bare.length : visibleWidth(line);
}

/** Cuts a line to `width` columns, with an ellipsis. One without colours stays so: it may not go to a terminal. */
export function clamp(line: string, width: number): string {
  if (line.length <= longestLine && columnsOf(line) <= width) return line;
  const cut = truncateToWidth(beginning(line, longestLine), width, "…");
  return line.includes(esc) ? cut : cut.replaceAll(colours, "");
}

function pieces(line: string): string[] {
  const found: string[] = [];
  for (let rest = line; rest !== ""; rest = rest.slice(found.at(-1)?.length)) found.push(beginning(rest, longestLine));
  return found;
}

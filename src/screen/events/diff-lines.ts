// A unified diff for a person, before the answer to a question as after it: numbered lines, the words that changed underlined, the colours of the
// language, and no header.
import { extname } from "node:path";
import { filledRows } from "../line-widths.ts";
import type { Highlight, Piece } from "../markdown/render.ts";
import type { Style } from "../style.ts";
import { beginning, visibleLine } from "../visible-text.ts";
import { changedWords, type Range } from "./changed-words.ts";

/** `context`: include the lines around the changes. `spell`: makes a line harmless; by default as prose, without the CR at its end. */
export type DiffLook = {
  style: Style;
  columns: number;
  context: boolean;
  highlight?: Highlight | undefined;
  spell?: (line: string) => string;
};

type TextLine = { sign: "-" | "+" | " "; number: number; text: string; changed: Range[] };
type Line = TextLine | { sign: "gap" } | { sign: "note"; text: string };

/** Its lines; one that is wider than the columns contains line breaks. */
export function diffLines(diff: string, look: DiffLook): string[] {
  const path = /^\+\+\+ ([^\t\n]*)/m.exec(diff)?.[1] ?? "";
  return diffRows(diff.split("\n"), { ...look, path }).map((rows) => rows.join("\n"));
}

/** The same for the lines of hunks of this file: the rows of each line. */
export function diffRows(hunks: string[], look: DiffLook & { path: string }): string[][] {
  const { style, context, highlight, path, spell = asProse } = look;
  const lines = withChangedWords(parsed(hunks, spell));
  const language = extname(path).slice(1);
  const coloured = style.colour && language !== "" ? highlight : undefined;
  const sides = { before: piecesOf(lines, "-", { coloured, language }), after: piecesOf(lines, "+", { coloured, language }) };
  return lines.flatMap((line, index) => {
    if (line.sign === "gap") return context && index > 0 ? [[style.dim(`      ${style.ellipsis}`)]] : [];
    if (line.sign === "note") return context ? [[style.dim(`${" ".repeat(numberColumns)}${line.text}`)]] : [];
    if (line.sign === " " && !context) return [];
    return [rowsOf(line, (line.sign === "-" ? sides.before : sides.after).get(line), look)];
  });
}

/** The columns of a line's number, and of what stands before its text: the number and the sign. */
const numberColumns = 11;
const textColumn = 14;

/** Whether the text is a unified diff. */
export function isDiff(text: string): boolean {
  return text.startsWith("--- ") && /^@@ -\d+/m.test(text.slice(0, 2_000));
}

const longestLine = 2_000;

const asProse = (line: string) => visibleLine(line.replace(/\r$/, ""));

function parsed(hunks: string[], spell: (line: string) => string): Line[] {
  const lines: Line[] = [];
  let [before, after] = [0, 0];
  for (const line of hunks) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    const text = beginning(spell(line.slice(1)), longestLine);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      lines.push({ sign: "gap" });
    } else if (lines.length === 0)
      continue; // the header
    else if (line.startsWith("-")) lines.push({ sign: "-", number: before++, text, changed: [] });
    else if (line.startsWith("+")) lines.push({ sign: "+", number: after++, text, changed: [] });
    else if (line.startsWith(" ")) {
      lines.push({ sign: " ", number: after++, text, changed: [] });
      before++;
    } else if (line.startsWith("\\")) lines.push({ sign: "note", text: text.trim() });
  }
  return lines;
}

/** Compares each removed line with the added one that takes its place. */
function withChangedWords(lines: Line[]): Line[] {
  const all = [...lines];
  for (let at = 0; at < all.length; ) {
    const removed = runOf(all, at, "-");
    const added = runOf(all, at + removed, "+");
    for (let pair = 0; pair < Math.min(removed, added); pair++) {
      const [old, next] = [all[at + pair] as TextLine, all[at + removed + pair] as TextLine];
      const [gone, come] = changedWords(old.text, next.text);
      all[at + pair] = { ...old, changed: gone };
      all[at + removed + pair] = { ...next, changed: come };
    }
    at += Math.max(1, removed + added);
  }
  return all;
}

function runOf(lines: Line[], from: number, sign: "-" | "+"): number {
  const end = lines.findIndex((line, index) => index >= from && line.sign !== sign);
  return (end < 0 ? lines.length : end) - from;
}

type Colouring = { coloured: Highlight | undefined; language: string };

/** The pieces of one side's lines, those around them included. */
function piecesOf(lines: Line[], sign: "-" | "+", { coloured, language }: Colouring): Map<Line, Piece[]> {
  const side = lines.filter((line): line is TextLine => line.sign === sign || line.sign === " ");
  const pieces = coloured?.(
    side.map(({ text }) => text),
    language,
  );
  return new Map(pieces ? side.map((line, index) => [line, pieces[index] ?? []]) : []);
}

/** Rows are filled, as code has no words to break at. */
function rowsOf(line: TextLine, pieces: Piece[] = [{ text: line.text, kind: undefined }], { style, columns }: DiffLook): string[] {
  const { sign, text, number } = line;
  const kind = sign === " " ? undefined : sign === "-" ? "removed" : "added";
  const begin = `${sign}  `;
  const isPlain = pieces.every((piece) => piece.kind === undefined);
  const whole: Piece[] = isPlain ? [{ text: begin + text, kind }] : [{ text: begin, kind }, ...pieces];
  const changed = line.changed.map(([from, to]): Range => [from + begin.length, to + begin.length]);
  const numbered = `${style.dim(String(number).padStart(8))}   `;
  let end = 0;
  return filledRows(begin + text, [columns - numberColumns, columns - textColumn]).map((row, index) => {
    const shown = painted(whole, { from: end, to: end + row.length, changed, style });
    end += row.length;
    return `${index === 0 ? numbered : " ".repeat(textColumn)}${shown}`;
  });
}

type Part = { from: number; to: number; changed: Range[]; style: Style };

/** A part of the pieces, divided where a change begins or ends. */
function painted(pieces: Piece[], { from, to, changed, style }: Part): string {
  let end = 0;
  return pieces
    .flatMap(({ text, kind }) => {
      const start = end;
      end += text.length;
      const [first, last] = [Math.max(start, from), Math.min(end, to)];
      if (first >= last) return [];
      const bounds = [first, ...changed.flat().filter((edge) => edge > first && edge < last), last];
      return bounds.slice(1).map((until, index) => {
        const begin = bounds[index]!;
        const shown = text.slice(begin - start, until - start);
        const coloured = kind ? style.syntax(shown, kind) : shown;
        return changed.some(([least, most]) => begin >= least && until <= most) ? style.underline(coloured) : coloured;
      });
    })
    .join("");
}

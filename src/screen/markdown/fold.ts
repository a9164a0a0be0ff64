// Folds spans of text to a width: words stay whole if they fit, and each line has its own colours.
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { columnsOf } from "../line-widths.ts";
import type { Emphasis, Span } from "./inline.ts";

export type Fold = {
  width: number;
  /** The prefixes of the first line and of the others; plain text with one column a character. */
  first: string;
  hang: string;
  paint: (text: string, as: readonly Emphasis[]) => string;
};

type Word = { text: string; as: readonly Emphasis[]; width: number };

/** A line break in a span is kept. */
export function foldSpans(spans: Span[], fold: Fold): string[] {
  const lines: string[] = [];
  let line: Word[] = [];
  let used = 0;
  const room = () => Math.max(1, fold.width - (lines.length === 0 ? fold.first : fold.hang).length);
  const finish = () => {
    lines.push(`${lines.length === 0 ? fold.first : fold.hang}${painted(line, fold.paint)}`.trimEnd());
    line = [];
    used = 0;
  };
  const put = (words: Word[]) => {
    line.push(...words);
    used += widthOf(words);
  };
  for (const atom of atoms(spans)) {
    if (atom === "\n") finish();
    else if (isBlank(atom)) {
      if (used > 0 || lines.length === 0) put(atom);
    } else {
      if (used > 0 && used + widthOf(atom) > room()) finish();
      for (const part of widthOf(atom) > room() ? cut(atom, room()) : [atom]) {
        if (used > 0 && used + widthOf(part) > room()) finish();
        put(part);
      }
    }
  }
  if (line.length > 0 || lines.length === 0) finish();
  return lines;
}

const plain = /^[\x20-\x7e]*$/;

/** The units that are not split: a word, even with several colours; blanks; a character of a script without blanks. */
const parts =
  /\n| +|[\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60]|[^\s\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60]+|\s/g;
const alone = /^[\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\s]/;

function* atoms(spans: Span[]): Generator<"\n" | Word[]> {
  let word: Word[] = [];
  for (const { text, as } of spans) {
    for (const [part] of text.matchAll(parts)) {
      const piece = { text: part, as, width: columnsOf(part) };
      if (!alone.test(part)) {
        word.push(piece);
        continue;
      }
      if (word.length > 0) yield word;
      word = [];
      yield part === "\n" ? part : [piece];
    }
  }
  if (word.length > 0) yield word;
}

function isBlank(atom: Word[]): boolean {
  return atom.length === 1 && atom[0]?.text.trim() === "";
}

function widthOf(words: Word[]): number {
  return words.reduce((sum, { width }) => sum + width, 0);
}

/** Texts are measured in pieces of this length, because measuring very long texts is slow. */
const mostMeasured = 500;

/** Splits a word that is wider than a line. */
function cut(atom: Word[], room: number): Word[][] {
  return atom.flatMap(({ text, as }) => {
    const chunks = text.match(new RegExp(`.{1,${mostMeasured}}`, "gsu")) ?? [];
    const pieces = chunks.flatMap((chunk) => (plain.test(chunk) ? cutPlain(chunk, room) : wrapTextWithAnsi(chunk, room)));
    return pieces.map((piece) => [{ text: piece, as, width: columnsOf(piece) }]);
  });
}

function cutPlain(text: string, room: number): string[] {
  return Array.from({ length: Math.ceil(text.length / room) }, (_, index) => text.slice(index * room, (index + 1) * room));
}

/** Paints neighbours of the same kind together. Blanks at the end of a line are not painted. */
function painted(line: Word[], paint: Fold["paint"]): string {
  let end = line.length;
  while (end > 0 && line[end - 1]?.text.trim() === "") end--;
  const runs: { text: string; as: readonly Emphasis[] }[] = [];
  for (const { text, as } of line.slice(0, end)) {
    const last = runs.at(-1);
    if (last && last.as.join() === as.join()) last.text += text;
    else runs.push({ text, as });
  }
  return runs.map(({ text, as }) => (as.length > 0 ? paint(text, as) : text)).join("");
}

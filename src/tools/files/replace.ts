// The core of Edit: replaces one text by another. It works on bytes, so that everything else stays unchanged: a byte order mark, CRLF line
// ends, a missing final newline, bytes that are not UTF-8.
import { plural } from "../../wording/figures.ts";
import { linesOf } from "./lines.ts";

/** `placeholders`: texts in the bytes that count as one character each, in order, with repetitions. */
export type Wanted = { old: string; new: string; all: boolean; placeholders?: string[] };

export type Replacement =
  | { ok: true; bytes: Buffer; places: number; first: LineRange }
  /** The continuation of a sentence. */
  | { ok: false; reason: string };

/** Lines of the result that the first change covers, counting from 1. */
type LineRange = { from: number; to: number };

/** `old` may use LF if the file uses CRLF; new text gets the line ends of its place. */
export function replaceText(bytes: Buffer, wanted: Wanted): Replacement {
  const raw = bytes.toString("latin1");
  const flat = raw.replaceAll("\r\n", "\n");
  const [old, fresh] = [flattened(wanted.old), flattened(wanted.new)];
  if (old === "") return { ok: false, reason: "old_string is empty. Use Write for a whole file" };
  if (old === fresh) return { ok: false, reason: "old_string and new_string are the same" };
  const starts = occurrences(flat, old, insidesOf(flat, wanted.placeholders ?? []));
  if (starts.length === 0) return { ok: false, reason: flat.includes(old) ? onlyPieces : notFound(bytes, wanted.old) };
  if (starts.length > 1 && !wanted.all) {
    const lines = starts.slice(0, 5).map((start) => lineAt(flat, start));
    const more = starts.length > lines.length ? " and more" : "";
    return {
      ok: false,
      reason: `old_string occurs ${starts.length} times (lines ${lines.join(", ")}${more}). Give more of the text around it, or set replace_all`,
    };
  }
  const firstLine = lineAt(flat, starts[0]!);
  return {
    ok: true,
    bytes: Buffer.from(splice(raw, flat, { starts, old, fresh }), "latin1"),
    places: starts.length,
    first: { from: firstLine, to: firstLine + linesOf(fresh).length - 1 },
  };
}

type Splice = { starts: number[]; old: string; fresh: string };

/** One character per byte of its UTF-8 form, like the file. */
function flattened(text: string): string {
  return Buffer.from(text.replaceAll("\r\n", "\n"), "utf8").toString("latin1");
}

/** Where the part occurs without beginning or ending inside a placeholder. */
function occurrences(text: string, part: string, insides: ReadonlySet<number>): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(part); at !== -1; ) {
    const whole = !insides.has(at) && !insides.has(at + part.length);
    if (whole) starts.push(at);
    at = text.indexOf(part, whole ? at + part.length : at + 1);
  }
  return starts;
}

/** All indexes between two characters of one placeholder. */
function insidesOf(text: string, placeholders: string[]): Set<number> {
  const insides = new Set<number>();
  let end = 0;
  for (const placeholder of placeholders) {
    const start = text.indexOf(placeholder, end);
    end = start + placeholder.length;
    for (let at = start + 1; at < end; at++) insides.add(at);
  }
  return insides;
}

const onlyPieces =
  "old_string occurs only as a part of placeholders, each of which replaces a secret and cannot be split. Give the whole placeholder, or only text around it";

function splice(raw: string, flat: string, { starts, old, fresh }: Splice): string {
  const rawIndex = rawIndexes(raw);
  const pieces: string[] = [];
  let copied = 0;
  for (const start of starts) {
    const [from, to] = [rawIndex(start), rawIndex(start + old.length)];
    const place = raw.slice(from, to);
    const crlf = place.includes("\n") ? place.includes("\r\n") : raw.length > flat.length;
    pieces.push(raw.slice(copied, from), crlf ? fresh.replaceAll("\n", "\r\n") : fresh);
    copied = to;
  }
  return pieces.join("") + raw.slice(copied);
}

/** Maps an index in the text with LF to one in the raw text. Must be called in ascending order. */
function rawIndexes(raw: string): (flatIndex: number) => number {
  let shift = 0;
  let next = raw.indexOf("\r\n");
  return (flatIndex) => {
    while (next !== -1 && next - shift < flatIndex) {
      shift++;
      next = raw.indexOf("\r\n", next + 2);
    }
    return flatIndex + shift;
  };
}

const lineAt = (text: string, index: number) => text.slice(0, index).split("\n").length;

/** Models most often miss by indentation: say where the text is, ignoring that. */
function notFound(bytes: Buffer, old: string): string {
  if (old.includes("\uFFFD"))
    return "old_string was not found in it: \uFFFD stands for bytes that are not UTF-8. Give only text around them";
  const unnumbered = linesOf(old).map((line) => /^\s*\d+\t(.*)$/.exec(line)?.[1]);
  const isNumbered = unnumbered.every((line) => line !== undefined);
  if (isNumbered && linesOf(bytes.toString("utf8")).join("\n").includes(unnumbered.join("\n")))
    return "old_string was not found in it: it has the line numbers that Read shows. Give the text without them";
  const bare = (text: string) => linesOf(text).map((line) => line.trim().replaceAll(/\s+/g, " "));
  const [lines, wanted] = [bare(bytes.toString("utf8")), bare(old.trim())];
  const at = lines.findIndex((_, start) => wanted.every((line, index) => lines[start + index] === line));
  if (at === -1 || wanted.every((line) => line === "")) return "old_string was not found in it. Read it again and copy the text exactly";
  return `old_string was not found in it, but ${plural(wanted.length, "line")} from line ${at + 1} on differ only in white space. Copy the text exactly`;
}

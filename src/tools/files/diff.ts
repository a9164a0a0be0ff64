// The change of a write as a unified diff for the user. The model knows what it wrote.
import { createTwoFilesPatch, structuredPatch } from "diff";
import type { Replaced } from "../tool.ts";
import { changedLines, linesOf } from "./lines.ts";

/** A larger file is not worth the time: the user sees only the counts. */
const mostCharacters = 1_000_000;
const mostChanges = 4_000;
/** Nobody waits noticeably for a question: the time grows with the square. */
const mostAsked = 1_000;
const longestDiff = 60_000;

type Texts = { before: string; after: string };

/** Undefined if it would be too large, or for binary files. */
export function unifiedDiff(path: string, { before, after }: Texts): string | undefined {
  if (before.length + after.length > mostCharacters || before.includes("\0") || after.includes("\0")) return undefined;
  const diff = createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: 3, maxEditLength: mostChanges });
  const shown = diff?.replace(/^Index: .*\n=+\n/, "");
  return shown && shown.length > longestDiff ? `${shown.slice(0, shown.lastIndexOf("\n", longestDiff))}\n` : shown;
}

/** `exact`: as git counts. Else the two texts are too different to compare, and lines that stay count too. */
export type LineCount = { added: number; removed: number; exact: boolean };

/** The lines that go and come; what both texts begin and end with is not compared. */
export function lineCount(texts: Texts): LineCount {
  const { before, after } = differingMiddle(texts);
  const isLarge = before.length + after.length > mostCharacters;
  const patch = isLarge
    ? undefined
    : structuredPatch("", "", before, after, undefined, undefined, { context: 0, maxEditLength: mostChanges });
  if (!patch) return { ...changedLines(linesOf(before), linesOf(after)), exact: false };
  const marks = patch.hunks.flatMap(({ lines }) => lines.map((line) => line[0]));
  return { added: marks.filter((mark) => mark === "+").length, removed: marks.filter((mark) => mark === "-").length, exact: true };
}

/** Whole lines, so that the middle of a large file can be compared when little of it changes. */
function differingMiddle({ before, after }: Texts): Texts {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  head = head === 0 ? 0 : before.lastIndexOf("\n", head - 1) + 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const end = before.indexOf("\n", before.length - tail);
  const kept = end === -1 ? 0 : before.length - end - 1;
  return { before: before.slice(head, before.length - kept), after: after.slice(head, after.length - kept) };
}

/** `+9 −3`, or `~ +397 −397` for an estimate. */
export function showCount({ added, removed, exact }: LineCount): string {
  return `${exact ? "" : "~ "}+${added} −${removed}`;
}

/** What would change, for the question about it, with the lines around. */
export function replacedLines(texts: Texts): Replaced {
  const { before, after } = texts;
  if (before.includes("\0")) return { note: "what it holds now is binary and is not shown" };
  const counted = showCount(lineCount(texts));
  if (before === after) return { lines: [], note: "nothing in it changes" };
  const isLarge = before.length + after.length > mostCharacters;
  const patch = isLarge
    ? undefined
    : structuredPatch("", "", before, after, undefined, undefined, { context: 3, maxEditLength: mostAsked });
  if (!patch) return { lines: differingPart(texts), counted, note: "too much to compare: lines that stay may be among these" };
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  return { lines, counted };
}

/** Everything between the common beginning and the common end. */
function differingPart({ before, after }: Texts): string[] {
  const [old, next] = [before.split("\n"), after.split("\n")];
  const { removed, added } = changedLines(old, next);
  const first = old.findIndex((line, index) => line !== next[index]);
  const from = first === -1 ? old.length : first;
  return [...old.slice(from, from + removed).map((line) => `- ${line}`), ...next.slice(from, from + added).map((line) => `+ ${line}`)];
}

// The change of a write as a unified diff for the user. The model knows what it wrote.
import { createTwoFilesPatch } from "diff";

/** A larger file is not worth the time: the user sees only the counts. */
const mostCharacters = 1_000_000;
const mostChanges = 4_000;
const longestDiff = 60_000;

/** Undefined if it would be too large, or for binary files. */
export function unifiedDiff(path: string, { before, after }: { before: string; after: string }): string | undefined {
  if (before.length + after.length > mostCharacters || before.includes("\0") || after.includes("\0")) return undefined;
  const diff = createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: 3, maxEditLength: mostChanges });
  const shown = diff?.replace(/^Index: .*\n=+\n/, "");
  return shown && shown.length > longestDiff ? `${shown.slice(0, shown.lastIndexOf("\n", longestDiff))}\n` : shown;
}

// Verifies the results of ripgrep, which opens files by name and can be led astray by a link that is swapped in. A match counts only if the
// file, opened the guarded way, has that line.
import { setImmediate } from "node:timers/promises";
import type { Match, ReadOutcome, SearchOutcome } from "../../tools/disk.ts";

/** `read` takes paths literally. A file that is too large to read is left out, and the outcome says that something is missing. */
export async function checked(
  found: SearchOutcome,
  read: (path: string) => Promise<ReadOutcome>,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  if (found.kind !== "matches") return found;
  const matches: Match[] = [];
  let cut = found.cut;
  for (const [path, here] of byFile(found.matches)) {
    if (signal.aborted) return { ...found, matches, cut: "time" };
    await setImmediate(); // so that an interruption is handled: the reads themselves are synchronous
    const file = await read(`${found.folder === "/" ? "" : found.folder}/${path}`);
    if (file.kind === "refused" && cut === "nothing") cut = "limit";
    if (file.kind !== "file") continue;
    const lines = file.bytes.toString("utf8").split("\n");
    matches.push(...here.filter(({ line, text }) => lines[line - 1]?.includes(text.replaceAll(/^…|…$/g, ""))));
  }
  return { ...found, matches, cut };
}

function byFile(matches: Match[]): Map<string, Match[]> {
  const files = new Map<string, Match[]>();
  for (const match of matches) {
    const here = files.get(match.path);
    if (here) here.push(match);
    else files.set(match.path, [match]);
  }
  return files;
}

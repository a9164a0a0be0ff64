// Which lines of the common base each of several commits changes: two that change a file at places apart cannot be in conflict there, and need no merge
// to be known.
import type { OwnGit } from "../own-git.ts";
import { said } from "./objects.ts";

/** The first changed line of the base, and the first one after the change. */
type Range = readonly [number, number];
/** By path; a file of which git shows no lines, or that is not there on both sides, is missing. */
type Lines = Map<string, Range[]>;

/** So many can be named on a command line; with more, nothing is known of any. */
const mostPaths = 500;

/** In these files, by tip. One process of git, which compares as its own merges do. */
export async function changedLines(
  { git, root }: { git: OwnGit; root: string },
  { tips, paths }: { tips: { tip: string; base: string }[]; paths: string[] },
): Promise<Map<string, Lines>> {
  if (tips.length === 0 || paths.length > mostPaths) return new Map();
  const how = ["--unified=0", "--diff-algorithm=histogram", "--no-indent-heuristic", "--no-renames", "--diff-filter=M"];
  const plain = ["--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/"];
  const input = tips.map(({ tip, base }) => `${tip} ${base}\n`).join("");
  const named = paths.map((path) => `:(top,literal)${path}`);
  const { stdout } = await said(git, root, ["diff-tree", "--stdin", "--always", "-r", ...how, ...plain, "--", ...named], input);
  return readRanges(stdout);
}

/** A line of content begins with `+`, `-`, a space or `\\`, so that none is taken for a heading. */
function readRanges(text: string): Map<string, Lines> {
  const all = new Map<string, Lines>();
  let lines: Lines = new Map();
  let ranges: Range[] | undefined;
  let left = 0;
  for (const line of text.split("\n")) {
    if (left > 0) {
      left -= line.startsWith("\\") ? 0 : 1;
      continue;
    }
    const [, from, count = "1", after = "1"] = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
    if (/^[0-9a-f]{40,64}$/.test(line)) {
      lines = new Map();
      all.set(line, lines);
    } else if (line.startsWith("diff --git ")) ranges = undefined;
    else if (line.startsWith("--- a/") && !line.endsWith("\t")) {
      ranges = [];
      lines.set(line.slice("--- a/".length), ranges);
    } else if (from !== undefined && ranges) {
      const begin = Number(from) + (count === "0" ? 1 : 0); // an insertion stands behind the line that is named
      ranges.push([begin, begin + Number(count)]);
      left = Number(count) + Number(after);
    }
  }
  return all;
}

/** So many unchanged lines between them are enough for a merge to keep both. */
const leastBetween = 3;

export function areApart(ones: Range[] | undefined, others: Range[] | undefined): boolean {
  if (!ones || !others || ones.length === 0 || others.length === 0) return false;
  return ones.every((one) => others.every((other) => one[1] + leastBetween <= other[0] || other[1] + leastBetween <= one[0]));
}

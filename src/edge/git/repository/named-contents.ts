// Whether words of a command name what no look through the history has seen: contents by their id, or by a tag of it, which git prints without their
// path; and commits that nothing leads to, as a fetch of a single reference leaves them.
import { git } from "../own-git.ts";

/** True as well if git does not say. Paths, and words that name nothing, are none. */
export async function namesContents(folder: string, words: readonly string[]): Promise<boolean> {
  const revisions = [...new Set(words.flatMap(revisionsIn))].filter((word) => word !== "" && !usual.test(word));
  if (revisions.length === 0) return false;
  if (revisions.some((word) => word.includes("\n"))) return true;
  const input = revisions.map((word) => `${word}^{}\n`).join("");
  const { code, stdout } = await git(folder, ["cat-file", "--batch-check=%(objecttype) %(objectname)"], { input });
  if (code !== 0) return code !== notFound;
  const found = stdout
    .toString("utf8")
    .split("\n")
    .map((line) => line.split(" "));
  if (found.some(([type]) => type === "blob" || type === "tree")) return true;
  const commits = found.flatMap(([type, id = ""]) => (type === "commit" ? id : []));
  if (commits.length === 0) return false;
  const unseen = await git(folder, ["rev-list", "--max-count=1", ...new Set(commits), "--not", "--all", "--reflog"]);
  return unseen.code !== 0 || unseen.stdout.length > 0;
}

/** git's exit code where there is no repository. */
const notFound = 128;

/** gitrevisions(7): the commit of `HEAD:path`, both of `a..b`, and without what is taken of it. What begins with a colon is a path. */
const revisionsIn = (word: string): string[] =>
  word.startsWith("-") || word.startsWith(":")
    ? []
    : word.split(/\.{2,3}/).map((part) =>
        part
          .replace(/:.*$/s, "")
          .replace(/^\^+/, "")
          .replace(/\^(?:[@!]|-\d*)$/, ""),
      );

const usual = /^(?:HEAD|@)(?:[~^]\d*)*$/;

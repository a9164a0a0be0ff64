// Whether words of a command are names of contents themselves. git prints a file or a folder that is named by its id, or by a tag of it, without
// its path, which no rule about files can know then.
import { git } from "../own-git.ts";

/** True as well if git does not say. Paths, and words that name nothing, are none. */
export async function namesContents(folder: string, words: readonly string[]): Promise<boolean> {
  const revisions = [...new Set(words.flatMap(revisionsIn))].filter((word) => word !== "" && !usual.test(word));
  if (revisions.length === 0) return false;
  if (revisions.some((word) => word.includes("\n"))) return true;
  const input = revisions.map((word) => `${word}^{}\n`).join("");
  const { code, stdout } = await git(folder, ["cat-file", "--batch-check=%(objecttype)"], { input });
  const types = stdout.toString("utf8").split("\n");
  return code === 0 ? types.some((type) => type === "blob" || type === "tree") : code !== notFound;
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

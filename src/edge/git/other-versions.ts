// Revisions in which a hidden file is another one than in the index: git in the sandbox cannot bring such a file to the disk.
import { join } from "node:path";
import type { OtherVersion } from "../../permissions/paths/hidden-history.ts";
import { git } from "./repository-files.ts";

/** More words of a command than these are not asked about, and more paths than these are all compared. */
const mostWords = 20;
const mostPaths = 500;

/**
 * `hidden`: paths below `top`, as bytes in latin1, of folders with a slash at the end. Of `revisions` any may be none. Paths that are
 * found are absolute.
 */
export async function otherVersions({ top, hidden }: { top: string; hidden: string[] }, revisions: string[]): Promise<OtherVersion[]> {
  const asked = revisions.filter((word) => !word.startsWith("-") && /^[\w./@{}^~+-]+$/.test(word)).slice(0, mostWords);
  // one by one: `cat-file --batch-check` ends at a word such as @{upstream} where there is none
  const answers = await Promise.all(asked.map((word) => git(top, ["rev-parse", "--quiet", "--verify", `${word}^{commit}`])));
  const isIn = placed(hidden);
  const paths = hidden.length > mostPaths || hidden.some((path) => /[^ -~]/.test(path)) ? [] : hidden;
  const found: OtherVersion[] = [];
  const placeOf = (path: string) => join(top, Buffer.from(path, "latin1").toString("utf8"));
  for (const [at, revision] of asked.entries()) {
    const commit = answers[at]!.stdout.toString("utf8").trim();
    if (commit === "") continue;
    const names = async (args: string[]) => {
      const listed = await git(top, [
        "-c",
        "protocol.allow=never",
        "--literal-pathspecs",
        ...args,
        "--name-only",
        "--no-renames",
        "-z",
        commit,
        "--",
        ...paths,
      ]);
      return listed.stdout
        .toString("latin1")
        .split("\0")
        .find((path) => path !== "" && isIn(path));
    };
    const [whole, change] = [await names(["diff-index", "--cached"]), await names(["diff-tree", "-r", "--no-commit-id"])];
    if (whole !== undefined) found.push({ revision, path: placeOf(whole), in: "whole" });
    if (change !== undefined) found.push({ revision, path: placeOf(change), in: "change" });
  }
  return found;
}

function placed(hidden: string[]): (path: string) => boolean {
  const files = new Set(hidden);
  const folders = hidden.filter((path) => path.endsWith("/"));
  return (path) => files.has(path) || folders.some((folder) => path.startsWith(folder));
}

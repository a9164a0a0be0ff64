// Finds revisions with a different version of a hidden file than the index: git in the sandbox cannot write such a file to the disk.
import { join } from "node:path";
import type { OtherVersion } from "../../permissions/paths/hidden-history.ts";
import { git } from "./own-git.ts";

/** Limits: further words of a command are not checked, and with more paths all are compared. */
const mostWords = 20;
const mostPaths = 500;

/**
 * `hidden`: paths below `top`, as bytes in latin1; folders end in a slash. Not all of `revisions` need exist. The paths in the result are
 * absolute.
 */
export async function otherVersions({ top, hidden }: { top: string; hidden: string[] }, revisions: string[]): Promise<OtherVersion[]> {
  const asked = revisions.filter((word) => !word.startsWith("-") && /^[\w./@{}^~+-]+$/.test(word)).slice(0, mostWords);
  // one by one: `cat-file --batch-check` stops at a word such as @{upstream} that does not resolve
  const answers = await Promise.all(asked.map((word) => git(top, ["rev-parse", "--quiet", "--verify", `${word}^{commit}`])));
  const isIn = placed(hidden);
  const paths = hidden.length > mostPaths || hidden.some((path) => /[^ -~]/.test(path)) ? [] : hidden;
  const found: OtherVersion[] = [];
  const placeOf = (path: string) => join(top, Buffer.from(path, "latin1").toString("utf8"));
  for (const [at, revision] of asked.entries()) {
    const commit = answers[at]!.stdout.toString("utf8").trim();
    if (commit === "") continue;
    const names = async (args: string[]) => {
      const listed = await git(top, ["--literal-pathspecs", ...args, "--name-only", "--no-renames", "-z", commit, "--", ...paths]);
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

// Revisions in which a hidden file is another one than in the index: git in the sandbox cannot bring such a file to the disk.
import { git } from "./repository-files.ts";

/** More words of a command than these are not asked about, and more paths than these are all compared. */
const mostWords = 50;
const mostPaths = 500;

/**
 * `hidden`: paths below `top`, as bytes in latin1, of folders with a slash at the end. Of `revisions` any may be none. A path is utf8. What a
 * commit changes counts as well: it may be brought here by itself.
 */
export async function otherVersions(
  { top, hidden }: { top: string; hidden: string[] },
  revisions: string[],
): Promise<{ revision: string; path: string }[]> {
  const asked = revisions.filter((word) => !word.startsWith("-") && /^[\w./@{}^~+-]+$/.test(word)).slice(0, mostWords);
  const { stdout } = await git(top, ["cat-file", "--batch-check"], { input: asked.map((word) => `${word}^{commit}\n`).join("") });
  const answers = stdout.toString("utf8").split("\n");
  const isIn = placed(hidden);
  const paths = hidden.length > mostPaths || hidden.some((path) => /[^ -~]/.test(path)) ? [] : hidden;
  const found: { revision: string; path: string }[] = [];
  for (const [at, revision] of asked.entries()) {
    const commit = /^([0-9a-f]+) commit /.exec(answers[at] ?? "")?.[1];
    if (commit === undefined) continue;
    const names = async (args: string[]) => {
      const listed = await git(top, ["--literal-pathspecs", ...args, "--name-only", "--no-renames", "-z", commit, "--", ...paths]);
      return listed.stdout.toString("latin1").split("\0").find((path) => path !== "" && isIn(path));
    };
    const other = (await names(["diff-index", "--cached"])) ?? (await names(["diff-tree", "-r", "--no-commit-id"]));
    if (other !== undefined) found.push({ revision, path: Buffer.from(other, "latin1").toString("utf8") });
  }
  return found;
}

function placed(hidden: string[]): (path: string) => boolean {
  const files = new Set(hidden);
  const folders = hidden.filter((path) => path.endsWith("/"));
  return (path) => files.has(path) || folders.some((folder) => path.startsWith(folder));
}

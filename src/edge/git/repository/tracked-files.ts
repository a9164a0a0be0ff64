// Which of the given files a repository tracks: git prints those without being given their names.
import { join, relative } from "node:path";
import { git } from "../own-git.ts";

/** With more names than fit a command line, all files are listed. */
const mostNames = 100;

/** `folder` is a real path above all of them. Empty if git fails. */
export async function trackedFiles(folder: string, paths: string[]): Promise<string[]> {
  const names = paths.length > mostNames ? [] : paths.map((path) => relative(folder, path));
  const { code, stdout } = await git(folder, ["--literal-pathspecs", "ls-files", "-z", "--", ...names]);
  const found = new Set(
    code === 0
      ? stdout
          .toString("utf8")
          .split("\0")
          .map((name) => join(folder, name))
      : [],
  );
  return paths.filter((path) => found.has(path));
}

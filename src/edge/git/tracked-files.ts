// Which of some files a repository has under version control: git prints those without being told their names.
import { join, relative } from "node:path";
import { git } from "./repository-files.ts";

/** More names than one command line should have: then all are listed. */
const mostNames = 100;

/** `folder` is a real path above all of them. Where git does not answer, none is. */
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

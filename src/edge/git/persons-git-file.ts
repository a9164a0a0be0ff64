// A file of the person's own that git reads for every repository, where a setting does not name another: ours takes its place for the git
// of commands, so what it says stays first.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { git } from "./repository-files.ts";

/** The setting that names it, and where it is else, below the folder of settings; gitattributes(5), gitignore(5). */
const files = { attributes: "core.attributesFile", ignore: "core.excludesFile" };

/** Its bytes, as in latin1; empty if there is none, as most people have it, and where it is `ours`. */
export async function personsGitFile(folder: string, which: keyof typeof files, ours: string): Promise<string> {
  const { stdout } = await git(folder, ["config", "--type=path", "--get", files[which]]);
  const set = stdout.toString("utf8").replace(/\n$/, "");
  const path = set || join(process.env["XDG_CONFIG_HOME"] || join(process.env["HOME"] ?? "/", ".config"), "git", which);
  if (path === ours) return "";
  try {
    return `${readFileSync(resolve(folder, path), "latin1")}\n`;
  } catch {
    return "";
  }
}

// The user's own attributes or ignore file for all repositories: agents' git uses our file instead, which therefore begins with the content
// of the user's.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ifPossible } from "../system-error.ts";
import { git } from "./own-git.ts";

/** The setting that names the file, and its default name in the folder of settings; gitattributes(5), gitignore(5). */
const files = { attributes: "core.attributesFile", ignore: "core.excludesFile" };

/** Its bytes as latin1; empty if there is none, which is usual, or if it is `ours`. */
export async function personsGitFile(folder: string, which: keyof typeof files, ours: string): Promise<string> {
  const { stdout } = await git(folder, ["config", "--type=path", "--get", files[which]]);
  const set = stdout.toString("utf8").replace(/\n$/, "");
  const path = set || join(process.env["XDG_CONFIG_HOME"] || join(process.env["HOME"] ?? "/", ".config"), "git", which);
  if (path === ours) return "";
  return ifPossible(() => `${readFileSync(resolve(folder, path), "latin1")}\n`) ?? "";
}

// The command that starts this program in the user's shell, so that a printed command works when it is pasted.
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { shellWord } from "../wording/shell-word.ts";

type Started = { script: string; cwd: string; env: Record<string, string | undefined> };

/** `tool` if the user's PATH leads to it, else `node` and the file, which works from any folder. */
export function ownCommand({ script, cwd, env }: Started): string {
  const own = realpathSync(script);
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "" && !isNpms(folder));
  const isOwn = (path: string) => existsSync(path) && realpathSync(path) === own;
  if (folders.some((folder) => isOwn(join(folder, "tool")))) return "tool";
  const path = shellWord(resolve(cwd, script));
  const home = env["HOME"];
  return `node ${home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path}`;
}

/** `npm run` and `npx` put these on PATH for the programs that they start, not for the user's shell. */
const isNpms = (folder: string) => /\/node_modules\/\.bin\/?$/.test(folder);

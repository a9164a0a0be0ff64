// How a person starts this program in a shell, so that a printed command works when it is pasted.
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join, relative } from "node:path";

type Started = { script: string; cwd: string; env: Record<string, string | undefined> };

/** `tool` where the person's PATH leads to it, else `node` and the file. */
export function ownCommand({ script, cwd, env }: Started): string {
  const own = realpathSync(script);
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "" && !isNpms(folder));
  const isOwn = (path: string) => existsSync(path) && realpathSync(path) === own;
  if (folders.some((folder) => isOwn(join(folder, "tool")))) return "tool";
  const near = relative(cwd, script);
  return `node ${quoted(near === "" || near.startsWith("..") ? script : near)}`;
}

/** `npm run` and `npx` put it on PATH for what they start, and not for the shell that they were typed in. */
const isNpms = (folder: string) => /\/node_modules\/\.bin\/?$/.test(folder);

const quoted = (path: string) => (/^[\w./@%+=:-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

// Which programs a repository makes git start, even in read-only commands: found by reading its settings, which starts none of them.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { isExecutable } from "../display/start-check.ts";
import { git } from "./repository-files.ts";

/** The first one, worded for the user: `diff.external in the settings of /repo`. Undefined if git starts only itself. */
export async function repositoryPrograms(folder: string): Promise<string | undefined> {
  return programsOf(folder, 0);
}

const deepest = 5;
const mostModules = 100;

async function programsOf(folder: string, depth: number): Promise<string | undefined> {
  const { top, hook } = await placesOf(folder);
  const root = top ?? folder;
  const setting = (await ownSettings(folder)).find(([key, value]) => runsSomething(key, value));
  if (setting) return `${setting[0]} in the settings of ${root}`;
  if (hook !== undefined && isExecutable(resolve(folder, hook))) return `the hook post-index-change of ${root}`;
  if (top === undefined) return undefined;
  const modules = await modulesOf(top);
  // git also looks into nested repositories.
  const inside = modules.filter((path) => existsSync(join(path, ".git")));
  if (inside.length > 0 && (depth === deepest || inside.length > mostModules)) return `one of the submodules of ${top}, perhaps`;
  for (const path of inside) {
    const found = await programsOf(path, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The folder of the working tree, if there is one, and the hook's file. */
async function placesOf(folder: string): Promise<{ top: string | undefined; hook: string | undefined }> {
  const topArgs = ["--show-toplevel"];
  const hookArgs = ["--git-path", "hooks/post-index-change"];
  const [top, hook, ...more] = (await line(folder, ["rev-parse", ...topArgs, ...hookArgs]))?.split("\n") ?? [];
  if (hook !== undefined && more.length === 0) return { top, hook };
  // No working tree, or a line break in a name.
  return { top: await line(folder, ["rev-parse", ...topArgs]), hook: await line(folder, ["rev-parse", ...hookArgs]) };
}

async function line(folder: string, args: string[]): Promise<string | undefined> {
  const { code, stdout } = await git(folder, args);
  return code === 0 ? stdout.toString("utf8").replace(/\n$/, "") : undefined;
}

/** Settings of the repository itself and the files it includes. All others were chosen by the user of this machine. */
async function ownSettings(folder: string): Promise<[string, string][]> {
  const { code, stdout } = await git(folder, ["config", "--list", "--show-scope", "--includes", "-z"]);
  const fields = code === 0 ? stdout.toString("utf8").split("\0") : [];
  return fields.flatMap((scope, at): [string, string][] => {
    const [key = "", ...value] = (fields[at + 1] ?? "").split("\n");
    return at % 2 === 0 && (scope === "local" || scope === "worktree") ? [[key, value.join("\n")]] : [];
  });
}

/**
 * git-config(1), settings used by `status`, `diff`, `log` and similar: file monitors, external diffs and conversions, filters, signatures,
 * help viewers, and fetching for partial clones. `core.worktree` redirects git to other files.
 */
function runsSomething(key: string, value: string): boolean {
  if (key === "core.fsmonitor") return !/^(?:true|false|yes|no|on|off|0|1)?$/i.test(value);
  if (key.startsWith("filter.lfs.")) return !/^(?:git-lfs [\w %-]+|true|false)$/.test(value);
  return running.test(key) && value !== "";
}

const running =
  /^(?:core\.worktree|diff\.external|diff\..+\.(?:command|textconv)|filter\..+\.(?:clean|smudge|process)|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand|man\..+|help\.browser|web\.browser|browser\..+|extensions\.partialclone|remote\..+\.promisor)$/s;

async function modulesOf(top: string): Promise<string[]> {
  const { stdout } = await git(top, ["ls-files", "--stage", "-z"]);
  const entries = stdout.toString("utf8").split("\0");
  return entries.flatMap((entry) => (entry.startsWith("160000 ") ? [join(top, entry.slice(entry.indexOf("\t") + 1))] : []));
}

// Which programs a repository makes git start, and which files it makes git read, even in read-only commands: found by reading its settings,
// which starts none of them.
import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { RepositoryChange } from "../../../agent/ports/repository-port.ts";
import { isExecutable } from "../../display/start-check.ts";
import { ifPossible } from "../../system-error.ts";
import { git, gitAlone, repositoryPlace, repositorySettings } from "../own-git.ts";
import { isDescription } from "../own-settings.ts";
import { topOf } from "../places.ts";
import { entryAt, untrustedText } from "../untrusted-file.ts";

/** The first one, worded for the user: `diff.external in the settings of /repo`. Undefined if git starts only itself. */
export async function repositoryPrograms(
  folder: string,
  change: RepositoryChange = { stages: undefined, written: [] },
): Promise<string | undefined> {
  return programsOf(folder, change, 0);
}

const deepest = 5;
const mostModules = 100;

async function programsOf(folder: string, change: RepositoryChange, depth: number): Promise<string | undefined> {
  const bare = bareAt(realpathOr(folder), change);
  if (bare !== undefined) return `the settings of another repository, ${bare}`;
  const found = await repositoryPlace(folder);
  if (found.kind === "refused") return `what cannot be read: ${found.why}`;
  const nearest = topOf(realpathOr(folder));
  if (nearest !== (found.kind === "found" ? found.place.top : undefined)) return `${nearest}/.git, which is not as git makes it`;
  if (found.kind === "none") return undefined;
  const { top, gitDir, commonDir } = found.place;
  if (gitDir === commonDir && entryAt(join(gitDir, "commondir"))) return `the file commondir in ${gitDir}`;
  const link = linkIn(gitDir) ?? (gitDir === commonDir ? undefined : linkIn(commonDir));
  if (link !== undefined) return `the link ${link}`;
  const settings = await repositorySettings(folder);
  if (!settings) return `the settings of ${top}, which cannot be read`;
  const replaced = await replacedNames(settings.map(([key]) => key));
  const setting = settings.find(([key, value]) => runsSomething(key, value) || namesFile(key, value, top) || replaced.has(key));
  if (setting) return `${setting[0]} in the settings of ${top}`;
  const hooks = settings.findLast(([key]) => key === "core.hookspath")?.[1];
  if (hooks !== undefined && /^[~%]/.test(hooks)) return `core.hookspath in the settings of ${top}`;
  if (isExecutable(join(hooks ? resolve(top, hooks) : join(commonDir, "hooks"), "post-index-change")))
    return `the hook post-index-change of ${top}`;
  if (entryAt(join(commonDir, "objects/info/alternates"))) return `the objects of another repository, by ${top}`;
  return programsInside(top, change, depth);
}

/** The folder itself or one above it that git may take for what it keeps in `.git`, before it comes to a `.git`: also `.git` itself, and below it. */
function bareAt(folder: string, change: RepositoryChange): string | undefined {
  const entry = (name: string) => entryAt(join(folder, name));
  if (entry(".git")) return undefined;
  const mayCome = change.written.some((path) => dirname(path) === folder && /^HEAD$|[*?[]/i.test(basename(path)));
  const head = entry("HEAD");
  if (mayCome || (head && !head.isDirectory() && !isOther(join(folder, "HEAD")))) return folder;
  return dirname(folder) === folder ? undefined : bareAt(dirname(folder), change);
}

/** git believes a reference, an id or a link there, and no other text. */
const isOther = (path: string) => /^(?!ref:|[0-9a-f]{40})/i.test(untrustedText(path, mostHead) ?? "ref:");
const mostHead = 4096;

/** git also looks into nested repositories, and into those that are staged. */
async function programsInside(top: string, change: RepositoryChange, depth: number): Promise<string | undefined> {
  const [modules, untracked] = await Promise.all([modulesOf(top), change.stages ? untrackedRepositories(top, change.stages) : []]);
  if (!modules || !untracked || [...modules, ...untracked].some((path) => path.includes("\uFFFD"))) return `the index of ${top}`;
  const filled = modules.find((path) => change.written.some((written) => `${path}/`.startsWith(`${written}/`)));
  if (filled !== undefined) return `the settings of a repository that may come to ${filled}`;
  const inside = [...modules, ...untracked].filter((path) => entryAt(join(path, ".git")));
  if (inside.length > 0 && (depth === deepest || inside.length > mostModules)) return `one of the submodules of ${top}, perhaps`;
  for (const path of inside) {
    const own = await programsOf(path, change, depth + 1);
    if (own !== undefined) return own;
  }
  return undefined;
}

/** The first link among what git reads in its folder, but for hooks and single objects: it would print what is elsewhere. */
function linkIn(folder: string): string | undefined {
  const open = [""];
  let count = 0;
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    for (const entry of ifPossible(() => readdirSync(join(folder, below!), { withFileTypes: true })) ?? []) {
      const path = join(below, entry.name);
      if (/^(?:hooks|lfs|annex|modules|objects\/[0-9a-f]{2})$/.test(path) && !entry.isSymbolicLink()) continue;
      if (entry.isSymbolicLink() || ++count > mostEntries) return join(folder, path);
      if (entry.isDirectory()) open.push(path);
    }
  }
  return undefined;
}

const mostEntries = 20_000;

/**
 * git-config(1), settings used by `status`, `diff`, `log` and similar: file monitors, external diffs and conversions, filters, signatures,
 * help viewers, and fetching for partial clones. `core.worktree` redirects git to other files, and what is included is not read.
 */
function runsSomething(key: string, value: string): boolean {
  if (key === "core.fsmonitor") return !/^(?:true|false|yes|no|on|off|0|1)?$/i.test(value);
  if (key === "log.showsignature") return !/^(?:false|no|off|0)?$/i.test(value);
  if (key === "format.pretty" || key.startsWith("pretty.")) return /%[-+ ]?G/.test(value); // each %G asks gpg
  if (key.startsWith("filter.lfs.")) return !isDescription([key, value]);
  return running.test(key) && value !== "";
}

const running =
  /^(?:core\.worktree|core\.alternaterefscommand|include\.path|includeif\..+\.path|diff\.external|diff\..+\.(?:command|textconv)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand|man\..+|help\.(?:browser|format|htmlpath)|web\.browser|browser\..+|extensions\.partialclone|remote\..+\.promisor|diff\.submodule)$/s;

/** Aliases with the name of a command that git has built in: a later git may have given it up, and then follows the alias. */
async function replacedNames(keys: string[]): Promise<Set<string>> {
  const aliases = keys.filter((key) => key.startsWith("alias."));
  const { stdout } = aliases.length === 0 ? { stdout: "" } : await gitAlone(["--list-cmds=builtins"]);
  const builtIn = new Set(stdout.toString().split("\n"));
  return new Set(aliases.filter((key) => builtIn.has(key.split(".")[1]!)));
}

/**
 * git-config(1): files of which a command that only looks may print a line, as `blame.ignoreRevsFile` in its error and `core.excludesFile` by
 * check-ignore -v. The usual list of revisions to ignore is one that the repository itself has.
 */
function namesFile(key: string, value: string, top: string): boolean {
  if (!/\..*file$/s.test(key) || value === "") return false;
  const isUsual = key === "blame.ignorerevsfile" && value === ".git-blame-ignore-revs";
  return !(isUsual && entryAt(join(top, value))?.isFile());
}

/** Undefined if git does not say. */
async function modulesOf(top: string): Promise<string[] | undefined> {
  const { code, stdout } = await git(top, ["ls-files", "--stage", "-z"]);
  const entries = stdout.toString("utf8").split("\0");
  return code === 0
    ? entries.flatMap((entry) => (entry.startsWith("160000 ") ? [join(top, entry.slice(entry.indexOf("\t") + 1))] : []))
    : undefined;
}

/** A folder that git lists as a file is a repository. */
async function untrackedRepositories(top: string, which: RepositoryChange["stages"]): Promise<string[] | undefined> {
  const { code, stdout } = await git(top, ["ls-files", "--others", ...(which === "as usual" ? ["--exclude-standard"] : []), "-z"]);
  const entries = stdout.toString("utf8").split("\0");
  return code === 0 ? entries.flatMap((entry) => (entry.endsWith("/") ? [join(top, entry)] : [])) : undefined;
}

const realpathOr = (path: string) => ifPossible(() => realpathSync(path)) ?? path;

// How the sandbox takes a name in the tree of a command: hidden, read-only, or as the tree around it. Pure: edge/shell/sandbox/tree.ts reads the
// disk and asks here.
import { basename, dirname } from "node:path";
import { denial } from "../decision.ts";
import { fold } from "../paths/fold.ts";
import { isMasked, withFileRules } from "../paths/hidden.ts";
import { namesFolder } from "../paths/path-rules.ts";
import { gitFixed, holdsSpecial, placeOf, stepList, within } from "../paths/places.ts";
import { containedBy, type Policy } from "../policy.ts";

export type Entry = { path: string; kind: "file" | "folder" | "link" };

/** `normal`: like the tree around it. `readOnly`: may be read. `hidden`: neither read nor changed. */
export type Visibility = "normal" | "readOnly" | "hidden";

/**
 * `rules`: if it appears during a command it is more than an ordinary file: it runs later, or sets what agents may do. `list`: only because
 * of the commands in it. `others`: it is not one of a worker's files. `own`: it belongs to this program, whose sessions write there all the time,
 * and no command can: it is hidden as a whole. `below`: what a link leads to counts by the names that it has below the link.
 */
export type PathClass = { visibility: Visibility; rules: boolean; list?: true; others?: true; own?: true; below?: true };

/**
 * Classifies a name below a writable folder; undefined for an ordinary file or folder. A repository's own folder stays writable, so that a
 * commit can be made; programs and settings of git in it do not. Rules that close a whole tool are not about files.
 */
export function pathClasses(policy: Policy): (entry: Entry) => PathClass | undefined {
  const rules: Policy = { ...withFileRules(policy), asGit: policy.ownFolders?.asGit };
  const masks = containedBy(policy) !== undefined;
  const isAsked = hidesByName(rules) || masks;
  const isOthers = belongsToOthers(policy);
  const isOwn = belongsToProgram(policy);
  const named = rules.deny.flatMap((rule) => (rule.kind === "path" ? namesFolder(rule.pattern) : []));
  /** In the place of a folder, a link gives what it leads to the names that count there. */
  const inPlaceOf = (path: string): PathClass | undefined => {
    const at = { written: path, real: path };
    const runs = holdsSpecial(at, rules) || policy.settingsFiles?.some((file) => within(path, file)) === true;
    const hides = () =>
      (masks && holdsSpecial(at, rules, "sensitive")) || [...named, policy.ignore.namesFolder].some((names) => names(path));
    return runs || hides() ? { visibility: "normal", rules: runs, below: true } : undefined;
  };
  return ({ path, kind }) => {
    if (isOwn(path)) return { visibility: "hidden", rules: true, own: true };
    const at = { written: path, real: path, ...(kind !== "folder" && { file: true as const }) };
    const name = rules.asGit?.(path) ?? path;
    const isKnownName = notable.test(name) && (kind === "link" || !ofReferences.test(name));
    const isNotable = isKnownName || policy.settingsFiles?.some((file) => within(file, path));
    const isRepository = kind === "folder" && /\/\.git$/i.test(name);
    const isProtected = () => isNotable && (placeOf(at, rules).protected || placeOf(at, rules).memory || gitFixed.test(name));
    if ((isNotable && placeOf(at, rules).own) || (isAsked && denial("read", at, rules)) || (masks && isMasked(at, rules)))
      return { visibility: "hidden", rules: isRepository || Boolean(isProtected()) };
    if (isRepository) return { visibility: "normal", rules: true };
    // A rebase rewrites its todo list with each step: it stays writable, and its contents are checked afterwards.
    if (kind !== "link" && stepList.test(name)) return { visibility: "normal", rules: true, list: true };
    if (isProtected() || (isAsked && denial("write", at, rules))) return { visibility: "readOnly", rules: true };
    // Git itself makes none there: it would find below one what runs later, under a name that no rule covers.
    if (kind === "link" && /\/\.git\/./i.test(name)) return { visibility: "normal", rules: true, below: true };
    if (isOthers({ path, kind })) return { visibility: "readOnly", rules: false, others: true };
    return kind === "link" ? inPlaceOf(path) : undefined;
  };
}

/** A branch may have the name of any other file of git's. */
const ofReferences = /\/\.git\/(?:refs\/(?:heads|tags|remotes)|logs)\//i;

/** Whether it is in this program's own folder, where that lies in the tree: in a home directory, or under another name at the end of a link. */
function belongsToProgram({ cwd, directories, configDir }: Policy): (path: string) => boolean {
  const own = fold(configDir);
  const folders = [cwd, ...directories].map(fold);
  const inside = folders.filter((folder) => within(own, folder)); // such as a worktree that is kept there
  const isOwn = (path: string) => within(own, path) && !inside.some((folder) => within(folder, path));
  return folders.some((folder) => folder !== own && within(folder, own)) ? (path) => isOwn(fold(path)) : () => false;
}

/** Whether rules may hide or close a file by its name, at any place. */
export function hidesByName({ deny, ignore }: Policy): boolean {
  return ignore.file !== undefined || deny.some(({ kind }) => kind !== "any");
}

/** Most protected names begin with a dot, or are in such a folder; these are the others. Non-ASCII names may fold to anything. */
export const notable =
  /\/\.|[^ -~]|\/(tool|agents|claude|gemini|qwen|crush|warp)(\.\w+)?\.md$|\/(opencode|crush|firebender)\.jsonc?$|\.(code-workspace|sublime-project)$|\/(git-?hooks|lefthook|mise|prek|bunfig|captainhook|hk\.pkl|hie\.yaml|tools\/bazel|_darcs|rust-analyzer|rust-toolchain|pip\.conf|nuget\.config|HEAD$)/i;

/** Whether an entry below a writable folder belongs to other workers. A link does not: its target is judged by its own path. */
export function belongsToOthers({ cwd, directories, ownFiles, gitIgnores }: Policy): (entry: Entry) => boolean {
  if (!ownFiles) return () => false;
  const open = new Set([...foldersTo(ownFiles, cwd), ...directories]);
  return ({ path, kind }) =>
    kind !== "link" &&
    open.has(dirname(path)) &&
    !open.has(path) &&
    !ownFiles.includes(path) &&
    basename(path) !== ".git" &&
    gitIgnores?.(path, kind) !== true;
}

/** The folders from the working directory down to each of the files. */
export function foldersTo(files: readonly string[], cwd: string): string[] {
  const upTo = (folder: string): string[] => (folder === cwd || !within(cwd, folder) ? [cwd] : [...upTo(dirname(folder)), folder]);
  return [...new Set(files.flatMap((file) => upTo(dirname(file))))];
}

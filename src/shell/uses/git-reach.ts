// What must be known about a command's use of git, by which a repository starts programs: where it works, what its revisions name, and
// whether it disables our hooks.
import { dirname, join, relative, resolve } from "node:path";
import type { Places } from "../../permissions/paths/given-path.ts";
import type { Analysis, FileUse, SimpleCommand } from "../words/analysis.ts";
import { type Invocation, invocationOf } from "../words/invocation.ts";
import type { State } from "../words/state.ts";
import { effectsOf } from "./marks.ts";
import { changing } from "./named-files.ts";
import { literalStart, pathspecOf } from "./pathspecs.ts";

export const isGit = ({ words }: Pick<SimpleCommand, "words">) => /(?:^|\/)git(?:-[^/]*)?$/.test(words[0]?.value ?? "");

/** Folders that the command may run git in, relative to where it starts: perhaps too many, without those that only the run decides. */
export function gitFolders({ commands }: Analysis): string[] {
  return [
    ...new Set(commands.flatMap((command) => (/^(?:cd|pushd)$/.test(command.words[0]?.value ?? "") ? placesOf(command) : sentTo(command)))),
  ];
}

const placesOf = ({ files }: SimpleCommand) => files.flatMap(({ path, pattern }) => (path === undefined || pattern ? [] : [path]));

function sentTo(command: SimpleCommand): string[] {
  const words = isGit(command) ? command.words : [];
  const values = words.flatMap(({ choices = [] }, at) => (words[at - 1]?.value === "-C" ? choices : []));
  return placesOf(command).filter((path) => values.some((value) => path === value || path.endsWith(`/${value}`)));
}

/** Whether git may work in a folder that is not among those. */
export function worksAnywhere({ words, sub }: Invocation, folders: State["folders"]): boolean {
  const before = words.slice(0, sub);
  const sent = before.filter((_, at) => before[at - 1]?.value === "-C");
  if (folders.includes(undefined) || sent.length > 1 || sent.some(({ choices, pattern }) => !choices || pattern)) return true;
  return before.some(({ start }) => /^--(?:git-dir|work-tree)/.test(start));
}

const textsOf = ({ words }: SimpleCommand) => words.map(({ value, text }) => value ?? text);

/** Whether git would run other hooks than those that its environment sets, or none. For an unclear command the raw text is searched. */
export function evadesHooks({ text, unclear, commands }: Analysis): boolean {
  const lines = commands.map((command) => [...command.assignments.map(({ name }) => `${name}=`), ...textsOf(command)].join(" "));
  const said = [...lines, ...(unclear === undefined ? [] : [text])].join("\n");
  if (!/\bgit\b/.test(said)) return false;
  return (
    otherHooks.test(said) ||
    (commands.some(clearsEnvironment) && (makesCommits.test(said) || commands.some((command) => isGit(command) && isCleared(command))))
  );
}

const otherHooks = /\bcore\.hookspath\s*=|-c\s*core\.hookspath\b|GIT_CONFIG_(?:COUNT|KEY_|VALUE_|PARAMETERS)|TOOL_(?:HIDDEN|NODE)\b/i;

const clearsEnvironment = ({ words }: SimpleCommand) =>
  (/(?:^|\/)env$/.test(words[0]?.value ?? "") && words.some(({ value }) => /^(?:-\w*i\w*|-|--i\S*)$/.test(value ?? ""))) ||
  (words[0]?.value === "exec" && words.some(({ value }) => /^-\w*c/.test(value ?? "")));

/** Whether it runs without the settings that git gets here, so that git would print what they hide. */
const isCleared = ({ parent }: SimpleCommand): boolean => parent !== undefined && (clearsEnvironment(parent) || isCleared(parent));

const makesCommits = /\bgit\b[^\n]*\s(?:commit|ci|cm|cam|commit-tree|merge|cherry-pick|rebase|am|stash)\b/;

/** The same analysis, where commands of git also read what they print (`HEAD:a`, hidden files), and write the settings of the repository. */
export function withRepositoryFiles(analysis: Analysis, places: Places): Analysis {
  if (!analysis.commands.some(isGit)) return analysis;
  const { showsHidden, repository: root = places.cwd } = places;
  const isTree = places.isThere?.(join(root, ".git")) === true;
  const isOpen = showsHidden || (showsHidden === false && analysis.commands.some(({ files }) => files.some(writesAttributes)));
  const others = otherRepositories(analysis, root, places);
  const commands = analysis.commands.map((command) => {
    const files = isGit(command) ? [...readsOf(command, { root, isOpen, isTree }, others), ...settingsOf(command, root, places)] : [];
    return files.length > 0 ? { ...command, files: [...command.files, ...files] } : command;
  });
  return commands.every((command, index) => command === analysis.commands[index]) ? analysis : { ...analysis, commands };
}

/** What is not known of its name counts, too. */
const writesAttributes = ({ access, path }: FileUse) =>
  access === "write" && (!path || /(?:^|\/)(?:\.git[^/]*|[^/]*[*?[][^/]*)$/i.test(path));

/** The settings that it changes, which in the sandbox stay as they are unless a person says yes; without one, rules count as written. */
function settingsOf(command: SimpleCommand, root: string, { cwd, sandbox, mode, isThere }: Places): FileUse[] {
  if (sandbox?.kind !== "active" || mode === "plan" || command.looks === true) return [];
  if (!effectsOf(command).has("sets git") && !tracks.test(textsOf(command).join(" "))) return [];
  const path = resolve(cwd, sentTo(command)[0] ?? root, ".git/config");
  return isThere?.(path) ? [{ access: "write", path, settings: true }] : [];
}

/** A branch that begins at another machine's is set up to follow it. */
const tracks = /^(?!.*--no-track).*\s(?:branch|-[bBcCf]|--create)\s[^-\s]\S*\s(?:\S+\s)?(?:origin|upstream)\//s;

/** The top folder of each repository but the session's own that the command may work in; where none is known outside, where it works. */
function otherRepositories(analysis: Analysis, root: string, { cwd, home, isThere }: Places): string[] {
  const topOf = (at: string): string | undefined =>
    isThere?.(join(at, ".git")) ? at : dirname(at) === at ? undefined : topOf(dirname(at));
  const folders = gitFolders(analysis).map((folder) => resolve(cwd, folder.replace(/^~(?=\/|$)/, home)));
  const tops = folders.flatMap((folder) => topOf(folder) ?? (relative(root, folder).startsWith("..") ? folder : []));
  return [...new Set(tops.filter((top) => top !== root))];
}

function readsOf(command: SimpleCommand, of: { root: string; isOpen: boolean; isTree: boolean }, others: string[]): FileUse[] {
  const { root, isOpen, isTree } = of;
  const { words } = command;
  const end = words.findIndex(({ value }) => value === "--");
  const isOther = (value: string, at: number) => value.startsWith("-") || (end !== -1 && at > end && pathspecOf(value)?.rest);
  const named = words.flatMap(({ choices = [] }, at) => choices.flatMap((value) => (isOther(value, at) ? [] : inRevision(value))));
  const around = [...sentTo(command), ...(printsHidden(command, isOpen) ? [root] : []), ...(printsHidden(command, true) ? others : [])]; // all below -C
  const places = [...named.map((path) => (/^\.\.?(?:\/|$)/.test(path) ? path : join(root, path))), ...around];
  const read = places.map((path): FileUse => ({ access: "read", path, recursive: true }));
  return [...read, ...fromTop(command, root), ...comparedBy(command, isTree)];
}

/** `git diff` of two places reads all that is below them, unless one repository is around both. */
function comparedBy({ words, files }: SimpleCommand, isTree: boolean): FileUse[] {
  const { verb, sub = 0 } = invocationOf("git", words);
  const compares = verb === "diff" && words.slice(sub + 1).filter(({ start }) => !start.startsWith("-")).length > 1;
  const leaves = files.some(({ path = "/" }) => /^[/~]|(?:^|\/)\.(?:\.|git)(?:\/|$)/i.test(path));
  if (!compares || (isTree && !leaves && !words.some(({ start }) => start.startsWith("--no-ind")))) return [];
  return files.toReversed().flatMap((use): FileUse[] => (use.access === "read" ? [{ ...use, recursive: true }] : []));
}

/** Whether it may print what attributes of ours mark as binary, if they count: so that hidden files are not kept back. */
function printsHidden({ words, looks }: SimpleCommand, isOpen: boolean): boolean {
  const { verb = "" } = invocationOf("git", words);
  if (isOpen && /^(?:grep|cat-file)$/.test(verb)) return true; // of an object without its name
  if (looks !== true && /^(?:cat-file|difftool|fast-export|format-patch|send-email|unpack-file|bundle|pack-objects)$/.test(verb))
    return true;
  if (isOpen && verb === "status") return words.some(({ start }) => /^(?:-\w*v|--v)/.test(start));
  if (isOpen || (looks !== true && /^(?:log|show|whatchanged|range-diff|diff(?:-\w+)?)$/.test(verb))) return printing.test(verb);
  return printing.test(verb) && words.some(({ value, start }) => /^--(?:text|bi[nary]*)$|^-[^-BCGLMOSUXlmn]*[aL]/.test(value ?? start));
}

const printing = /^(?:log|reflog|show|stash|notes|whatchanged|format-patch|range-diff|diff(?:-\w+)?)$/;

/** What pathspecs take in that count from the top of the repository, wherever the command works. */
function fromTop({ words, looks }: SimpleCommand, root: string): FileUse[] {
  const { verb = "" } = invocationOf("git", words);
  const recursive = verb === "grep" || !looks || undefined;
  const access = looks || !changing.test(verb) ? (["read"] as const) : (["read", "write"] as const);
  const specs = words.flatMap(({ choices = [] }) => choices.flatMap((value) => pathspecOf(value) ?? []));
  const counted = specs.filter(({ top, rest }) => (rest ? !looks : top));
  const uses = access.flatMap((use) =>
    counted.map(({ pattern }) => ({ access: use, path: join(root, pattern), mention: "named" as const, recursive })),
  );
  return uses.flatMap((use) => [{ ...use, pattern: true as const }, ...(recursive ? [{ ...use, path: literalStart(use.path) }] : [])]);
}

/** The path in `HEAD:a/b` or `:0:a`, behind each colon, since what is in braces before may have one (behind many any); not in `:/fix` or an address. */
const inRevision = (word: string) =>
  word.split(":").length > 4 ? [""] : [...word.matchAll(/(?:^:[0-3])?:(?=([^:/].*))/gs)].map(([, path]) => path!);

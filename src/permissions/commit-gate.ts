// An agent's own commit passes here twice. Before a command runs, what it would commit is looked through, found by words, wherever they
// stand in the command. And before a reference gets a commit, whatever made it, git's own hook (edge/commit-gate.sh) lets it be looked
// through as it is; a command that would turn that hook off does not run.
import { basename, join, normalize } from "node:path/posix";
import { allowMark, findingLine, type ScannedFile, scanFiles } from "../secrets/scan-files.ts";
import { type Scanner, scanText } from "../secrets/secrets.ts";
import { switching, unnamed } from "../shell/uses/git-history.ts";

/** What the gate needs to see of a repository. */
export interface CommitView {
  /** The staged files of the repository that this folder is in; none outside one. */
  staged(folder: string): Promise<ScannedFile[]>;
  /** Files that differ from what is staged, with their paths relative to the folder; `untracked` ones only when they may be added too. */
  changed(folder: string, options: { untracked: boolean }): Promise<ScannedFile[]>;
  /** What the last commit has in place of what is staged, and at these paths. */
  before(folder: string, paths: string[]): Promise<Buffer[]>;
}

export type CommitGate = {
  cwd: string;
  view: CommitView;
  scanner: Scanner;
  /** Whether a command's git sees nothing of what stands at this path, and so adds nothing of it. */
  isCovered: (path: string) => Promise<boolean>;
};

/** What one commit, or tag, brings. `before`: what stood in its place. `hidden`: what rules hide and this alone changes or takes away. */
export type Change = { files: ScannedFile[]; messages: Buffer[]; hidden: string[]; before: () => Promise<Buffer[]> };

/** Why this command may not run; undefined when it commits nothing, or nothing secret. What cannot be looked through may not run either. */
export async function commitProblem(command: string, gate: CommitGate, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await problemOf(command, gate, signal);
  } catch (error) {
    return `Nothing was run, because what it would commit could not be looked through for secrets: ${messageOf(error)}`;
  }
}

async function problemOf(command: string, { cwd, view, scanner, isCovered }: CommitGate, signal: AbortSignal): Promise<string | undefined> {
  const words = wordsOf(command);
  if (words.some(isGit) && evades(words)) return evasion;
  if (!commits(words) || signal.aborted) return undefined;
  const inText = scanText(command);
  if (inText[0]) return refusal([`the command itself  ${inText[0].kind}  ${inText[0].masked}`]);
  const lines: string[] = [];
  const untracked = words.some((word) => /^(?:add|stage|stash)$/.test(word));
  const isPlain = !words.some(isElsewhere);
  for (const folder of foldersOf(words, cwd)) {
    const changed: ScannedFile[] = [];
    for (const file of await view.changed(folder, { untracked }))
      if (named(words, file.path, isPlain) && !(await isCovered(join(folder, file.path)))) changed.push(file);
    const before = () =>
      view.before(
        folder,
        changed.map(({ path }) => path),
      );
    lines.push(...(await linesOf({ files: [...(await view.staged(folder)), ...changed], messages: [], hidden: [], before }, scanner)));
  }
  return lines.length > 0 ? refusal([...new Set(lines)]) : undefined;
}

/** Why a reference may not get these commits. */
export async function changesProblem(changes: AsyncIterable<Change>, scanner: Scanner): Promise<string | undefined> {
  const { lines, hidden } = await foundIn(changes, scanner);
  if (hidden.length > 0) return hiddenRefusal(hidden);
  return lines.length > 0 ? refusal(lines) : undefined;
}

function hiddenRefusal(paths: string[]): string {
  return `Nothing was committed, because the commit would change or delete files that rules hide from agents:\n${shownOf(paths)}\nLeave them out (git restore --staged <file>), and if they are to change, ask the person to commit that.`;
}

/** What is to be said of commits that were made past the hook, in an environment without it for one. */
export async function passedProblem(changes: AsyncIterable<Change>, scanner: Scanner): Promise<string | undefined> {
  try {
    const { lines } = await foundIn(changes, scanner);
    return lines.length > 0 ? `${passed}\n${shownOf(lines)}` : undefined;
  } catch (error) {
    return `What this command has committed could not be looked through for secrets: ${messageOf(error)}`;
  }
}

const passed =
  "This command has committed secrets, past the hook that looks for them. They must not be pushed: take the commit back (git reset --soft), take them out, and tell the person that they were there.";

async function foundIn(changes: AsyncIterable<Change>, scanner: Scanner): Promise<{ lines: string[]; hidden: string[] }> {
  const lines = new Set<string>();
  const hidden = new Set<string>();
  for await (const change of changes) {
    for (const line of await linesOf(change, scanner)) lines.add(line);
    for (const path of change.hidden) hidden.add(path);
  }
  return { lines: [...lines], hidden: [...hidden] };
}

/** An agent cannot declare its own secret harmless: the mark on a line is not taken. What the repository had before is no news. */
async function linesOf({ files, messages, before }: Change, scanner: Scanner): Promise<string[]> {
  let earlier: string[] | undefined;
  const isOld = async (secret: string) => {
    earlier ??= (await before()).map((bytes) => bytes.toString("utf8"));
    return earlier.some((text) => text.includes(secret));
  };
  const options = { scanner, isOld, marks: "are ignored" } as const;
  const inFiles = await scanFiles(files, { ...options, names: "commit" });
  const texts = messages.map((bytes) => ({ path: "the message", bytes: textOf(bytes) }));
  const inMessages = await scanFiles(texts, { ...options, names: "keys" });
  return [...inFiles.findings, ...inMessages.findings].map(findingLine);
}

/** Behind the lines that git writes itself. */
function textOf(object: Buffer): Buffer {
  const start = object.indexOf("\n\n");
  return start === -1 ? object : object.subarray(start + 2);
}

function refusal(lines: string[]): string {
  return `Nothing was committed, because secrets would be:\n${shownOf(lines)}\nTake them out (a variable of the environment, a file that .gitignore covers), and tell the person that they were there. Where a line holds no secret, a person can say so by "${allowMark}" on it.`;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function shownOf(lines: string[]): string {
  return `${lines.slice(0, 10).join("\n")}${lines.length > 10 ? `\n[and ${lines.length - 10} more]` : ""}`;
}

/** Quotes and backslashes taken away, split at what no shell takes for part of a word. */
function wordsOf(command: string): string[] {
  return command
    .replaceAll(/\\\r?\n/g, " ")
    .replaceAll(/['"\\]/g, "")
    .split(/[\s;|&()<>`]+/)
    .filter(Boolean);
}

const isGit = (word: string) => /(?:^|[/=])git(?:\.exe)?$/.test(word);

/** By these git would run other hooks than those it is given in the environment, or lose them. */
function evades(words: string[]): boolean {
  const isCleared = words.some((word, at) => /^(?:-i|-|--ignore-environment)$/.test(word) && words.slice(0, at).includes("env"));
  return (
    words.some((word) =>
      /(?:^|[=,])(?:-c)?core\.hookspath=|GIT_CONFIG_(?:COUNT|KEY_|VALUE_|PARAMETERS)|TOOL_(?:HIDDEN|NODE)\b/i.test(word),
    ) ||
    (isCleared && commits(words))
  );
}

const evasion =
  "Nothing was run, because the command changes which hooks git runs (core.hooksPath, GIT_CONFIG_…, env -i), and one of them looks through commits for secrets. Leave that out; to pass over the repository's own hooks before a commit there is --no-verify.";

function commits(words: string[]): boolean {
  const git = words.findIndex(isGit);
  return (
    git !== -1 && words.slice(git + 1).some((word) => /^(?:commit|ci|cm|cam|commit-tree|merge|cherry-pick|rebase|am|stash)$/.test(word))
  );
}

/** The working directory, and wherever the command goes or sends git. */
export const gitFolders = (command: string, cwd: string) => foldersOf(wordsOf(command), cwd);

/** What the command may tell git to go to, and where it goes when nothing is named; empty where it goes nowhere. */
export function revisionsIn(command: string): string[] {
  const words = wordsOf(command);
  if (!words.some((word) => switching.has(word))) return [];
  const here = Object.entries(unnamed).flatMap(([word, revision]) => (words.includes(word) ? [revision] : []));
  return [...new Set([...here, ...words.filter((word) => !isGit(word) && !switching.has(word))])];
}

function foldersOf(words: string[], cwd: string): string[] {
  const others = words.flatMap((word, at) => (words[at - 1] === "cd" || words[at - 1] === "-C" || words[at - 1] === "pushd" ? [word] : []));
  return [
    ...new Set([
      cwd,
      ...others.filter((folder) => !/[$*?~]/.test(folder)).map((folder) => (folder.startsWith("/") ? folder : `${cwd}/${folder}`)),
    ]),
  ];
}

/** Whether the command may add this file: it names it, a folder above it, everything, or something that cannot be read off. */
function named(words: string[], path: string, isPlain: boolean): boolean {
  if (words.some((word) => /^(?:-a\w*|-\w*a|-\w*am|--all|-A|-u|--update|\.|\.\/|\*)$/.test(word) || unreadable.test(word))) return true;
  return words.some((word) => {
    const bare = normalize(word).replace(/\/$/, "");
    if (path === bare || path.startsWith(`${bare}/`)) return true;
    return (!isPlain || /^\/|\.\./.test(bare)) && `/${path}/`.includes(`/${basename(bare)}/`);
  });
}

/** gitglossary(7), "pathspec"; and what a shell makes of it. */
const unreadable = /[*?[$]|\{.*[,.].*\}|^:|^--pathspec-from-file/;

/** By these a name begins elsewhere than in the folder that git is asked about. */
const isElsewhere = (word: string) => /^(?:cd|pushd|popd|-C|--git-dir|--work-tree|GIT_\w+|xargs|find|eval)(?:$|=)/.test(word);

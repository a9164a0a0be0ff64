// An agent's own commit passes here twice. Before a command runs, what it would commit is looked through, found by words, wherever they
// stand in the command. And before a reference gets a commit, whatever made it, git's own hook (edge/commit-gate.sh) lets it be looked
// through as it is; a command that would turn that hook off does not run.
import { allowMark, findingLine, type ScannedFile, scanFiles } from "./scan-files.ts";
import { type Scanner, scanText } from "./secrets.ts";

/** What the gate needs to see of a repository. */
export interface CommitView {
  /** The staged files of the repository that this folder is in; none outside one. */
  staged(folder: string): Promise<ScannedFile[]>;
  /** Files that differ from what is staged, with their paths relative to the folder; `untracked` ones only when they may be added too. */
  changed(folder: string, options: { untracked: boolean }): Promise<ScannedFile[]>;
  /** What the last commit has in place of what is staged, and at these paths. */
  before(folder: string, paths: string[]): Promise<Buffer[]>;
}

export type CommitGate = { cwd: string; view: CommitView; scanner: Scanner };

/** What one commit, or tag, brings. `before`: what stood in its place. */
export type Change = { files: ScannedFile[]; messages: Buffer[]; before: () => Promise<Buffer[]> };

/** Why this command may not run; undefined when it commits nothing, or nothing secret. What cannot be looked through may not run either. */
export async function commitProblem(command: string, gate: CommitGate, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await problemOf(command, gate, signal);
  } catch (error) {
    return `Nothing was run, because what it would commit could not be looked through for secrets: ${messageOf(error)}`;
  }
}

async function problemOf(command: string, { cwd, view, scanner }: CommitGate, signal: AbortSignal): Promise<string | undefined> {
  const words = wordsOf(command);
  if (words.some(isGit) && evades(words)) return evasion;
  if (!commits(words) || signal.aborted) return undefined;
  const inText = scanText(command);
  if (inText[0]) return refusal([`the command itself  ${inText[0].kind}  ${inText[0].masked}`]);
  const lines: string[] = [];
  const untracked = words.some((word) => /^(?:add|stage|stash)$/.test(word));
  for (const folder of foldersOf(words, cwd)) {
    const changed = (await view.changed(folder, { untracked })).filter(({ path }) => named(words, path));
    const before = () =>
      view.before(
        folder,
        changed.map(({ path }) => path),
      );
    lines.push(...(await linesOf({ files: [...(await view.staged(folder)), ...changed], messages: [], before }, scanner)));
  }
  return lines.length > 0 ? refusal([...new Set(lines)]) : undefined;
}

/** Why a reference may not get these commits. */
export async function changesProblem(changes: AsyncIterable<Change>, scanner: Scanner): Promise<string | undefined> {
  const lines = await linesIn(changes, scanner);
  return lines.length > 0 ? refusal(lines) : undefined;
}

/** What is to be said of commits that were made past the hook, in an environment without it for one. */
export async function passedProblem(changes: AsyncIterable<Change>, scanner: Scanner): Promise<string | undefined> {
  try {
    const lines = await linesIn(changes, scanner);
    return lines.length > 0 ? `${passed}\n${shownOf(lines)}` : undefined;
  } catch (error) {
    return `What this command has committed could not be looked through for secrets: ${messageOf(error)}`;
  }
}

const passed =
  "This command has committed secrets, past the hook that looks for them. They must not be pushed: take the commit back (git reset --soft), take them out, and tell the person that they were there.";

async function linesIn(changes: AsyncIterable<Change>, scanner: Scanner): Promise<string[]> {
  const lines = new Set<string>();
  for await (const change of changes) for (const line of await linesOf(change, scanner)) lines.add(line);
  return [...lines];
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
    words.some((word) => /(?:^|[=,])(?:-c)?core\.hookspath=|GIT_CONFIG_(?:COUNT|KEY_|VALUE_|PARAMETERS)/i.test(word)) ||
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
function named(words: string[], path: string): boolean {
  if (words.some((word) => /^(?:-a\w*|-\w*a|-\w*am|--all|-A|-u|--update|\.|\.\/|:\/|\*)$/.test(word) || /[*?[$]/.test(word))) return true;
  return words.some((word) => {
    const bare = word.replace(/^\.\//, "").replace(/\/$/, "");
    return bare !== "" && (path === bare || path.startsWith(`${bare}/`) || path.endsWith(`/${bare}`) || path.includes(`/${bare}/`));
  });
}

// An agent's own `git commit` passes here: what it would commit is looked through before it runs. Found by words, wherever they stand in
// the command, so that a form nobody thought of is looked at rather than let through. What a script commits by itself is not seen here;
// the hook of `tool secrets install-hook` sees that too.
import { allowMark, findingLine, type ScannedFile, scanFiles } from "./scan-files.ts";
import { type Scanner, scanText } from "./secrets.ts";

/** What the gate needs to see of a repository. */
export interface CommitView {
  /** The staged files of the repository that this folder is in; none outside one. */
  staged(folder: string): Promise<ScannedFile[]>;
  /** Files that differ from what is staged, with their paths relative to the folder; `untracked` ones only when they may be added too. */
  changed(folder: string, options: { untracked: boolean }): Promise<ScannedFile[]>;
  /** A file as the last commit has it. */
  committed(folder: string, path: string): Promise<string | undefined>;
}

export type CommitGate = { cwd: string; view: CommitView; scanner: Scanner };

/** Why this command may not run; undefined when it commits nothing, or nothing secret. */
export async function commitProblem(command: string, { cwd, view, scanner }: CommitGate, signal: AbortSignal): Promise<string | undefined> {
  const words = wordsOf(command);
  if (!commits(words) || signal.aborted) return undefined;
  const inText = scanText(command);
  if (inText[0]) return refusal([`the command itself  ${inText[0].kind}  ${inText[0].masked}`]);
  const lines: string[] = [];
  const untracked = words.some((word) => /^(?:add|stage|stash)$/.test(word));
  for (const folder of folders(words, cwd)) {
    const files = [...(await view.staged(folder)), ...(await view.changed(folder, { untracked })).filter(({ path }) => named(words, path))];
    // an agent cannot declare its own secret harmless: the mark counts where the last commit has it already
    const allows = async ({ path }: ScannedFile, line: string) => ((await view.committed(folder, path)) ?? "").split("\n").includes(line);
    const { findings } = await scanFiles(files, { scanner, names: "commit", allows });
    lines.push(...findings.map(findingLine));
  }
  return lines.length > 0 ? refusal([...new Set(lines)]) : undefined;
}

function refusal(lines: string[]): string {
  const shown = lines.slice(0, 10).join("\n");
  const more = lines.length > 10 ? `\n[and ${lines.length - 10} more]` : "";
  return `Nothing was committed, because secrets would be:\n${shown}${more}\nTake them out (a variable of the environment, a file that .gitignore covers), and tell the person that they were there. Where a line holds no secret, a person can say so by "${allowMark}" on it.`;
}

/** Quotes and backslashes taken away, split at what no shell takes for part of a word. */
function wordsOf(command: string): string[] {
  return command
    .replaceAll(/\\\r?\n/g, " ")
    .replaceAll(/['"\\]/g, "")
    .split(/[\s;|&()<>`]+/)
    .filter(Boolean);
}

function commits(words: string[]): boolean {
  const git = words.findIndex((word) => /(?:^|[/=])git(?:\.exe)?$/.test(word));
  return (
    git !== -1 && words.slice(git + 1).some((word) => /^(?:commit|ci|cm|cam|commit-tree|merge|cherry-pick|rebase|am|stash)$/.test(word))
  );
}

/** The working directory, and wherever the command goes or sends git. */
function folders(words: string[], cwd: string): string[] {
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

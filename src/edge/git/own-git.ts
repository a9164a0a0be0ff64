// git as we start it ourselves, for worktrees, commits and pushes: without hooks, monitors, background maintenance or prompts, and only
// with the environment that the caller passes. It prints English, because some of its output is parsed.
import { type RunResult, run } from "../processes/run.ts";

export type OwnGit = (folder: string, args: string[], options?: OwnGitOptions) => Promise<RunResult>;

export type OwnGitOptions = {
  input?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Variables for this process only: an index of its own, the forge's token. */
  env?: Record<string, string>;
};

/** `env` contains no keys and no GIT_DIR (permissions/environment.ts). */
export function ownGit(env: Record<string, string>): OwnGit {
  return (folder, args, options = {}) =>
    run(["git", ...quiet, ...args], {
      cwd: folder,
      env: { ...env, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", ...options.env },
      extendEnv: false,
      input: options.input ?? "",
      timeoutMs: options.timeoutMs ?? deadlineMs,
      signal: options.signal,
    });
}

/** A checkout of a large repository takes long. */
const deadlineMs = 120_000;

const quiet = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "submodule.recurse=false",
  "commit.gpgSign=false",
].flatMap((setting) => ["-c", setting]);

/** git's error message, to end a sentence with. */
export function gitFault({ failed, timedOut, stderr, code }: RunResult): string {
  if (failed) return failed;
  if (timedOut) return "git took too long and was ended";
  const said = stderr.trim().split("\n").filter(Boolean);
  const last = said.find((line) => diskFull.test(line)) ?? said.findLast((line) => /^(?:fatal|error):/.test(line));
  return last?.replace(/^\w+: /, "") ?? said.at(-1) ?? `git ended with ${code}`;
}

/** The message for these is extended by the consequences. */
export const diskFull = /no space left|out of disk ?space|disk quota/i;

/** The first line of what git printed; undefined if it failed. */
export async function gitLine(git: OwnGit, folder: string, args: string[]): Promise<string | undefined> {
  const { code, stdout } = await git(folder, args);
  return code === 0 ? stdout.replace(/\n$/, "") : undefined;
}

/**
 * Settings that keep git from starting filters that the repository itself configures, because git here runs outside any sandbox. The user's
 * own filters and git-lfs stay.
 */
export async function withoutRepositoryFilters(git: OwnGit, folder: string): Promise<string[]> {
  return filtersOff(await repositoryKeys(git, folder));
}

/** The same, and without the repository's merge drivers: files that need one conflict if both sides change them. */
export async function withoutRepositoryPrograms(git: OwnGit, folder: string): Promise<string[]> {
  const keys = await repositoryKeys(git, folder);
  return [...filtersOff(keys), ...keys.filter((key) => /^merge\..+\.driver$/s.test(key)).flatMap((key) => ["-c", `${key}=false`])];
}

function filtersOff(keys: string[]): string[] {
  return keys
    .filter((key) => /^filter\.(?!lfs\.).+\.(?:clean|smudge|process|required)$/s.test(key))
    .flatMap((key) => ["-c", key.endsWith(".required") ? `${key}=false` : `${key}=`]);
}

/** The names of the settings in the repository's own configuration. */
export async function repositoryKeys(git: OwnGit, folder: string): Promise<string[]> {
  const { stdout } = await git(folder, ["config", "--list", "--name-only", "--show-scope", "--includes", "-z"]);
  const fields = stdout.split("\0");
  return fields.flatMap((scope, at) => (at % 2 === 0 && (scope === "local" || scope === "worktree") ? [fields[at + 1] ?? ""] : []));
}

// Our own worktrees beside the user's repository: one for each unit of a batch and each isolated sub-agent, each on a branch below `tool/`.
// The user's working tree, index, HEAD, stash and settings are not touched, and nothing is removed that is not stored elsewhere.

import { existsSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { errorText } from "../../wording/error-text.ts";
import { removeEmptyFolder } from "../disk/disk.ts";
import { syncFolder, writeNew } from "../disk/durable.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import { codeOf, ifPossible, unless } from "../system-error.ts";
import { resolve as resolveNames } from "./changes/objects.ts";
import { diskFull, forgetPlace, gitFault, gitLine, type OwnGit, repositoryPlace } from "./own-git.ts";
import { linkedWorktrees } from "./places.ts";
import { type BringOrder, type Brought, bringIgnoredFiles, type IsHidden, includePatterns } from "./repository/ignored-files.ts";

export type WorktreesOptions = {
  git: OwnGit;
  /** The root of the user's working tree. */
  repository: string;
  /** All worktrees that we make are below it; nothing else is ever removed. One process at a time works in it. */
  home: string;
  /** The rules of the moment. */
  closed: () => Promise<IsHidden>;
};

/** `folder` is a path below `home`, `branch` begins with `tool/`, `commit` is where the branch begins. */
export type AddOrder = { folder: string; branch: string; commit: string; ignored: BringOrder["how"] | "leave" };

/** `from`: whether branch and folder are new, or left by an earlier process; `complete` ones may contain work. */
export type AddOutcome =
  | { ok: true; folder: string; commit: string; from: "new" | "its branch" | "complete"; brought: Brought }
  | { ok: false; why: AddRefusal; reason: string };
export type AddRefusal = "branch taken" | "folder in the way" | "unknown commit" | "disk full" | "git failed";

/** `isMissing`: removed manually, or partly created or removed when a process was killed; it contains no one's work. */
export type OwnWorktree = { folder: string; branch: string | undefined; commit: string; isMissing: boolean };

/** `changes`: changed or untracked files. `lock`: a lock of git's index, left by a killed process or held by another. */
export type WorktreeState =
  | { kind: "unknown" }
  | { kind: "missing" }
  | { kind: "there"; branch: string | undefined; commit: string; changes: string[]; lock: string | undefined };

/** `savedIn`: a branch, local or remote, that must contain all its commits. */
export type RemoveOrder = { folder: string; savedIn: string };
export type RemoveOutcome = { ok: true } | { ok: false; why: KeptBecause; reason: string };
export type KeptBecause = "changed files" | "not saved" | "not on its branch" | "locked" | "unknown" | "git failed";

export type Worktrees = {
  /** One at a time. May be repeated after a kill: unfinished worktrees are made again, complete ones stay. */
  add(order: AddOrder): Promise<AddOutcome>;
  list(): Promise<OwnWorktree[]>;
  state(folder: string): Promise<WorktreeState>;
  remove(order: RemoveOrder): Promise<RemoveOutcome>;
  /** Removes worktrees from git's list that someone has deleted manually. Returns their folders. */
  prune(): Promise<string[]>;
  /** Removes this one from git's list. Its folder is gone, and nobody makes it again meanwhile. */
  discard(folder: string): Promise<void>;
  /**
   * Removes the index lock of a killed process; only for a worktree in which none of our processes run. Returns its path, if there was one.
   */
  unlock(folder: string): Promise<string | undefined>;
};

export function worktrees(options: WorktreesOptions): Worktrees {
  const inTurn = oneAtATime(); // a concurrent `git worktree add` reads half-written records of others and fails
  return {
    add: (order) => inTurn(() => add(options, order)),
    list: () => list(options),
    state: (folder) => state(options, within(options, folder)),
    // Our folder beside the user's repository is removed once it is empty.
    remove: (order) => inTurn(() => remove(options, order).finally(() => removeEmptyFolder(options.home))),
    prune: () => inTurn(() => prune(options).finally(() => removeEmptyFolder(options.home))),
    discard: (folder) => inTurn(() => forget(options, within(options, folder)).finally(() => removeEmptyFolder(options.home))),
    unlock: (folder) => unlock(options, within(options, folder)),
  };
}

async function add(options: WorktreesOptions, order: AddOrder): Promise<AddOutcome> {
  if (!order.branch.startsWith(ownBranches))
    throw new Error(`Cannot use the branch ${order.branch}: it does not begin with ${ownBranches}`);
  const folder = within(options, order.folder);
  const { git, repository } = options;
  const names = [`${order.commit}^{commit}`, `refs/heads/${order.branch}`];
  const [[commit, tip], all] = await Promise.all([resolveNames(git, repository, names), list(options)]);
  if (commit === undefined) return refused("unknown commit", `Cannot make a worktree: ${order.commit} is no commit here`);
  const before = all.find((each) => each.folder === folder);
  if (before && !before.isMissing) {
    if (before.branch === order.branch) return { ok: true, folder, commit: before.commit, from: "complete", brought: nothing };
    return refused("folder in the way", `Cannot make the worktree ${folder}: ${before.branch ?? "no branch"} is checked out there`);
  }
  if (before || existsSync(markOf(folder))) await forget(options, folder);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    return refused("folder in the way", `Cannot make the worktree ${folder}: this folder is not empty. Move its files away and try again`);
  const base = await startOf(options, { branch: order.branch, commit, tip });
  if (!base.ok) return base;
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  mark(folder);
  // An attempt that fails may have made the branch already.
  const isNew = async (attempt: number) => base.isNew && (attempt === 1 || (await tipOf(options, order.branch)) !== commit);
  const made = await checkOut(options, {
    folder,
    args: async (attempt) => ((await isNew(attempt)) ? ["--no-track", "-b", order.branch, folder, commit] : [folder, order.branch]),
  });
  if (made !== undefined) {
    if (!existsSync(folder)) unmark(folder);
    return made;
  }
  try {
    const brought = order.ignored === "leave" ? nothing : await bringIgnoredFiles(git, await bringing(options, folder, order.ignored));
    unmark(folder);
    return { ok: true, folder, commit: base.commit, from: base.isNew ? "new" : "its branch", brought };
  } catch (error) {
    const why = codeOf(error) === "ENOSPC" ? "disk full" : "git failed";
    return refused(why, `Cannot bring ignored files into ${folder}: ${errorText(error)}`);
  }
}

const ownBranches = "tool/";
const nothing: Brought = { copied: [], linked: [], left: [] };
const bringing = async ({ repository, closed }: WorktreesOptions, to: string, how: BringOrder["how"]): Promise<BringOrder> => ({
  from: repository,
  to,
  how,
  isHidden: await closed(),
  patterns: includePatterns(repository),
});
const refused = (why: AddRefusal, reason: string): { ok: false; why: AddRefusal; reason: string } => ({ ok: false, why, reason });

/** An existing branch was left by an earlier run: its commits are work, and are continued. */
async function startOf(
  { git, repository }: WorktreesOptions,
  { branch, commit, tip }: { branch: string; commit: string; tip: string | undefined },
): Promise<{ ok: true; isNew: boolean; commit: string } | { ok: false; why: AddRefusal; reason: string }> {
  if (tip === undefined) return { ok: true, isNew: true, commit };
  const goesOn = await git(repository, ["merge-base", "--is-ancestor", commit, tip]);
  if (goesOn.code === 0) return { ok: true, isNew: false, commit: tip };
  return refused("branch taken", `Cannot use the branch ${branch}: it exists already and does not contain ${commit.slice(0, 12)}`);
}

function tipOf({ git, repository }: Pick<WorktreesOptions, "git" | "repository">, branch: string): Promise<string | undefined> {
  return gitLine(git, repository, ["rev-parse", "--quiet", "--verify", `refs/heads/${branch}`]);
}

type CheckOut = { folder: string; args: (attempt: number) => Promise<string[]> };

/** The files come in a second step, when the worktree names the repository and not our stand-in for it. */
async function checkOut(options: WorktreesOptions, { folder, args }: CheckOut): Promise<AddOutcome | undefined> {
  const { git, repository } = options;
  mkdirSync(join(await commonDir(options), "worktrees"), { recursive: true });
  const added = await again(
    async (attempt) =>
      git(repository, ["worktree", "add", "--quiet", "--no-checkout", ...(await args(attempt))], { writable: [options.home] }),
    {
      unless: async () => (await list(options)).some((each) => each.folder === folder),
    },
  );
  const made = added.code === 0 ? await filled(git, folder) : added;
  if (made.code === 0) return undefined;
  const why = diskFull.test(made.stderr) ? "disk full" : blocked.test(made.stderr) ? "branch taken" : "git failed";
  return refused(why, `Cannot make the worktree ${folder}: ${gitFault(made)}`);
}

async function filled(git: OwnGit, folder: string): ReturnType<OwnGit> {
  forgetPlace(folder);
  const found = await repositoryPlace(folder);
  if (found.kind === "found") writeFileSync(join(folder, ".git"), `gitdir: ${found.place.gitDir}\n`);
  return git(folder, ["reset", "--hard", "--quiet"]);
}

async function commonDir({ repository }: Pick<WorktreesOptions, "repository">): Promise<string> {
  const found = await repositoryPlace(repository);
  if (found.kind === "found") return found.place.commonDir;
  throw new Error(`Cannot use the repository ${repository}: ${found.kind === "refused" ? found.why : "it is gone"}`);
}

const attempts = 10;
const pauseMs = 10;

/** git reads the records of all worktrees and fails if another process is writing one; a second attempt finds it complete. */
async function again(call: (attempt: number) => ReturnType<OwnGit>, options: { unless?: () => Promise<boolean> } = {}): ReturnType<OwnGit> {
  for (let attempt = 1; ; attempt++) {
    const result = await call(attempt);
    if (result.code === 0 || attempt === attempts || !passing.test(result.stderr) || (await options.unless?.())) return result;
    await setTimeout(attempt * pauseMs);
  }
}

const passing = /failed to read .*(?:commondir|gitdir|HEAD)|Unable to create .*\.lock/i;
/** A branch named `tool` prevents branches below it. */
const blocked = /cannot lock ref|' exists; cannot create|already exists|already checked out/i;

/** Only for a missing or marked worktree: otherwise nothing is deleted recursively. */
async function forget(options: WorktreesOptions, folder: string): Promise<void> {
  if (existsSync(markOf(folder))) await rm(folder, { recursive: true, force: true });
  await removeRecord(options, folder);
  unmark(folder);
}

/** What git keeps of a linked worktree. As git does, the folder of all of them goes with the last. */
async function removeRecord(options: WorktreesOptions, folder: string): Promise<void> {
  const common = await commonDir(options);
  for (const { gitDir, file } of linkedWorktrees(common)) if (file === join(folder, ".git")) await rm(gitDir, { recursive: true });
  ifPossible(() => rmdirSync(join(common, "worktrees")));
  forgetPlace(folder);
}

/**
 * A file beside a folder that is being created or removed: while it exists, the folder contains no one's work. It is written before git
 * begins, and removed before anyone is told of the worktree.
 */
const markOf = (folder: string) => `${folder}.unfinished`;

function mark(folder: string): void {
  unless("EEXIST", () => writeNew(markOf(folder), ""), undefined);
  syncFolder(dirname(folder));
}

const unmark = (folder: string) => rmSync(markOf(folder), { force: true });

async function list(options: WorktreesOptions): Promise<OwnWorktree[]> {
  const { git, repository } = options;
  const listed = await again(() => git(repository, ["worktree", "list", "--porcelain", "-z"]));
  if (listed.code !== 0) throw new Error(`Cannot list the worktrees of ${repository}: ${gitFault(listed)}`);
  const home = realHome(options);
  return listed.stdout.split("\0\0").flatMap((entry): OwnWorktree[] => {
    const field = (name: string) =>
      entry
        .split("\0")
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1);
    const folder = field("worktree");
    if (folder === undefined || !folder.startsWith(`${home}/`)) return [];
    const isMissing = !existsSync(folder) || existsSync(markOf(folder));
    return [{ folder, branch: field("branch")?.replace("refs/heads/", ""), commit: field("HEAD") ?? "", isMissing }];
  });
}

async function state(options: WorktreesOptions, folder: string): Promise<WorktreeState> {
  const known = (await list(options)).find((each) => each.folder === folder);
  if (!known) return { kind: "unknown" };
  if (known.isMissing) return { kind: "missing" };
  const { git } = options;
  const args = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"];
  const status = await git(folder, args);
  if (status.code !== 0) throw new Error(`Cannot read the state of the worktree ${folder}: ${gitFault(status)}`);
  return {
    kind: "there",
    branch: known.branch,
    commit: known.commit,
    changes: status.stdout
      .split("\0")
      .filter(Boolean)
      .map((line) => line.slice(3)),
    lock: await lockOf(git, folder),
  };
}

async function remove(options: WorktreesOptions, { folder: asked, savedIn }: RemoveOrder): Promise<RemoveOutcome> {
  const folder = within(options, asked);
  const kept = (why: KeptBecause, what: string): RemoveOutcome => ({ ok: false, why, reason: `The worktree ${folder} is kept: ${what}` });
  const now = await state(options, folder);
  if (now.kind === "unknown" && existsSync(markOf(folder))) {
    await forget(options, folder);
    return { ok: true };
  }
  if (now.kind === "unknown") return existsSync(folder) ? kept("unknown", "git does not list it as a worktree") : { ok: true };
  if (now.kind === "missing") {
    await forget(options, folder);
    return { ok: true };
  }
  if (now.lock !== undefined) return kept("locked", `${now.lock} is there. If no git is running there, remove that file`);
  if (now.changes.length > 0) return kept("changed files", `it has files that are not committed: ${someOf(now.changes)}`);
  if (now.branch === undefined || !now.branch.startsWith(ownBranches))
    return kept("not on its branch", `${now.branch ?? "no branch"} is checked out in it`);
  if (!(await isSaved(options, folder, savedIn))) return kept("not saved", `${savedIn} does not contain all commits of ${now.branch}`);
  const git = await repositoryPlace(folder);
  if (git.kind === "found" && existsSync(join(git.place.gitDir, "locked"))) return kept("locked", `git worktree unlock ${folder} frees it`);
  if (await hasModule(options, folder)) return kept("git failed", withSubmodule(folder));
  mark(folder);
  await forget(options, folder);
  return { ok: true };
}

async function hasModule({ git }: WorktreesOptions, folder: string): Promise<boolean> {
  const { code, stdout } = await git(folder, ["ls-files", "--stage", "-z"]);
  return code !== 0 || stdout.split("\0").some((entry) => entry.startsWith("160000 ") && existsSync(join(folder, pathOf(entry), ".git")));
}

const pathOf = (entry: string) => entry.slice(entry.indexOf("\t") + 1);

/** Commits of a submodule are kept in the worktree's own part of the repository, and would be lost with it. */
const withSubmodule = (folder: string) =>
  `it has a submodule whose commits may be nowhere else. Push them, then: git worktree remove --force ${folder}`;

async function isSaved({ git }: WorktreesOptions, folder: string, branch: string): Promise<boolean> {
  for (const reference of [`refs/heads/${branch}`, `refs/remotes/${branch}`]) {
    if ((await git(folder, ["merge-base", "--is-ancestor", "HEAD", reference])).code === 0) return true;
  }
  return false;
}

const someOf = (paths: string[]) => `${paths.slice(0, 3).join(", ")}${paths.length > 3 ? ` and ${paths.length - 3} more` : ""}`;

async function prune(options: WorktreesOptions): Promise<string[]> {
  const missing = (await list(options)).filter(({ isMissing }) => isMissing).map(({ folder }) => folder);
  for (const folder of missing) await forget(options, folder);
  return missing;
}

async function unlock({ git }: WorktreesOptions, folder: string): Promise<string | undefined> {
  const lock = await lockOf(git, folder);
  if (lock !== undefined) rmSync(lock, { force: true });
  return lock;
}

async function lockOf(git: OwnGit, folder: string): Promise<string | undefined> {
  const path = await gitLine(git, folder, ["rev-parse", "--git-path", "index.lock"]);
  return path !== undefined && existsSync(resolve(folder, path)) ? resolve(folder, path) : undefined;
}

/** As git writes it. Throws if the path is not below `home`. */
function within(options: WorktreesOptions, folder: string): string {
  const way = relative(options.home, folder);
  if (way === "" || way.startsWith("..") || resolve(options.home, way) !== resolve(folder))
    throw new Error(`Cannot use the worktree ${folder}: it is not below ${options.home}`);
  return join(realHome(options), way);
}

const realHome = ({ home }: WorktreesOptions) => unless("ENOENT", () => realpathSync(home), resolve(home));

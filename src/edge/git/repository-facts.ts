// Facts about a repository that are needed before worktrees are made of it. Read-only; starts no program of the repository.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Remote, RepositoryFacts } from "../../batch/repository.ts";
import { isExecutable } from "../display/start-check.ts";
import { helperProgram } from "../processes/helper-programs.ts";
import { gitFault, gitLine, type OwnGit, withoutRepositoryFilters } from "./own-git.ts";
import { withoutCredentials } from "./remote-address.ts";

type Usable = Extract<RepositoryFacts, { kind: "usable" }>;
type Look = { git: OwnGit; root: string };

export async function repositoryFacts(git: OwnGit, folder: string): Promise<RepositoryFacts> {
  const reason = (await unusable(git, folder)) ?? undefined;
  if (reason !== undefined) return { kind: "unusable", reason };
  const root = (await gitLine(git, folder, ["rev-parse", "--show-toplevel"])) ?? folder;
  const look = { git, root };
  const head = (await gitLine(git, root, ["rev-parse", "--verify", "HEAD^{commit}"])) ?? "";
  const branch = await gitLine(git, root, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const upstream = branch === undefined ? undefined : await upstreamOf(look, branch);
  const remote = await remoteOf(look, upstream?.remote);
  const base = await baseOf(look, { branch, remote, upstream });
  const gitFolder = resolve(root, (await gitLine(git, root, ["rev-parse", "--git-common-dir"])) ?? ".git");
  const index = await git(root, ["ls-files", "--stage", "-z"]);
  return {
    kind: "usable",
    root,
    gitFolder,
    head,
    branch,
    base,
    remote,
    underWay: await underWay(look),
    ...(await changesIn(look)),
    submodules: namesOf(index.stdout, (mode) => mode === "160000"),
    lfs: attributeFiles(look, index.stdout).some((text) => /\bfilter=lfs\b/.test(text)),
    shallow: (await gitLine(git, root, ["rev-parse", "--is-shallow-repository"])) === "true",
    hooks: await hooksOf(look, gitFolder),
    headIsPushed: remote !== undefined && base !== undefined && (await isPushed(look, `refs/remotes/${remote.name}/${base}`)),
    hasIdentity: (await git(root, ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"])).code === 0,
    signsCommits: await signsCommits(look),
  };
}

/** Files in git's folder that exist while an operation waits for the user. */
const operations = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
] as const;

async function underWay({ git, root }: Look): Promise<Usable["underWay"]> {
  const own = resolve(root, (await gitLine(git, root, ["rev-parse", "--git-dir"])) ?? ".git");
  return operations.find(([file]) => existsSync(join(own, file)))?.[1];
}

/** Reads the settings before ours, which are last and turn it off (own-git.ts). */
async function signsCommits({ git, root }: Look): Promise<boolean> {
  const { stdout } = await git(root, ["config", "--type=bool", "--get-all", "commit.gpgSign"]);
  return stdout.trim().split("\n").at(-2) === "true";
}

/** Why no worktrees can be made and what to do about it; undefined if they can. */
async function unusable(git: OwnGit, folder: string): Promise<string | undefined> {
  if (!existsSync(folder)) return `The folder ${folder} is gone. Put it back there, and try again.`;
  const helper = helperProgram("git");
  if (helper.kind === "missing") return `git is needed: ${helper.why}. Install it, and try again.`;
  const version = /(\d+)\.(\d+)/.exec((await gitLine(git, "/", ["--version"])) ?? "") ?? [];
  if (Number(version[1]) * 1000 + Number(version[2]) < 2038) return `git 2.38 or newer is needed, and ${version[0]} is installed.`;
  const inside = await git(folder, ["rev-parse", "--is-bare-repository", "--is-inside-work-tree"]);
  const isBare = `${folder} is a bare repository, without files to change. Clone it, and start in the clone.`;
  if (inside.code !== 0) {
    if (/safe\.bareRepository/.test(inside.stderr)) return isBare; // our own settings for git forbid bare repositories
    return /dubious ownership/.test(inside.stderr)
      ? `Another user owns the repository ${folder}. If you trust it: git config --global --add safe.directory ${folder}`
      : `${folder} is in no git repository (${gitFault(inside)}). Change into one, or make one: git init, and a first commit.`;
  }
  const [bare, work] = inside.stdout.trim().split("\n");
  if (bare === "true") return isBare;
  if (work !== "true") return `${folder} is inside git's own folder. Change into the working tree.`;
  if ((await git(folder, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"])).code !== 0)
    return "The repository has no commit yet, and worktrees start from one. Commit something first.";
  const blocking = await git(folder, ["for-each-ref", "--format=%(refname:short)", "refs/heads/tool"]);
  if (blocking.stdout.split("\n").includes("tool"))
    return "A branch is named tool, so none can be named tool/…, as those of worktrees are. Rename it: git branch -m tool other-name";
  return undefined;
}

type Upstream = { remote: string; branch: string };

async function upstreamOf({ git, root }: Look, branch: string): Promise<Upstream | undefined> {
  const remote = await gitLine(git, root, ["config", "--get", `branch.${branch}.remote`]);
  const merge = await gitLine(git, root, ["config", "--get", `branch.${branch}.merge`]);
  if (remote === undefined || remote === "." || !merge?.startsWith("refs/heads/")) return undefined;
  return { remote, branch: merge.slice("refs/heads/".length) };
}

async function remoteOf({ git, root }: Look, preferred: string | undefined): Promise<Remote | undefined> {
  const names = ((await gitLine(git, root, ["remote"])) ?? "").split("\n").filter(Boolean);
  const name =
    names.find((each) => each === preferred) ?? names.find((each) => each === "origin") ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined) return undefined;
  const url = await gitLine(git, root, ["remote", "get-url", "--push", name]);
  return url === undefined ? undefined : { name, url: withoutCredentials(url) };
}

type BaseOf = { branch: string | undefined; remote: Remote | undefined; upstream: Upstream | undefined };

async function baseOf({ git, root }: Look, { branch, remote, upstream }: BaseOf): Promise<string | undefined> {
  if (remote && upstream?.remote === remote.name) return upstream.branch;
  const start = remote && `refs/remotes/${remote.name}/`;
  const head = start && (await gitLine(git, root, ["symbolic-ref", "--quiet", `${start}HEAD`]));
  return head?.startsWith(start!) ? head.slice(start!.length) : branch;
}

async function changesIn({ git, root }: Look): Promise<Pick<Usable, "changed" | "untracked">> {
  const filters = await withoutRepositoryFilters(git, root);
  const { stdout } = await git(root, [...filters, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"]);
  const lines = stdout.split("\0").filter(Boolean);
  const paths = (isUntracked: boolean) => lines.filter((line) => line.startsWith("??") === isUntracked).map((line) => line.slice(3));
  return { changed: paths(false), untracked: paths(true) };
}

/** From lines as printed by `git ls-files --stage`. */
function namesOf(index: string, is: (mode: string, path: string) => boolean): string[] {
  return index.split("\0").flatMap((line) => {
    const path = line.slice(line.indexOf("\t") + 1);
    return line !== "" && is(line.slice(0, 6), path) ? [path] : [];
  });
}

function attributeFiles({ root }: Look, index: string): string[] {
  const files = namesOf(index, (mode, path) => mode.startsWith("100") && /(?:^|\/)\.gitattributes$/.test(path));
  return files.flatMap((path) => (existsSync(join(root, path)) ? [readFileSync(join(root, path), "utf8")] : []));
}

/** The hooks folder of the settings, except for ours, which is last and turns all hooks off (own-git.ts). */
async function hooksOf({ git, root }: Look, gitFolder: string): Promise<Usable["hooks"]> {
  const { stdout } = await git(root, ["config", "--type=path", "--get-all", "core.hooksPath"]);
  const set = stdout
    .split("\n")
    .filter((path) => path !== "" && path !== "/dev/null")
    .at(-1);
  const folder = set === undefined ? join(gitFolder, "hooks") : resolve(root, set);
  const names = ["pre-commit", "prepare-commit-msg", "commit-msg", "pre-push"];
  return { folder, names: names.filter((name) => isExecutable(join(folder, name))) };
}

const isPushed = async ({ git, root }: Look, reference: string) =>
  (await git(root, ["merge-base", "--is-ancestor", "HEAD", reference])).code === 0;

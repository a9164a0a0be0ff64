// Facts about a repository that are needed before worktrees are made of it. Read-only; starts no program of the repository.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LackingFiles, Remote, RepositoryFacts, UsableRepository } from "../../../batch/repository.ts";
import { isExecutable } from "../../display/start-check.ts";
import { homeFolder } from "../../home-folder.ts";
import { gitAlone, gitLine, gitMissing, type OwnGit, ownGit, repositoryPlace, repositorySettings } from "../own-git.ts";
import type { Setting } from "../own-settings.ts";
import { isInGitFolder, type PlaceFinding } from "../places.ts";
import { withoutCredentials } from "../remote-address.ts";
import { untrustedText } from "../untrusted-file.ts";

type Usable = Extract<RepositoryFacts, { kind: "usable" }>;
/** `settings`: those of the repository itself, as data. */
type Look = { git: OwnGit; root: string; settings: readonly Setting[] };

export async function repositoryFacts(git: OwnGit, folder: string): Promise<RepositoryFacts> {
  const usable = await usableRepository(git, folder);
  if (usable.kind === "unusable") return usable;
  const { root, head } = usable;
  const found = await repositoryPlace(folder);
  if (found.kind !== "found") return { kind: "unusable", reason: `${folder} is in no git repository any more.` };
  const { gitDir, commonDir: gitFolder } = found.place;
  const look = { git, root, settings: (await repositorySettings(folder)) ?? [] };
  const branch = await gitLine(git, root, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const upstream = branch === undefined ? undefined : await upstreamOf(look, branch);
  const remote = await remoteOf(look, upstream?.remote);
  const base = await baseOf(look, { branch, remote, upstream });
  return {
    kind: "usable",
    root,
    gitFolder,
    head,
    branch,
    base,
    remote,
    underWay: underWay(gitDir),
    ...(await changesIn(look)),
    ...(await lackingFiles(git, root)),
    shallow: (await gitLine(git, root, ["rev-parse", "--is-shallow-repository"])) === "true",
    hooks: await hooksOf(look, gitFolder),
    headIsPushed: remote !== undefined && base !== undefined && (await isPushed(look, `refs/remotes/${remote.name}/${base}`)),
    hasIdentity: (await git(root, ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"])).code === 0,
    signsCommits: await signsCommits(look),
  };
}

/** What no worktree of it has. */
export async function lackingFiles(git: OwnGit, root: string): Promise<LackingFiles> {
  const { stdout } = await git(root, ["ls-files", "--stage", "-z"]);
  return { submodules: namesOf(stdout, (mode) => mode === "160000"), lfs: await lfsIn(git, root, attributeFiles(root, stdout)) };
}

async function lfsIn(git: OwnGit, root: string, attributes: string[]): Promise<Usable["lfs"]> {
  if (!attributes.some((text) => /\bfilter=lfs\b/.test(text))) return "none";
  const isNeeded = (await gitLine(git, root, ["config", "--type=bool", "--get", "filter.lfs.required"])) === "true";
  const isInstalled = (process.env["PATH"] ?? "").split(":").some((folder) => folder !== "" && isExecutable(join(folder, "git-lfs")));
  return isNeeded && !isInstalled ? "missing" : "pointers";
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

const underWay = (gitDir: string) => operations.find(([file]) => existsSync(join(gitDir, file)))?.[1];

/** Whether the person's own commits in that folder are signed. */
export async function areSigned(folder: string): Promise<boolean> {
  const { PATH = "", HOME = "" } = process.env;
  return signsCommits({ git: ownGit({ PATH, HOME }), root: folder, settings: (await repositorySettings(folder)) ?? [] });
}

async function signsCommits(look: Look): Promise<boolean> {
  return /^(?:true|yes|on|1)$/i.test((await settingOf(look, "commit.gpgsign")) ?? "");
}

/** What the repository sets, else the person. git has our own value last (own-settings.ts), which does not count. */
async function settingOf({ git, root, settings }: Look, key: string): Promise<string | undefined> {
  const own = settings.findLast(([name]) => name === key);
  if (own) return own[1];
  const { stdout } = await git(root, ["config", "-z", "--get-all", key]);
  return stdout.split("\0").slice(0, -1).at(-2);
}

/** The repository, if worktrees can be made of it; else why not, and what to do about it. */
export async function usableRepository(git: OwnGit, folder: string): Promise<UsableRepository> {
  const refused = (reason: string) => ({ kind: "unusable" as const, reason });
  if (!existsSync(folder)) return refused(`The folder ${folder} is gone. Put it back there, and try again.`);
  const missing = gitMissing();
  if (missing !== undefined) return refused(`git is needed: ${missing}. Install it, and try again.`);
  const found = await repositoryPlace(folder);
  const [version, head, blocking] = await Promise.all([
    gitAlone(["--version"]),
    git(folder, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]),
    git(folder, ["for-each-ref", "--format=%(refname:short)", "refs/heads/tool"]),
  ]);
  const [text, major, minor] = /(\d+)\.(\d+)/.exec(version.stdout.toString("utf8")) ?? [];
  if (Number(major) * 1000 + Number(minor) < 2039) return refused(`git 2.39 or newer is needed, and ${text} is installed.`);
  if (found.kind !== "found" || isInGitFolder(found.place, folder)) return refused(whyNoTree(found, folder));
  if (head.code !== 0) return refused("The repository has no commit yet, and worktrees start from one. Commit something first.");
  if (blocking.stdout.split("\n").includes("tool"))
    return refused(
      "A branch is named tool, so none can be named tool/…, as those of worktrees are. Rename it: git branch -m tool other-name",
    );
  return { kind: "usable", root: found.place.top, head: head.stdout.trim() };
}

function whyNoTree(found: PlaceFinding, folder: string): string {
  if (found.kind === "found") return `${folder} is inside git's own folder. Change into the working tree.`;
  if (found.kind === "none" && found.bare)
    return `${folder} is a bare repository, without files to change. Clone it, and start in the clone.`;
  if (found.kind === "none") return `${folder} is in no git repository. Change into one, or make one: git init, and a first commit.`;
  if (/dubious ownership/.test(found.why))
    return `Another user owns the repository ${folder}. If you trust it: git config --global --add safe.directory ${folder}`;
  return `The repository of ${folder} cannot be used: ${found.why}.`;
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
  const args = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"];
  const { stdout } = await git(root, args);
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

const largestAttributes = 1024 * 1024;

function attributeFiles(root: string, index: string): string[] {
  const files = namesOf(index, (mode, path) => mode.startsWith("100") && /(?:^|\/)\.gitattributes$/.test(path));
  return files.flatMap((path) => untrustedText(join(root, path), largestAttributes) ?? []);
}

async function hooksOf(look: Look, gitFolder: string): Promise<Usable["hooks"]> {
  const set = await settingOf(look, "core.hookspath");
  const folder = set ? resolve(look.root, set.replace(/^~(?=\/)/, homeFolder())) : join(gitFolder, "hooks");
  const names = ["pre-commit", "prepare-commit-msg", "commit-msg", "pre-push"];
  return { folder, names: names.filter((name) => isExecutable(join(folder, name))) };
}

const isPushed = async ({ git, root }: Look, reference: string) =>
  (await git(root, ["merge-base", "--is-ancestor", "HEAD", reference])).code === 0;

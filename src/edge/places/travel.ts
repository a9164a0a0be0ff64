// Code on its way between home and a place, as bundles of git: what a working tree holds, ignored files apart, becomes a commit of no branch.
// git runs on both sides through our one door.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Travel, Travelling } from "../../places/travel.ts";
import { removeFolder } from "../disk/remove-folder.ts";
import { ownFolder } from "../git/own-folder.ts";
import { gitFault, gitInOwnRepository, type OwnGit, type OwnGitOptions, repositoryPlace } from "../git/own-git.ts";
import { ignoredContents } from "../git/repository/ignored-contents.ts";
import { includePatterns, workFolder } from "../git/repository/ignored-files.ts";
import { type Packed, packedCommit, packedTree } from "../git/snapshot.ts";
import { type AddOrder, worktrees } from "../git/worktrees.ts";
import { inTurn } from "../lock/in-turn.ts";
import { packedFiles, unpackFiles } from "./ignored-pack.ts";

export function travel(git: OwnGit): Travel {
  return {
    packed: async (folder, has) => bundled(await packedTree(git, folder, has.filter(isId))),
    packedCommit: async (folder, commit, has) =>
      has.includes(commit) ? { commit } : bundled(await packedCommit(git, folder, { commit, has: has.filter(isId) })),
    async takeHome(folder, name, came) {
      await unpacked(git, folder, came);
      await done(git, folder, ["update-ref", `refs/tool/places/${name}`, came.commit]);
      await filesOf(git, folder, came.commit);
    },
    async ignored(root, { isClosed, mostBytes }) {
      const patterns = includePatterns(root);
      if (patterns === "") return { brought: [], left: [] };
      const { files, brought, left } = await ignoredContents(git, { from: root, patterns, isHidden: await isClosed(), mostBytes });
      return { brought, left, ...(files.length > 0 && { pack: packedFiles({ files, brought }) }) };
    },
    async bring(top, pack) {
      const found = await repositoryPlace(top);
      if (found.kind !== "found") throw new Error(`Cannot bring ignored files: ${top} is no working tree`);
      unpackFiles(pack, { top, exclude: join(found.place.commonDir, "info/exclude") });
    },
    known: async (folder, key) => (await Promise.all(keptOf(folder, key).map((repository) => known(git, repository)))).flat(),
    async arrive(folder, { key, name, top, within, ...came }) {
      const repository = await keptRepository(folder, key, came.commit);
      const order: AddOrder = { folder: top, branch: `tool/work/${name}`, commit: came.commit, ignored: "leave" };
      const added = await inTurn(turnOf(repository), async () => {
        await unbundled(git, repository, came); // the worktree sees that the commit is there
        const [made] = await Promise.all([
          treesIn(git, folder, repository).add(order),
          done(git, repository, ["update-ref", `refs/tool/work/${name}`, came.commit]),
        ]);
        return made;
      });
      if (!added.ok) throw new Error(added.reason);
      if (added.from !== "new") await filesOf(git, top, came.commit); // it is there from an earlier session
      return workFolder(top, within);
    },
    async follow(folder, { from, ...came }) {
      await unpacked(git, folder, came);
      await done(git, folder, ["read-tree", from]);
      await git(folder, ["update-index", "-q", "--refresh"]);
      const merged = await git(folder, ["read-tree", "-m", "-u", from, came.commit]);
      if (merged.code !== 0) await filesOf(git, folder, came.commit);
      await done(git, folder, ["update-ref", "HEAD", came.commit]);
    },
    async leave(folder, { key, name }) {
      removeFolder(join(folder, "work", name));
      for (const repository of keptOf(folder, key)) {
        await inTurn(turnOf(repository), () => treesIn(git, folder, repository).discard(join(folder, "work", name, "tree")));
        await git(repository, ["update-ref", "--no-deref", "-d", `refs/heads/tool/work/${name}`]);
      }
    },
  };
}

/** Beside git's folder, of which it is no part. */
const turnOf = (repository: string) => join(repository, "turn");

const treesIn = (git: OwnGit, folder: string, repository: string) =>
  worktrees({ git, repository, home: join(folder, "work"), closed: async () => () => false });

/** As `git bundle create` writes it, which takes a reference and so three processes instead of one. */
function bundled({ commit, there, pack }: Packed): Travelling {
  if (!pack) return { commit };
  const version = formatOf(commit) === "sha1" ? "# v2 git bundle\n" : "# v3 git bundle\n@object-format=sha256\n";
  const head = `${version}${there.map((id) => `-${id}\n`).join("")}${commit} refs/tool/travel\n\n`;
  return { commit, bundle: Buffer.concat([Buffer.from(head), pack]) };
}

/** Adds the objects of a bundle, which are checked; afterwards that commit is there, or this throws. */
async function unpacked(git: OwnGit, folder: string, came: Travelling): Promise<void> {
  await unbundled(git, folder, came);
  await done(git, folder, ["rev-parse", "--quiet", "--verify", `${came.commit}^{tree}`]);
}

async function unbundled(git: OwnGit, folder: string, { commit, bundle }: Travelling): Promise<void> {
  if (!isId(commit)) throw new Error(`Cannot take what came: ${JSON.stringify(commit.slice(0, 80))} is no commit`);
  if (!bundle) return;
  const at = join(ownFolder(), "bundles");
  mkdirSync(at, { recursive: true, mode: 0o700 });
  const file = join(at, `${process.pid}-in-${commit}`);
  try {
    writeFileSync(file, bundle, { mode: 0o600 });
    await takenIn(git, folder, { file, at });
  } finally {
    rmSync(file, { force: true });
  }
}

/** git looks at the heads of all worktrees, one of which another process may be making. */
async function takenIn(git: OwnGit, folder: string, { file, at }: { file: string; at: string }): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const end = await git(folder, ["-c", "transfer.fsckObjects=true", "bundle", "unbundle", file], { writable: [at] });
    if (end.code === 0) return;
    if (attempt === attempts || !/worktrees\//.test(end.stderr)) throw new Error(`git bundle failed: ${gitFault(end)}`);
    await setTimeout(attempt * pauseMs);
  }
}

const attempts = 20;
const pauseMs = 20;

/** Makes the files of a working tree of ours those of this commit; its HEAD stays. */
const filesOf = (git: OwnGit, folder: string, commit: string) => done(git, folder, ["read-tree", "--reset", "-u", commit]);

type ObjectFormat = "sha1" | "sha256";

/** Where a place keeps a repository: one for each of home's, under a name that says nothing of home. */
const keptAt = (folder: string, key: string, format: ObjectFormat) =>
  join(folder, "repositories", format === "sha1" ? key : `${key}-${format}`);

/** Two where home's was made anew with objects of another format. */
const keptOf = (folder: string, key: string) =>
  (["sha1", "sha256"] as const).map((format) => keptAt(folder, key, format)).filter((at) => existsSync(join(at, ".git")));

/** The one for this commit, made if it is not there. */
async function keptRepository(folder: string, key: string, commit: string): Promise<string> {
  const format = formatOf(commit);
  const at = keptAt(folder, key, format);
  if (existsSync(join(at, ".git"))) return at;
  // Several hands may begin at once, on several machines: it is there as a whole or not at all.
  const part = `${at}.${randomUUID()}`;
  mkdirSync(part, { recursive: true, mode: 0o700 });
  await gitInOwnRepository(part, ["init", "--quiet", `--object-format=${format}`], `Cannot keep a repository in ${at}`);
  try {
    renameSync(part, at);
  } catch (error) {
    removeFolder(part);
    if (!existsSync(join(at, ".git"))) throw error;
  }
  return at;
}

/** The commits that work began from here, the newest first. */
async function known(git: OwnGit, repository: string): Promise<string[]> {
  const { stdout } = await git(repository, [
    "for-each-ref",
    "--sort=-creatordate",
    "--count=50",
    "--format=%(objectname)",
    "refs/tool/work/",
  ]);
  return stdout.split("\n").filter((line) => isId(line));
}

async function done(git: OwnGit, folder: string, args: string[], options: OwnGitOptions = {}): Promise<void> {
  const end = await git(folder, args, options);
  if (end.code !== 0) throw new Error(`git ${args.find((word) => !word.startsWith("-") && !word.includes("="))} failed: ${gitFault(end)}`);
}

const formatOf = (commit: string): ObjectFormat => (commit.length === 64 ? "sha256" : "sha1");

const isId = (text: string) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

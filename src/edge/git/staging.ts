// Stages what an agent has changed in a worktree of ours. git would look into repositories inside it, with their settings: they are left out
// and recorded by their commit. It works on a copy of the index that no agent can write, so that none can add such a repository meanwhile.
import { closeSync, existsSync, lstatSync, openSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, ifPossible } from "../system-error.ts";
import { inOwnFolder } from "./own-folder.ts";
import { gitFault, type OwnGit, type OwnGitOptions, repositoryPlace, repositorySettings } from "./own-git.ts";
import { kindOfIndex } from "./repository/gitlinks.ts";
import { putFile } from "./repository/put-file.ts";
import { readUntrusted } from "./untrusted-file.ts";

/** A reason ends a sentence. */
export type Staged<T> = { ok: true; value: T } | { ok: false; reason: string };

/** Puts everything that git does not ignore into the worktree's index. */
export function stageEverything(git: OwnGit, folder: string): Promise<Staged<undefined>> {
  return withEverything(git, folder, async ({ file, index }) => putBack(file, index));
}

/** The tree of everything that git does not ignore; the worktree's index stays as it is. */
export function treeOfEverything(git: OwnGit, folder: string): Promise<Staged<string>> {
  return withEverything(git, folder, async ({ own }) => {
    const tree = await own(["write-tree"]);
    return tree.code === 0 ? { ok: true, value: tree.stdout.trim() } : { ok: false, reason: gitFault(tree) };
  });
}

/** `file`: the copy. `mayHaveLinks`: whether an entry may be a repository inside by now. `own`: git with it. */
export type IndexCopy = {
  file: string;
  index: string;
  mayHaveLinks: () => boolean;
  own: (args: string[], options?: OwnGitOptions) => ReturnType<OwnGit>;
};

function withEverything<T>(git: OwnGit, folder: string, use: (copy: IndexCopy) => Promise<Staged<T>>): Promise<Staged<T>> {
  return withIndexCopy(git, folder, async (copy) => {
    const problem = await addFiles(git, folder, { ...copy, which: "all" });
    return problem === undefined ? use(copy) : { ok: false, reason: problem };
  });
}

/** Works on a copy of a working tree's index. */
export async function withIndexCopy<T>(git: OwnGit, folder: string, use: (copy: IndexCopy) => Promise<Staged<T>>): Promise<Staged<T>> {
  const found = await repositoryPlace(folder);
  if (found.kind !== "found") return { ok: false, reason: found.kind === "refused" ? found.why : `${folder} is no worktree` };
  const index = join(found.place.gitDir, "index");
  const written = timeOf(index);
  const content = readUntrusted(index, { most: largestIndex });
  if (content.kind === "refused") return { ok: false, reason: `${index} ${content.why}` };
  return inOwnFolder(async (place) => {
    const file = join(place, "index");
    if (content.kind === "read") writeCopy(file, content.bytes, written);
    const own: IndexCopy["own"] = (args, options = {}) =>
      git(folder, args, { ...options, env: { ...options.env, GIT_INDEX_FILE: file }, writable: [place] });
    const isLong = (await repositorySettings(folder))?.some(([key, value]) => key === "extensions.objectformat" && value !== "sha1");
    let known: { of: string; is: ReturnType<typeof kindOfIndex> } | undefined;
    const kindNow = () => {
      const { ino = 0, mtimeNs = 0 } = lstatSync(file, { throwIfNoEntry: false, bigint: true }) ?? {};
      const of = `${ino} ${mtimeNs}`; // git replaces it
      if (known?.of !== of) known = { of, is: kindOfIndex(ifPossible(() => readFileSync(file)) ?? Buffer.alloc(0), isLong ? 32 : 20) };
      return known.is;
    };
    if (kindNow().isSplit) {
      const whole = await own(["update-index", "--no-split-index"]);
      if (whole.code !== 0) return { ok: false, reason: gitFault(whole) };
    }
    if (kindNow().kind === "odd") return { ok: false, reason: `${index} is not as git writes it` };
    return await use({ file, index, mayHaveLinks: () => kindNow().kind !== "files", own });
  });
}

export const largestIndex = 2 ** 31 - 1;

/** A copy keeps its time: git trusts the recorded size and time of a file only if the index is newer than that, by whole seconds. */
function writeCopy(file: string, bytes: Buffer, seconds: number): void {
  writeFileSync(file, bytes, { mode: 0o600 });
  utimesSync(file, seconds, seconds);
}

/** In whole seconds. Asked before it is read: a time that is too early only makes git compare more. */
export const timeOf = (file: string) => Math.floor((lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 1_000) / 1_000);

type Adding = Pick<IndexCopy, "own" | "mayHaveLinks"> & { which: "all" | "tracked" };

/**
 * Stages what git does not ignore, or only what it tracks. Undefined, or why not. Links that are not in the index yet are left out: git makes one
 * of each repository inside, and an agent may have made that where nobody looks for it.
 */
export async function addFiles(git: OwnGit, folder: string, { own, mayHaveLinks, which }: Adding): Promise<string | undefined> {
  const inside = await repositoriesInside(git, folder, { own, mayHaveLinks });
  if (!inside.ok) return inside.reason;
  const { around, links } = inside.value;
  const added = await own(["add", which === "all" ? "--all" : "--update", "--", ...around]);
  if (added.code !== 0) return gitFault(added);
  const after = which === "all" && mayHaveLinks() ? await linksIn(own) : { ok: true as const, value: [] };
  if (!after.ok) return after.reason;
  const fresh = after.value.filter(({ path }) => !links.some((link) => link.path === path));
  const changes = inside.value.changes + fresh.map(removal).join("");
  if (changes === "") return undefined;
  const noted = await own(["update-index", "-z", "--index-info"], { input: changes });
  return noted.code === 0 ? undefined : gitFault(noted);
}

/** `around`: everything but them, as arguments of git. `changes`: of their commits, for `update-index -z --index-info`. */
export type Inside = { around: string[]; changes: string; links: Link[] };

/** The repositories inside that the index has. */
export async function repositoriesInside(
  git: OwnGit,
  folder: string,
  { own, mayHaveLinks }: Pick<IndexCopy, "own" | "mayHaveLinks">,
): Promise<Staged<Inside>> {
  if (!mayHaveLinks()) return { ok: true, value: { around: ["."], changes: "", links: [] } }; // one process less for nearly every repository
  const found = await linksIn(own);
  if (!found.ok) return found;
  const links = found.value;
  const changes = (await Promise.all(links.map((link) => changeOf(git, folder, link)))).flat().join("");
  return { ok: true, value: { around: [".", ...links.map(({ path }) => `:(exclude,top,literal)${path}`)], changes, links } };
}

async function linksIn(own: IndexCopy["own"]): Promise<Staged<Link[]>> {
  const listed = await own(["ls-files", "--stage", "-z"]);
  if (listed.code !== 0) return { ok: false, reason: gitFault(listed) };
  const links = listed.stdout.split("\0").flatMap((entry): Link[] => {
    const [, id, path] = /^160000 ([0-9a-f]+) \d\t(.*)$/s.exec(entry) ?? [];
    return id && path ? [{ id, path }] : [];
  });
  const odd = links.find(({ path }) => path.includes("\uFFFD") || path.split("/").some((name) => ["", ".", ".."].includes(name)));
  if (odd) return { ok: false, reason: `its index has a link to ${odd.path}, which leads to another repository than it names` };
  return { ok: true, value: links };
}

/** A repository inside, by its commit and its path. */
type Link = { id: string; path: string };

const removal = ({ id, path }: Link) => `0 ${"0".repeat(id.length)}\t${path}\0`;

/** A line for `update-index --index-info`, if the repository inside has another commit, or is gone. */
async function changeOf(git: OwnGit, folder: string, { id, path }: Link): Promise<string[]> {
  const inside = join(folder, path);
  if (!existsSync(inside)) return [removal({ id, path })];
  if (!existsSync(join(inside, ".git"))) return []; // not checked out
  const { code, stdout } = await git(inside, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]);
  return code === 0 && stdout.trim() !== id ? [`160000 ${stdout.trim()}\t${path}\0`] : [];
}

/** As git replaces its index: under the lock of that name. */
function putBack(file: string, index: string): Staged<undefined> {
  const lock = `${index}.lock`;
  try {
    closeSync(openSync(lock, "wx", 0o644));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return { ok: false, reason: `${lock} is there: another git works in this worktree` };
  }
  try {
    const written = timeOf(file);
    const content = readUntrusted(file, { most: largestIndex });
    if (content.kind !== "read") throw new Error(`${file} is gone`);
    putFile(index, content.bytes, written);
    return { ok: true, value: undefined };
  } finally {
    rmSync(lock, { force: true });
  }
}

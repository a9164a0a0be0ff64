// Commits that only this repository has, as packs that are kept outside of it, and what of them is there and has a name.
import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CommitPack, NameOrder, ObjectList, PackOrder } from "../../../agent/ports/repository-port.ts";
import { writeNew } from "../../disk/durable.ts";
import { ifPossible } from "../../system-error.ts";
import { git, ownGit } from "../own-git.ts";
import { findRepository } from "../places.ts";

const limitMs = 60_000;
/** More is not held in memory. */
const mostBytes = 32 * 1024 * 1024;
const mostStashes = 1_000;
/** To pack the history of a larger repository takes longer than anybody would wait for. */
const mostHistoryKb = 4 * 1024;

const lines = (list: readonly string[]) => list.map((one) => `${one}\n`).join("");

const reasonOf = (stderr: string) =>
  stderr
    .trim()
    .split("\n")[0]!
    .replace(/^(?:fatal|error): /, "") || "git says no more";

/** Writes what the commits need that those of `except` do not have to the file `to`. */
export async function packCommits(order: PackOrder, signal: AbortSignal): Promise<CommitPack> {
  const { top, ids, except, to } = order;
  const input = lines([...ids, ...except.map((id) => `^${id}`)]);
  const args = ["pack-objects", "--revs", "--stdout", "-q"];
  const { code, stdout, stderr } = await git(top, args, { input, limitMs, signal, headBytes: mostBytes });
  if (stdout.length >= mostBytes) return { kind: "failed", why: "they are too large" };
  if (code !== 0) return { kind: "failed", why: reasonOf(stderr) };
  rmSync(to, { force: true }); // of a process that was killed
  writeNew(to, stdout);
  return { kind: "packed" };
}

/** The commit that is checked out, in a repository whose whole history is too large to be kept; else nothing. */
export async function largeHistory(top: string): Promise<string[]> {
  const { stdout: counted } = await git(top, ["count-objects", "-v"]);
  const sizes = [...counted.toString("latin1").matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, kb]) => Number(kb));
  if (sizes.reduce((sum, kb) => sum + kb, 0) <= mostHistoryKb) return [];
  const { code, stdout } = await git(top, ["rev-parse", "--verify", "-q", "HEAD"]);
  return code === 0 ? [stdout.toString("latin1").trim()] : [];
}

/** The commits of all stashes, the newest first. */
export async function stashes(top: string): Promise<string[]> {
  const { stdout } = await git(top, ["log", "--walk-reflogs", `--max-count=${mostStashes}`, "--format=%H", "refs/stash"]);
  return stdout.toString("latin1").split("\n").filter(Boolean);
}

/** Those of the ids whose objects the repository does not have. */
export async function missingCommits(top: string, ids: readonly string[]): Promise<string[]> {
  const { code, stdout } = await git(top, ["cat-file", "--batch-check"], { input: lines(ids) });
  const answers = stdout.toString("latin1").split("\n");
  return code === 0 ? ids.filter((_, at) => answers[at]?.endsWith(" missing")) : [];
}

/** Puts the objects of a pack into the repository. Returns why it could not. */
export async function unpackCommits(top: string, pack: string, signal: AbortSignal): Promise<string | undefined> {
  const input = ifPossible(() => readFileSync(pack));
  if (!input) return "the pack cannot be read";
  const { code, stderr } = await ownGit({})(top, ["unpack-objects", "-q"], { input, signal });
  return code === 0 ? undefined : reasonOf(stderr);
}

const namesOf: Record<NameOrder["holders"], string[]> = {
  branches: ["--branches", "--tags"],
  own: ["--exclude=refs/remotes/*", "--all"],
  all: ["--all"],
};

/** Those of the ids to which none of the names leads any more; with `logged`, no log of git either. Undefined if git does not say. */
export async function unnamedCommits(
  top: string,
  ids: readonly string[],
  { holders, logged, signal }: NameOrder,
): Promise<Set<string> | undefined> {
  const args = ["rev-list", "--stdin", "--ignore-missing", "--not", ...namesOf[holders], ...(logged ? ["--reflog"] : [])];
  const { code, stdout } = await git(top, args, { input: lines(ids), signal, headBytes: mostBytes });
  if (code !== 0) return undefined;
  const found = new Set(stdout.toString("latin1").split("\n"));
  return new Set(ids.filter((id) => found.has(id)));
}

/** `last` itself while nothing has changed. The files of the objects, and of packs. */
export function objectFiles(top: string, last?: ObjectList): ObjectList {
  const found = findRepository(top);
  const folder = found.kind === "found" ? join(found.place.commonDir, "objects") : undefined;
  const names = (path: string) => (folder === undefined ? [] : (ifPossible(() => readdirSync(join(folder, path))) ?? []));
  const folders = ["", ...names("").filter((name) => /^(?:[0-9a-f]{2}|pack)$/.test(name))];
  const stamps = folders.map((name) => `${name} ${folder && ifPossible(() => lstatSync(join(folder, name), { bigint: true }).ctimeNs)}`);
  const mark = [folder, ...stamps].join("\n");
  if (last?.mark === mark) return last;
  return { mark, names: new Set(folders.flatMap((name) => names(name).map((file) => `${name}/${file}`))) };
}

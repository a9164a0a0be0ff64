// Commits that only this repository has, as packs that are kept outside of it, and what of them is there and has a name.
import { readFileSync, rmSync } from "node:fs";
import type { CommitPack, PackOrder } from "../../../agent/ports/repository-port.ts";
import { writeNew } from "../../disk/durable.ts";
import { ifPossible } from "../../system-error.ts";
import { git, ownGit } from "../own-git.ts";

const limitMs = 60_000;
/** More is not held in memory. */
const mostBytes = 32 * 1024 * 1024;
const mostStashes = 1_000;
/** To pack the history of a larger repository takes longer than anybody would wait for. */
const mostHistoryKb = 4 * 1024;

const lines = (list: readonly string[]) => list.map((one) => `${one}\n`).join("");

/** Writes what the commits need that those of `except` do not have to the file `to`. */
export async function packCommits(order: PackOrder, signal: AbortSignal): Promise<CommitPack> {
  const { top, ids, except, to } = order;
  const input = lines([...ids, ...except.map((id) => `^${id}`)]);
  const args = ["pack-objects", "--revs", "--stdout", "-q"];
  const { code, stdout, stderr } = await git(top, args, { input, limitMs, signal, headBytes: mostBytes });
  if (stdout.length >= mostBytes) return { kind: "failed", why: "they are too large" };
  if (code !== 0) return { kind: "failed", why: stderr.trim().replace(/^fatal: /, "") || "git gave no pack" };
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

/** Puts the objects of a pack into the repository. Returns whether they are there. */
export async function unpackCommits(top: string, pack: string): Promise<boolean> {
  const input = ifPossible(() => readFileSync(pack));
  return input !== undefined && (await ownGit({})(top, ["unpack-objects", "-q"], { input })).code === 0;
}

/** How many of the commits up to this one no branch, tag or HEAD leads to; with `logged`, no log of git either. Undefined where one of them is not there. */
export async function unnamedCommits(top: string, id: string, { logged = false } = {}): Promise<number | undefined> {
  const { code, stdout } = await git(top, ["rev-list", "--count", id, "--not", "--all", ...(logged ? ["--reflog"] : []), "HEAD"]);
  return code === 0 ? Number(stdout.toString("latin1")) : undefined;
}

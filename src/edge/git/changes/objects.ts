// Commits, trees and merges that touch no working tree and no reference, many in one process of git.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Merged } from "../../../changes/repository.ts";
import type { Stage } from "../../../changes/taking.ts";
import { ownFolder } from "../own-folder.ts";
import { gitFault, type OwnGit } from "../own-git.ts";

/** The ids of objects by any name that git knows, such as `main^{tree}`; undefined for those that are not there. */
export async function resolve(git: OwnGit, folder: string, names: string[]): Promise<(string | undefined)[]> {
  if (names.length === 0) return [];
  const { stdout } = await said(git, folder, ["cat-file", "--batch-check=%(objectname)"], `${names.join("\n")}\n`);
  return stdout.split("\n").map((line) => (/^[0-9a-f]{40,64}$/.test(line) ? line : undefined));
}

/** A commit for comparisons only: the same content has the same id, whenever it is made. */
export type Plain = { tree: string; parents: string[] };

/** Writes them in one process. Their ids are known before. */
export async function writeCommits(git: OwnGit, folder: string, commits: Plain[]): Promise<void> {
  if (commits.length === 0) return;
  const parent = join(ownFolder(), "commits");
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const place = mkdtempSync(join(parent, `${process.pid}-`));
  try {
    const files = commits.map((commit, at) => {
      writeFileSync(join(place, `${at}`), textOf(commit), { mode: 0o600 });
      return join(place, `${at}`);
    });
    await said(git, folder, ["hash-object", "-t", "commit", "-w", "--stdin-paths"], `${files.join("\n")}\n`);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const signature = "tool <tool@localhost> 0 +0000";
export const textOf = ({ tree, parents }: Plain): string =>
  `tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join("")}author ${signature}\ncommitter ${signature}\n\ncompared\n`;

/** The id that git gives it, by the length of the repository's other ids. */
export function idOf(commit: Plain): string {
  const text = Buffer.from(textOf(commit));
  const hash = createHash(commit.tree.length === 64 ? "sha256" : "sha1");
  return hash.update(`commit ${text.length}\0`).update(text).digest("hex");
}

/** Two commits whose merge is the three-way merge of these trees over `base`, and what must be written for that. */
export function over(base: string, ours: string, theirs: string): { pair: [string, string]; commits: Plain[] } {
  const root: Plain = { tree: base, parents: [] };
  const sides = [ours, theirs].map((tree): Plain => ({ tree, parents: [idOf(root)] }));
  return { pair: sides.map(idOf) as [string, string], commits: [root, ...sides] };
}

/** Merges each pair. Where nothing is in conflict, `files` is empty. */
export async function mergeAll(git: OwnGit, folder: string, pairs: readonly (readonly [string, string])[]): Promise<Merged[]> {
  if (pairs.length === 0) return [];
  const input = pairs.map((pair) => `${pair.join(" ")}\n`).join("");
  const { stdout } = await said(git, folder, ["merge-tree", "--write-tree", "--no-messages", "-z", "--stdin"], input);
  const fields = stdout.split("\0");
  const merged: Merged[] = [];
  for (let at = 0; merged.length < pairs.length && at < fields.length; ) {
    const [status, tree = ""] = fields.slice(at, at + 2);
    const end = fields.indexOf("", at + 2);
    if (!/^[01]$/.test(status ?? "") || end < 0) break;
    const stages = status === "1" ? [] : fields.slice(at + 2, end).flatMap(stageOf);
    merged.push({ tree, stages, files: [...new Set(stages.map(({ path }) => path))] });
    at = end + 1;
  }
  if (merged.length < pairs.length) throw new Error(`git merge-tree answered ${merged.length} of ${pairs.length} merges`);
  return merged;
}

function stageOf(field: string): Stage[] {
  const [, mode, object, stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t(.*)$/s.exec(field) ?? [];
  return mode && object && path ? [{ mode, object, stage: Number(stage), path }] : [];
}

/** Throws with git's own words. */
export async function said(git: OwnGit, folder: string, args: string[], input?: string): ReturnType<OwnGit> {
  const result = await git(folder, args, input === undefined ? {} : { input });
  if (result.code !== 0) throw new Error(`git ${args[0]} failed in ${folder}: ${gitFault(result)}`);
  return result;
}

/** The fields of what git printed with `-z`. */
export const fieldsOf = (stdout: string): string[] => stdout.split("\0").filter(Boolean);

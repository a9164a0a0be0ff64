// A change of a few files as two commits that are on no branch: only these files are in them, so that they say nothing about any other.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MadeFile } from "../../../changes/repository.ts";
import { ownFolder } from "../own-folder.ts";
import type { OwnGit } from "../own-git.ts";
import { withIndexCopy } from "../staging.ts";
import { fieldsOf, idOf, type Plain, said, writeCommits } from "./objects.ts";

/** Without files that git ignores. Undefined if nothing else is left. */
export async function made(git: OwnGit, root: string, files: readonly MadeFile[]): Promise<{ from: string; tip: string } | undefined> {
  const asked = await git(root, ["check-ignore", "-z", "--stdin"], { input: files.map(({ path }) => `${path}\0`).join("") });
  const ignored = new Set(fieldsOf(asked.stdout));
  const own = files.filter(({ path }) => !ignored.has(path));
  if (own.length === 0) return undefined;
  const ids = await blobs(
    git,
    root,
    own.flatMap(({ before, after }) => [before, after]).filter((bytes) => bytes !== null),
  );
  const side = (of: (file: MadeFile) => Buffer | null) =>
    own.flatMap((file) => {
      const bytes = of(file);
      return bytes === null ? [] : [`100644 ${ids.get(bytes)}\t${file.path}\0`];
    });
  const trees = await Promise.all([side(({ before }) => before), side(({ after }) => after)].map((lines) => treeOf(git, root, lines)));
  const [base, tree] = trees;
  if (base === undefined || tree === undefined) return undefined;
  const from: Plain = { tree: base, parents: [] };
  const tip: Plain = { tree, parents: [idOf(from)] };
  await writeCommits(git, root, [from, tip]);
  return { from: idOf(from), tip: idOf(tip) };
}

async function blobs(git: OwnGit, root: string, contents: readonly Buffer[]): Promise<Map<Buffer, string>> {
  mkdirSync(join(ownFolder(), "contents"), { recursive: true, mode: 0o700 });
  const place = mkdtempSync(join(ownFolder(), "contents", `${process.pid}-`));
  try {
    const paths = contents.map((bytes, at) => {
      writeFileSync(join(place, `${at}`), bytes, { mode: 0o600 });
      return join(place, `${at}`);
    });
    const { stdout } = await said(git, root, ["hash-object", "-w", "--no-filters", "--stdin-paths"], `${paths.join("\n")}\n`);
    const ids = stdout.split("\n");
    return new Map(contents.map((bytes, at) => [bytes, ids[at] ?? ""]));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function treeOf(git: OwnGit, root: string, lines: readonly string[]): Promise<string | undefined> {
  const answer = await withIndexCopy<string>(git, root, async ({ own }) => {
    await own(["read-tree", "--empty"]);
    await own(["update-index", "-z", "--index-info"], { input: lines.join("") });
    const written = await own(["write-tree"]);
    return written.code === 0 ? { ok: true, value: written.stdout.trim() } : { ok: false, reason: "" };
  });
  return answer.ok ? answer.value : undefined;
}

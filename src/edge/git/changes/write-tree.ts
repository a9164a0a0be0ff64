// Writes the person's working tree, for a take: git checks that nothing of theirs is overwritten and then changes the files, on a copy of the
// index, while we hold git's own lock of it. Files and branch change together or not at all; a kill at any moment leaves what `again` goes on from.
import { linkSync, lstatSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Written } from "../../../changes/repository.ts";
import type { Move } from "../../../changes/taking.ts";
import { writeNew } from "../../disk/durable.ts";
import { ifPossible, unless } from "../../system-error.ts";
import { gitFault, gitLine, type OwnGit } from "../own-git.ts";
import { putFile } from "../repository/put-file.ts";
import { addFiles, type IndexCopy, largestIndex, timeOf, withIndexCopy } from "../staging.ts";
import { readUntrusted, untrustedText } from "../untrusted-file.ts";
import { fieldsOf } from "./objects.ts";

type Order = { git: OwnGit; root: string; move: Move; how: "first" | "again" };
type Step = (order: Order, copy: IndexCopy) => Promise<Written | undefined>;

/** The caller is the only one of our processes that takes here. */
export async function writeTree(order: Order): Promise<Written> {
  const { git, root } = order;
  const done = await withIndexCopy<Written>(git, root, async (copy) => {
    const lock = `${copy.index}.lock`;
    if (!takeLock(lock)) return { ok: true, value: { kind: "busy", lock } };
    let written: Written | undefined;
    try {
      written = await inTurn(order, copy);
    } finally {
      if (written !== undefined && written.kind !== "foreign") rmSync(lock, { force: true });
    }
    return { ok: true, value: written };
  });
  return done.ok ? done.value : { kind: "failed", reason: done.reason };
}

const steps: readonly Step[] = [asItIs, finishOthers, changeFiles, moveBranch, install];

async function inTurn(order: Order, copy: IndexCopy): Promise<Written> {
  for (const step of steps) {
    const end = await step(order, copy);
    if (end) return end;
  }
  return { kind: "written" };
}

/** What our lock says: it belongs to nobody else, so that after a kill it is ours to take over. */
const lockText = "tool take: if no such process runs, `tool take --continue` removes this file\n";

function takeLock(lock: string): boolean {
  const beside = `${lock}.tool-take`;
  rmSync(beside, { force: true });
  writeNew(beside, lockText);
  unless("EEXIST", () => linkSync(beside, lock), undefined); // with its text, or not at all
  rmSync(beside);
  return untrustedText(lock, lockText.length + 1) === lockText; // a command may have left a pipe or a link there
}

/** Gives the copy the files that are to count as they are, and those that are given up. */
async function asItIs({ git, root, move }: Order, { own }: IndexCopy): Promise<Written | undefined> {
  const { keepsIndex, settled, given_up: givenUp, old } = move;
  const problem = keepsIndex ? await addFiles(git, root, { own, mayHaveLinks: () => true, which: "tracked" }) : undefined;
  if (problem !== undefined) return { kind: "failed", reason: problem };
  const added = await settle({ root, own }, settled);
  if (added !== undefined) return { kind: "failed", reason: added };
  if (givenUp.length === 0) return undefined;
  const entries = await entriesOf(own, old, givenUp);
  const removed = givenUp.filter((path) => !entries.has(path)).map(removal);
  const noted = await own(["update-index", "-z", "--index-info"], { input: nul([...removed, ...entries.values()]) });
  const restored = noted.code === 0 ? await checkedOut(own, old, [...entries.keys()]) : noted;
  return restored === undefined || restored.code === 0 ? undefined : { kind: "failed", reason: gitFault(restored) };
}

/** Stages these files as they are, deleted ones too. Undefined, or why not. */
export async function settle({ root, own }: { root: string } & Pick<IndexCopy, "own">, files: string[]): Promise<string | undefined> {
  const isThere = (path: string) => ifPossible(() => lstatSync(join(root, path))) !== undefined;
  const gone = files.filter((path) => !isThere(path));
  const noted = gone.length > 0 ? await own(["update-index", "-z", "--index-info"], { input: nul(gone.map(removal)) }) : undefined;
  if (noted && noted.code !== 0) return gitFault(noted);
  if (gone.length === files.length) return undefined;
  const args = ["add", "--all", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const added = await own(args, literally(files.filter(isThere)));
  return added.code === 0 ? undefined : gitFault(added);
}

/** A line for `update-index --index-info`. */
const removal = (path: string) => `0 ${"0".repeat(40)}\t${path}`;
const nul = (fields: string[]) => fields.map((field) => `${field}\0`).join("");
const literally = (paths: string[]) => ({ input: nul(paths), env: { GIT_LITERAL_PATHSPECS: "1" } });

/** Lines of `ls-tree`, as `update-index --index-info` takes them. */
async function entriesOf(own: IndexCopy["own"], tree: string, paths: readonly string[]): Promise<Map<string, string>> {
  const wanted = new Set(paths);
  const listed = await own(["ls-tree", "-r", "-z", "--full-tree", tree]);
  const entries = fieldsOf(listed.stdout).map((entry) => [entry.slice(entry.indexOf("\t") + 1), entry] as const);
  return new Map(entries.filter(([path]) => wanted.has(path)));
}

async function checkedOut(own: IndexCopy["own"], tree: string, paths: string[]): ReturnType<IndexCopy["own"]> {
  const nothing = { code: 0, stdout: "", stderr: "", timedOut: false, signal: null };
  if (paths.length === 0) return nothing;
  return own(["checkout", "--quiet", tree, "--pathspec-from-file=-", "--pathspec-file-nul"], literally(paths));
}

/** After a kill: files that have their new content already, or a part of it, get it whole; others' changes since then are never overwritten. */
async function finishOthers({ root, move, how }: Order, { own }: IndexCopy): Promise<Written | undefined> {
  if (how === "first") return undefined;
  const unmerged = fieldsOf((await own(["ls-files", "--unmerged", "-z"])).stdout);
  if (unmerged.length > 0) return { kind: "written" }; // the index was put in place: only the lock was left
  const [before, after] = [
    await differing(own, move.old, move.tree),
    await entriesOf(own, move.tree, await differing(own, move.old, move.tree)),
  ];
  const states = await Promise.all(before.map(async (path) => ({ path, state: await stateOf({ root, own, move }, path) })));
  const foreign = states.filter(({ state }) => state === "foreign").map(({ path }) => path);
  if (foreign.length > 0) return { kind: "foreign", files: foreign };
  const restored = await checkedOut(own, move.tree, [...after.keys()]);
  return restored.code === 0 ? undefined : { kind: "failed", reason: gitFault(restored) };
}

async function differing(own: IndexCopy["own"], old: string, tree: string): Promise<string[]> {
  return fieldsOf((await own(["diff-tree", "-r", "-z", "--name-only", "--no-renames", old, tree])).stdout);
}

/** `begun`: missing, or the beginning of its new content. */
type FileState = "old" | "new" | "begun" | "foreign";

async function stateOf({ root, own, move }: Pick<Order, "root" | "move"> & Pick<IndexCopy, "own">, path: string): Promise<FileState> {
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return "begun";
  const [old, tree] = await Promise.all([move.old, move.tree].map((side) => blobOf(own, side, path)));
  if (stats.isSymbolicLink()) return "begun"; // git writes a link at once, and checks it again
  const now = (await own(["hash-object", "--path", path, "--", path])).stdout.trim();
  if (now === old) return "old";
  if (now === tree) return "new";
  const found = readUntrusted(join(root, path), { most: largestIndex });
  const target = tree === undefined ? undefined : (await own(["cat-file", "blob", tree])).stdout;
  const isPart = found.kind === "read" && target !== undefined && target.startsWith(found.bytes.toString("utf8"));
  return isPart ? "begun" : "foreign";
}

async function blobOf(own: IndexCopy["own"], tree: string, path: string): Promise<string | undefined> {
  const found = await own(["rev-parse", "--quiet", "--verify", `${tree}:${path}`]);
  return found.code === 0 ? found.stdout.trim() : undefined;
}

async function changeFiles({ root, move, how }: Order, { own }: IndexCopy): Promise<Written | undefined> {
  if (how === "first") {
    const inTheWay = await untrackedInTheWay(root, move, own);
    if (inTheWay.length > 0) return { kind: "in_the_way", files: inTheWay };
  }
  const changed = await own(["read-tree", "-m", "-u", move.old, move.tree]);
  return changed.code === 0 ? undefined : { kind: "failed", reason: gitFault(changed) };
}

/** git overwrites files that it ignores: a new file must find nothing at its place, and no link on the way there. */
async function untrackedInTheWay(root: string, { old, tree, settled, given_up: givenUp }: Move, own: IndexCopy["own"]): Promise<string[]> {
  const changes = fieldsOf((await own(["diff-tree", "-r", "-z", "--name-status", "--no-renames", old, tree])).stdout);
  const named = (letter: string) => changes.filter((_, at) => at % 2 === 1 && changes[at - 1] === letter);
  const expected = new Set([...named("D"), ...settled, ...givenUp]);
  const isInTheWay = (path: string): boolean => {
    if (path === "." || expected.has(path)) return false;
    const stats = ifPossible(() => lstatSync(join(root, path), { throwIfNoEntry: false }));
    return stats !== undefined && !stats.isDirectory();
  };
  const blocking = (path: string): string[] => [...(isInTheWay(path) ? [path] : []), ...(path === "." ? [] : blocking(dirname(path)))];
  return [...new Set(named("A").flatMap(blocking))];
}

/** By compare-and-swap. If the branch has moved, the files go back. */
async function moveBranch({ git, root, move, how }: Order, { own }: IndexCopy): Promise<Written | undefined> {
  const { ref, head, commit, old, tree } = move;
  if (commit === head) return undefined;
  const [at = "", name = ""] = (await git(root, ["rev-parse", "HEAD^{commit}", "--symbolic-full-name", "HEAD"])).stdout.split("\n");
  const now = name === (ref ?? "HEAD") ? at : name;
  if (how === "again" && now === commit) return undefined;
  const reference = ref === undefined ? ["--no-deref", "HEAD"] : [ref];
  const set = now === head ? await git(root, ["update-ref", "-m", "tool take", ...reference, commit, head]) : undefined;
  if (set?.code === 0) return undefined;
  if (how === "again") return { kind: "moved", now };
  const back = await own(["read-tree", "-m", "-u", tree, old]);
  if (back.code !== 0) return { kind: "failed", reason: gitFault(back) };
  const later = set === undefined ? now : await gitLine(git, root, ["rev-parse", "HEAD^{commit}"]);
  if (set === undefined || (later !== undefined && later !== head)) return { kind: "moved", now: later ?? now };
  return { kind: "failed", reason: gitFault(set) };
}

/** The copy becomes the index at once, under the lock. */
async function install({ move }: Order, { own, file, index }: IndexCopy): Promise<Written | undefined> {
  if (move.keepsIndex) return undefined;
  if (move.stages.length > 0) {
    const gone = [...new Set(move.stages.map(({ path }) => path))].map(removal);
    const lines = move.stages.map(({ mode, object, stage, path }) => `${mode} ${object} ${stage}\t${path}`);
    const noted = await own(["update-index", "-z", "--index-info"], { input: nul([...gone, ...lines]) });
    if (noted.code !== 0) return { kind: "failed", reason: gitFault(noted) };
  }
  const content = readUntrusted(file, { most: largestIndex });
  if (content.kind !== "read") return { kind: "failed", reason: `${file} is gone` };
  putFile(index, content.bytes, timeOf(file));
  return undefined;
}

// What is in each change set, and what taking it would do: with few processes of git, however many sets there are.
import { existsSync } from "node:fs";
import type { ChangeSet, FileChange, Seen } from "../../../changes/change-set.ts";
import type { Gone, Head, LookOrder, Merged, Uncommitted } from "../../../changes/repository.ts";
import type { OwnGit } from "../own-git.ts";
import { treeOfEverything } from "../staging.ts";
import { areApart, changedLines } from "./changed-lines.ts";
import { fieldsOf, idOf, mergeAll, over, type Plain, resolve, said, writeCommits } from "./objects.ts";

const paths = ({ files }: Pick<Seen, "files">) => files.flatMap(({ path, from }) => (from ? [from, path] : [path]));

type Place = { git: OwnGit; root: string };
type Tip = Pick<Seen, "set" | "tip" | "tree" | "uncommitted"> & { base: string; baseTree: string; commits: Plain[] };

export async function look(place: Place, order: LookOrder, now: { head: Head; uncommitted: Uncommitted }) {
  const tips = await Promise.all((await tipsOf(place, order.sets)).map((tip) => withUncommitted(place, tip)));
  const there = tips.filter((tip): tip is Tip => "tip" in tip);
  await writeCommits(
    place.git,
    place.root,
    there.flatMap(({ commits }) => commits),
  );
  const [files, merged] = await Promise.all([filesOf(place, there), mergedInto(place, there, now.head)]);
  const dirty = new Set([...now.uncommitted.staged, ...now.uncommitted.unstaged, ...now.uncommitted.untracked]);
  const seen = there.map(({ set, tip, tree, uncommitted }, at): Seen => {
    const own = { set, tip, tree, uncommitted, files: files[at] ?? [], rivals: [] };
    return { ...own, into: into(own, { merged: merged[at]!, dirty, head: now.head, isTaken: order.taken.get(set.id) === tree }) };
  });
  const gone = tips.filter((tip): tip is Gone => "why" in tip);
  return { seen: order.rivals ? await withRivals(place, seen, new Map(there.map(({ tip, base }) => [tip, base]))) : seen, gone };
}

/** Branches first, in one process. A branch that was deleted below its worktree has no commit to compare. */
async function tipsOf({ git, root }: Place, sets: ChangeSet[]): Promise<(Tip | Gone)[]> {
  const names = sets.flatMap(({ content }) => {
    const tip = content.kind === "branch" ? `refs/heads/${content.branch}` : content.tip;
    return [`${tip}^{commit}`, `${tip}^{tree}`, `${content.from}^{commit}`, `${content.from}^{tree}`];
  });
  const ids = await resolve(git, root, names);
  return sets.map((set, at) => {
    const [tip, tree, base, baseTree] = ids.slice(4 * at, 4 * at + 4);
    if (tip && tree && base && baseTree) return { set, tip, tree, base, baseTree, uncommitted: [], commits: [] };
    const name = set.content.kind === "branch" ? `its branch ${set.content.branch}` : `the branch of ${set.content.whole}`;
    return { set, why: tip ? `the commit ${set.content.from.slice(0, 12)} that it began at is gone` : `${name} is gone` };
  });
}

async function withUncommitted({ git }: Place, tip: Tip | Gone): Promise<Tip | Gone> {
  const { content } = tip.set;
  if (!("tip" in tip) || content.kind === "range" || !existsSync(content.folder)) return tip;
  const status = await git(content.folder, [
    "status",
    "--porcelain",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=all",
  ]);
  const uncommitted = status.code === 0 ? fieldsOf(status.stdout).map((line) => line.slice(3)) : [];
  if (uncommitted.length === 0) return tip;
  const tree = await treeOfEverything(git, content.folder);
  if (!tree.ok) return tip; // somebody is writing there now: what is committed counts
  const commit: Plain = { tree: tree.value, parents: [tip.tip] };
  return { ...tip, tree: tree.value, tip: idOf(commit), uncommitted, commits: [commit] };
}

/** What merging each of them would make. One that begins at the head itself brings just its own files. */
async function mergedInto({ git, root }: Place, tips: Tip[], head: Head): Promise<Merged[]> {
  const merges = tips.map((tip) => ({ tip, ...onto(tip, head) }));
  const others = merges.filter(({ tip }) => tip.base !== head.commit);
  await writeCommits(
    git,
    root,
    others.flatMap(({ commits }) => commits),
  );
  const merged = await mergeAll(
    git,
    root,
    others.map(({ pair }) => pair),
  );
  return tips.map((tip) => merged[others.findIndex((other) => other.tip === tip)] ?? { tree: tip.tree, stages: [], files: [] });
}

/** A part of a branch is merged over what was before it; a branch over what git finds. */
function onto({ set, tip, tree, baseTree }: Tip, head: Head): { pair: readonly [string, string]; commits: Plain[] } {
  if (set.content.kind === "branch") return { pair: [head.commit, tip], commits: [] };
  return over(baseTree, head.tree, tree);
}

type About = { merged: { tree: string; files: string[] }; dirty: ReadonlySet<string>; head: Head; isTaken: boolean };

function into(seen: Pick<Seen, "files">, { merged, dirty, head, isTaken }: About): Seen["into"] {
  if (isTaken || merged.tree === head.tree) return { kind: "taken" };
  if (merged.files.length > 0) return { kind: "conflicts", files: merged.files };
  const inTheWay = paths(seen).filter((path) => dirty.has(path));
  return inTheWay.length > 0 ? { kind: "in_the_way", files: inTheWay } : { kind: "merges" };
}

async function filesOf({ git, root }: Place, tips: Tip[]): Promise<FileChange[][]> {
  if (tips.length === 0) return [];
  const input = tips.map(({ tip, base }) => `${tip} ${base}\n`).join("");
  const args = ["diff-tree", "--stdin", "--always", "-r", "-M", "--raw", "--numstat", "-z", "--no-ext-diff", "--no-textconv"];
  return readDifferences((await said(git, root, args, input)).stdout);
}

const kinds: Record<string, FileChange["kind"] | undefined> = { A: "added", D: "deleted", R: "renamed", T: "changed" };

/** The output of `git diff-tree --stdin --raw --numstat -z`: for each pair its id, then the raw entries, then the counts in the same order. */
function readDifferences(output: string): FileChange[][] {
  const fields = output.split("\0");
  const all: FileChange[][] = [];
  let counted = 0;
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? "";
    const files = all.at(-1);
    if (/^[0-9a-f]{40,64}$/.test(field)) {
      all.push([]);
      counted = 0;
    } else if (field.startsWith(":") && files) {
      const isMoved = /[RC]\d*$/.test(field);
      const [one = "", other = ""] = fields.slice(at + 1, at + 3);
      files.push({ path: isMoved ? other : one, ...(isMoved && { from: one }), kind: kindOf(field), added: null, removed: null });
      at += isMoved ? 2 : 1;
    } else if (field.includes("\t") && files) {
      const [added = "", removed = "", path = ""] = field.split("\t");
      const file = files[counted++];
      if (file && added !== "-") Object.assign(file, { added: Number(added), removed: Number(removed) });
      if (path === "") at += 2;
    }
  }
  return all;
}

/** `:100644 100755 <id> <id> M`. */
function kindOf(raw: string): FileChange["kind"] {
  const [before = "", after = "", from, to, letter = ""] = raw.slice(1).split(" ");
  if (before === "160000" || after === "160000") return "submodule";
  return kinds[letter[0] ?? ""] ?? (from === to && before !== after ? "mode" : "changed");
}

/** Looks only at sets that change the same file, because others cannot be in conflict. */
const mostPairs = 500;

/** `bases`: the commit at which each tip's work began. */
async function withRivals({ git, root }: Place, seen: Seen[], bases: ReadonlyMap<string, string>): Promise<Seen[]> {
  const open = seen.filter(({ into }) => into.kind !== "taken");
  const of = new Map(open.map((one) => [one, new Set(paths(one))]));
  const shared = (one: Seen, other: Seen) => [...(of.get(one) ?? [])].filter((path) => of.get(other)?.has(path));
  const near = open
    .flatMap((one, at) => open.slice(at + 1).map((other) => [one, other] as const))
    .filter(([one, other]) => wholeOf(one) !== wholeOf(other) && shared(one, other).length > 0);
  const tips = [...new Set(near.flat())].map(({ tip }) => ({ tip, base: bases.get(tip) ?? "" }));
  const common = [...new Set(near.flatMap(([one, other]) => shared(one, other)))];
  const lines = await changedLines({ git, root }, { tips, paths: common });
  const isClear = ([one, other]: readonly [Seen, Seen]) =>
    bases.get(one.tip) === bases.get(other.tip) &&
    shared(one, other).every((path) => areApart(lines.get(one.tip)?.get(path), lines.get(other.tip)?.get(path)));
  const pairs = near.filter((pair) => !isClear(pair)).slice(0, mostPairs);
  const merged = await mergeAll(
    git,
    root,
    pairs.map(([one, other]) => [one.tip, other.tip]),
  );
  const rivals = pairs.flatMap(([one, other], at) => {
    const files = shared(one, other).filter((path) => merged[at]?.files.includes(path));
    return files.length === 0
      ? []
      : [
          { one, id: other.set.id, files },
          { one: other, id: one.set.id, files },
        ];
  });
  return seen.map((each) => ({ ...each, rivals: rivals.flatMap(({ one, id, files }) => (one === each ? [{ id, files }] : [])) }));
}

/** Parts of the same work are no rivals. */
const wholeOf = ({ set: { id, content } }: Seen) => (content.kind === "range" ? content.whole : id);

// The person's repository for looking at what was made apart from their tree and for taking it: implements the port of changes/repository.ts.
import { join } from "node:path";
import type { Answer, ChangesRepository, Commit, Head, Uncommitted } from "../../../changes/repository.ts";
import { gitFault, gitLine, type OwnGit } from "../own-git.ts";
import { addFiles, type IndexCopy, treeOfEverything, withIndexCopy } from "../staging.ts";
import { type CommitScan, commitTree } from "../unit-commits.ts";
import { mostMarked, readUntrusted } from "../untrusted-file.ts";
import { dropSet } from "./drop-set.ts";
import { look } from "./look.ts";
import { made } from "./made-apart.ts";
import { fieldsOf, mergeAll, over, resolve, said, writeCommits } from "./objects.ts";
import { settle, writeTree } from "./write-tree.ts";

export type ChangesRepositoryOptions = { git: OwnGit; root: string; look: CommitScan };

export function changesRepository({ git, root, look: scan }: ChangesRepositoryOptions): ChangesRepository {
  const say = async (args: string[], input?: string) => (await said(git, root, args, input)).stdout;
  const differing = async (one: string, other: string) =>
    fieldsOf(await say(["diff-tree", "-r", "-z", "--name-only", "--no-renames", one, other]));
  const repository: ChangesRepository = {
    root,
    head: () => headOf(git, root),
    uncommitted: () => uncommittedIn(git, root),
    async look(order) {
      const [head, uncommitted] = await Promise.all([repository.head(), repository.uncommitted()]);
      return look({ git, root }, order, { head, uncommitted });
    },
    made: (files) => made(git, root, files),
    freeze: (seen) => freeze({ git, root, scan }, seen),
    commits: (from, tip) => commitsBetween({ git, root }, from, tip),
    baseOf: (one, other) => gitLine(git, root, ["merge-base", one, other]),
    only: (order) => only({ git, root }, order),
    treeOf: async (commit) => (await resolve(git, root, [`${commit}^{tree}`]))[0] ?? "",
    async merge(ours, { tip, tree, base }) {
      try {
        const apart = base === undefined ? undefined : over(base, ours.tree, tree);
        if (apart) await writeCommits(git, root, apart.commits);
        const [merged] = await mergeAll(git, root, [apart?.pair ?? [ours.commit, tip]]);
        return { ok: true, value: merged! };
      } catch (error) {
        return { ok: false, reason: String(error) };
      }
    },
    commit: ({ tree, parents, message, author }) => plain(commitTree(authored(git, author), root, { tree, parents, message })),
    filesNow: (others) =>
      withIndex(
        async ({ own, mayHaveLinks }) =>
          (await addFiles(git, root, { own, mayHaveLinks, which: "tracked" })) ?? settle({ root, own }, others),
      ),
    settledTree: (settled) => withIndex(({ own }) => settle({ root, own }, settled)),
    differing,
    write: (move, how) => writeTree({ git, root, move, how }),
    unresolved: (files) => unresolved({ git, root }, files),
    diff: ({ tip, set: { content } }) =>
      say(["diff-tree", "-r", "-M", "-p", "--binary", "--no-color", "--no-ext-diff", "--no-textconv", content.from, tip]),
    drop: ({ set }) => dropSet({ git, root }, set),
  };
  return repository;

  /** The tree of a copy of the index after `change`, which returns why it could not be done. */
  function withIndex(change: (copy: IndexCopy) => Promise<string | undefined>): Promise<Answer<string>> {
    return withIndexCopy<string>(git, root, async (copy) => {
      const problem = await change(copy);
      if (problem !== undefined) return { ok: false, reason: problem };
      const written = await copy.own(["write-tree"]);
      return written.code === 0 ? { ok: true, value: written.stdout.trim() } : { ok: false, reason: gitFault(written) };
    });
  }
}

type Place = { git: OwnGit; root: string };

async function headOf(git: OwnGit, root: string): Promise<Head> {
  const { stdout } = await said(git, root, ["rev-parse", "HEAD^{commit}", "HEAD^{tree}", "--symbolic-full-name", "HEAD"]);
  const [commit = "", tree = "", name] = stdout.split("\n");
  return { commit, tree, ref: name === "HEAD" ? undefined : name };
}

async function uncommittedIn(git: OwnGit, root: string): Promise<Uncommitted> {
  const args = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"];
  const lines = fieldsOf((await said(git, root, args)).stdout);
  const among = (is: (state: string) => boolean) => lines.filter((line) => is(line.slice(0, 2))).map((line) => line.slice(3));
  return {
    staged: among((state) => state !== "??" && state[0] !== " "),
    unstaged: among((state) => state !== "??" && state[1] !== " "),
    untracked: among((state) => state === "??"),
  };
}

async function plain<T>(answer: Promise<{ ok: true; value: T } | { ok: false; error: { reason: string } }>): Promise<Answer<T>> {
  const settled = await answer;
  return settled.ok ? settled : { ok: false, reason: settled.error.reason };
}

const authored = (git: OwnGit, author: Commit["author"] | undefined): OwnGit =>
  author === undefined
    ? git
    : (folder, args, options = {}) => {
        const env = { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email, GIT_AUTHOR_DATE: author.date };
        return git(folder, args, { ...options, env: { ...options.env, ...env } });
      };

/** The branch itself stays as it is: somebody may work on it. */
async function freeze(
  { git, root, scan }: Place & { scan: CommitScan },
  { set, tip, uncommitted }: Parameters<ChangesRepository["freeze"]>[0],
): Promise<Answer<string>> {
  const { content } = set;
  if (content.kind === "range" && content.whole === set.id) {
    const problem = await scan(root, `${content.from} ${tip} refs/heads/${set.id}\n`); // nobody has scanned it before
    return problem === undefined ? { ok: true, value: tip } : { ok: false, reason: problem };
  }
  if (content.kind === "range" || uncommitted.length === 0) return { ok: true, value: tip };
  const tree = await treeOfEverything(git, content.folder);
  const parent = await gitLine(git, content.folder, ["rev-parse", "--verify", `refs/heads/${content.branch}^{commit}`]);
  if (!tree.ok || parent === undefined) return { ok: false, reason: tree.ok ? `the branch ${content.branch} is gone` : tree.reason };
  const made = await plain(commitTree(git, content.folder, { tree: tree.value, parents: [parent], message: set.what }));
  if (!made.ok) return made;
  const problem = await scan(content.folder, `${parent} ${made.value} refs/heads/${content.branch}\n`);
  return problem === undefined ? made : { ok: false, reason: problem };
}

async function commitsBetween({ git, root }: Place, from: string, tip: string): Promise<Commit[]> {
  const format = "--format=%H%x00%T%x00%an%x00%ae%x00%aI%x00%B%x00";
  const range = ["--first-parent", "--reverse", `${from}..${tip}`];
  const { stdout } = await git(root, ["log", format, "--no-show-signature", ...range]);
  const fields = stdout.split("\0");
  const found: Commit[] = [];
  for (let at = 0; at + 6 < fields.length; at += 6) {
    const [id = "", tree = "", name = "", email = "", date = "", message = ""] = fields.slice(at, at + 6);
    found.push({ id: id.trim(), tree, base: "", author: { name, email, date }, message });
  }
  const bases = await resolve(
    git,
    root,
    found.map(({ id }) => `${id}^1^{tree}`),
  );
  return found.map((commit, at) => ({ ...commit, base: bases[at] ?? "" }));
}

async function only({ git, root }: Place, { ours, from, tip, paths }: Parameters<ChangesRepository["only"]>[0]) {
  const base = from ?? (await gitLine(git, root, ["merge-base", ours, tip]));
  if (base === undefined) return { ok: false as const, reason: "it has no commit in common with this branch" };
  const wanted = paths.map((path) => `:(top,literal)${path}`);
  const raw = fieldsOf((await said(git, root, ["diff-tree", "-r", "-z", "--raw", "--no-renames", base, tip, "--", ...wanted])).stdout);
  const lines = raw.flatMap((entry, at) => {
    const [, mode, , id] = entry.slice(1).split(" ");
    return at % 2 === 0 ? [`${mode === "000000" ? "0" : mode} ${id}\t${raw[at + 1]}\0`] : [];
  });
  const [baseTree = ""] = await resolve(git, root, [`${base}^{tree}`]);
  return withIndexCopy<{ tree: string; base: string }>(git, root, async ({ own }) => {
    const read = await own(["read-tree", base]);
    const noted = read.code === 0 ? await own(["update-index", "-z", "--index-info"], { input: lines.join("") }) : read;
    const written = noted.code === 0 ? await own(["write-tree"]) : noted;
    if (written.code !== 0) return { ok: false, reason: gitFault(written) };
    return { ok: true, value: { tree: written.stdout.trim(), base: baseTree } };
  });
}

/** Staged files are resolved; a file that got markers is when it has none any more. */
async function unresolved({ git, root }: Place, files: { path: string; marked: boolean }[]): Promise<string[]> {
  const listed = fieldsOf((await said(git, root, ["ls-files", "--unmerged", "-z"])).stdout);
  const unmerged = new Set(listed.map((entry) => entry.slice(entry.indexOf("\t") + 1)));
  return files.filter(({ path, marked }) => (marked ? hasMarkers(join(root, path)) : unmerged.has(path))).map(({ path }) => path);
}

function hasMarkers(path: string): boolean {
  const found = readUntrusted(path, { most: mostMarked });
  return found.kind === "read" && /^<{7} .*$[\s\S]*^>{7} .*$/m.test(found.bytes.toString("latin1"));
}

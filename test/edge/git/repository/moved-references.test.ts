// Branches and tags that moved to new commits, and the special files that these bring.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { broughtBy } from "../../../../src/edge/git/repository/moved-references.ts";
import { openReferences } from "../../../../src/edge/git/repository/references.ts";
import { gitEnv, sayIn, testRepository, writeFiles } from "../git-kit.ts";

const references = openReferences();

/** A repository with one commit; `brings`: what the work moves to special files (`.envrc`, anything below `.husky`). */
function repository() {
  const { folder: top, say, write, commit, beside } = testRepository();
  const git = (args: string[]) => say(...args);
  /** A commit with this content in that file, as plumbing makes it: no file of the tree changes. */
  const plumbed = (path: string, content: string, parent = "HEAD") => {
    const env = { ...gitEnv, GIT_INDEX_FILE: beside("index") };
    const on = (...args: string[]) => execFileSync("git", args, { cwd: top, env, encoding: "utf8" }).trim();
    const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: top, env, input: content, encoding: "utf8" }).trim();
    on("read-tree", parent);
    on("update-index", "--add", "--cacheinfo", `100644,${blob},${path}`);
    return on("commit-tree", on("write-tree"), "-p", parent, "-m", path);
  };
  const isSpecial = (path: string) => /(?:^|\/)(?:\.envrc$|\.husky\/)/.test(path);
  const brings = async (work: () => void) => {
    const before = (await references(top))!;
    work();
    const brought = await broughtBy(before, (await references(top, before))!, isSpecial);
    return brought.map(({ name, files }) => ({ name, files }));
  };
  return { top, git, write, commit, beside, plumbed, brings };
}

it("is the same as long as no reference has changed, loose or packed, and another one after a write in place", async () => {
  const { top, git, plumbed, write } = repository();
  const first = await references(top);
  git(["status"]);
  write({ "b.txt": "two\n" });
  git(["add", "-A"]);
  expect(await references(top, first)).toBe(first);
  git(["branch", "deep/er/branch"]);
  const second = await references(top, first);
  expect([second === first, second?.ids.get("refs/heads/deep/er/branch")]).toEqual([false, git(["rev-parse", "HEAD"])]);
  git(["pack-refs", "--all"]);
  expect((await references(top, second))?.ids).toEqual(second?.ids);
  git(["branch", "-f", "deep/er/branch", "HEAD"]);
  const commit = plumbed("x", "x\n");
  git(["update-ref", "refs/heads/y", "HEAD"]);
  const third = await references(top);
  write({ ".git/refs/heads/y": `${commit}\n` });
  expect((await references(top, third))?.ids.get("refs/heads/y")).toBe(commit);
  expect(await references("/")).toBeUndefined();
});

it("names what plumbing, a commit in another worktree and a tag bring, and whatever comes behind it", async () => {
  const { git, plumbed, brings, beside } = repository();
  expect(await brings(() => git(["update-ref", "refs/heads/other", plumbed(".envrc", "run\n")]))).toEqual([
    { name: "other", files: [".envrc"] },
  ]);
  expect(await brings(() => git(["tag", "-a", "-m", "v", "v1", plumbed("sub/.husky/pre-commit", "run\n")]))).toEqual([
    { name: "v1", files: ["sub/.husky/pre-commit"] },
  ]);
  const inWorktree = () => {
    git(["worktree", "add", "--quiet", "-b", "side", beside("w")]);
    const there = sayIn(beside("w"));
    writeFiles(beside("w"), { ".envrc": "run\n" });
    there("add", "-A");
    there("commit", "--quiet", "-m", "x");
    there("commit", "--quiet", "--allow-empty", "-m", "y");
  };
  expect(await brings(inWorktree)).toEqual([{ name: "side", files: [".envrc"] }]);
});

it("says nothing of commits that were there, files that are so in the tree, that went again, or that are of other names", async () => {
  const { git, plumbed, brings, commit } = repository();
  const first = plumbed(".envrc", "run\n");
  git(["branch", "known", first]);
  expect(await brings(() => git(["branch", "again", first]))).toEqual([]);
  expect(await brings(() => git(["branch", "plain", plumbed("b.txt", "run\n")]))).toEqual([]);
  expect(await brings(() => git(["branch", "-D", "again"]))).toEqual([]);
  expect(await brings(() => commit({ ".envrc": "asked\n" }))).toEqual([]);
  const away = () => {
    git(["rm", "--quiet", ".envrc"]);
    git(["commit", "--quiet", "-m", "away"]);
  };
  expect(await brings(away)).toEqual([]);
  expect(await brings(() => git(["update-ref", "refs/heads/main", plumbed(".envrc", "later\n")]))).toEqual([
    { name: "main", files: [".envrc"] },
  ]);
});

it("does not pass over a name with a line break", async () => {
  const { git, plumbed, brings } = repository();
  const strange = () => git(["update-ref", "refs/heads/strange", plumbed(".husky/a\nb", "run\n")]);
  expect(await brings(strange)).toEqual([{ name: "strange", files: [".husky/a\nb"] }]);
});

it("names a stash and every other reference once, whatever has the same later", async () => {
  const { git, plumbed, brings } = repository();
  const sent = plumbed(".envrc", "sent\n");
  expect(await brings(() => git(["update-ref", "refs/remotes/origin/x", sent]))).toEqual([{ name: "origin/x", files: [".envrc"] }]);
  expect(await brings(() => git(["branch", "x", sent]))).toEqual([]);
  expect(await brings(() => git(["symbolic-ref", "refs/heads/feature", "refs/remotes/origin/x"]))).toEqual([]);
  expect(await brings(() => git(["symbolic-ref", "refs/heads/unborn", "refs/heads/none"]))).toEqual([]);
  expect(await brings(() => git(["update-ref", "refs/stash", plumbed(".envrc", "run\n")]))).toEqual([
    { name: "refs/stash", files: [".envrc"] },
  ]);
  expect(await brings(() => git(["update-ref", "refs/x/y", plumbed(".husky/a", "run\n")]))).toEqual([
    { name: "refs/x/y", files: [".husky/a"] },
  ]);
});

it.each<[file: string, text: (id: string) => string]>([
  ["MERGE_AUTOSTASH", (id) => `${id}\n`],
  ["HEAD", (id) => `${id.toUpperCase()} x\n`],
  ["ANY_OTHER", (id) => `${id}\n`],
  ["rebase-merge/orig-head", (id) => `${id}\n`],
  ["rebase-apply/onto", (id) => id],
  ["rebase-merge/git-rebase-todo", (id) => `pick ${id.slice(0, 9)} words\n`],
  ["sequencer/todo", (id) => `pick ${id} words\n`],
  ["logs/HEAD", (id) => `${id} ${id} x <x@x> 1 +0000\tcheckout: moving from ${id} to main\n`],
  ["BISECT_START", (id) => `x-1-g${id}\n`],
  ["evil", (id) => `${id} x\n`],
  ["logs/refs/stash", (id) => `${id} ${id} x <x@x> 1 +0000\tWIP\n`],
])("names what git has noted in %s", async (file, text) => {
  const { plumbed, brings, write } = repository();
  const id = plumbed(".envrc", "run\n");
  expect(await brings(() => write({ [`.git/${file}`]: text(id) }))).toEqual([{ name: file, files: [".envrc"] }]);
});

it("looks where a branch names a file of git's, and names once what a reference and a note bring", async () => {
  const { plumbed, brings, write } = repository();
  const pseudo = () => write({ ".git/EVIL": `${plumbed(".envrc", "later\n")}\n`, ".git/refs/heads/other": "ref: EVIL\n" });
  expect(await brings(pseudo)).toEqual([{ name: "other", files: [".envrc"] }]);
});

it("says nothing of ids in messages, and looks at what has come beside them", async () => {
  const { git, plumbed, brings, write } = repository();
  const foreign = "8e8c483db84b4bee98b60c0593521ed34d9990e8";
  expect(await brings(() => git(["commit", "--quiet", "--allow-empty", "-m", `Pin to ${foreign}`]))).toEqual([]);
  const both = () => {
    write({ ".git/MERGE_HEAD": `${foreign}\n` });
    git(["update-ref", "refs/heads/other", plumbed(".envrc", "run\n")]);
  };
  expect(await brings(both)).toEqual([
    { name: "other", files: [".envrc"] },
    { name: "MERGE_HEAD", files: undefined },
  ]);
  git(["tag", "blob", git(["rev-parse", "HEAD:a.txt"])]);
  expect(await brings(() => git(["tag", "tree", git(["rev-parse", "HEAD^{tree}"])]))).toEqual([]);
});

it("looks at a commit once it is there, and names files whose contents may come later", async () => {
  const { top, git, plumbed, brings, write } = repository();
  const id = plumbed(".envrc", "run\n");
  const object = join(top, ".git/objects", id.slice(0, 2), id.slice(2));
  renameSync(object, join(top, "object"));
  expect(await brings(() => write({ ".git/ORIG_HEAD": `${id}\n` }))).toEqual([{ name: "ORIG_HEAD", files: undefined }]);
  renameSync(join(top, "object"), object);
  expect(await brings(() => git(["branch", "other", id]))).toEqual([{ name: "other", files: [".envrc"] }]);
  const contents = git(["rev-parse", "other:.envrc"]);
  rmSync(join(top, ".git/objects", contents.slice(0, 2), contents.slice(2)));
  const later = git(["commit-tree", "other^{tree}", "-p", "HEAD", "-m", "again"]);
  expect(await brings(() => git(["update-ref", "refs/heads/later", later]))).toEqual([{ name: "later", files: [".envrc"] }]);
});

it("knows what stands for another reference where git makes none that does, also for one that is not there yet", async () => {
  const { top, git, write } = repository();
  git(["update-ref", "refs/remotes/team/origin/main", "HEAD"]);
  git(["symbolic-ref", "refs/remotes/team/origin/HEAD", "refs/remotes/team/origin/main"]);
  git(["symbolic-ref", "refs/remotes/other/HEAD", "refs/remotes/other/none"]);
  expect((await references(top))!.symbolic).toEqual(new Map());
  git(["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
  write({
    ".git/refs/stash": "ref: refs/heads/feature\n",
    ".git/refs/heads/HEAD": "ref:refs/heads/main",
    ".git/refs/remotes/other/HEAD": "ref: refs/heads/main\n",
    ".git/ORIG_HEAD": "ref: refs/heads/main\n",
  });
  expect(Object.fromEntries((await references(top))!.symbolic)).toEqual({
    "refs/heads/alias": "refs/heads/main",
    "refs/stash": "refs/heads/feature",
    "refs/heads/HEAD": "refs/heads/main",
    "refs/remotes/other/HEAD": "refs/heads/main",
    ORIG_HEAD: "refs/heads/main",
  });
});

it("knows the steps that each checkout is at, and other notes of them by their digest", async () => {
  const { top, git, write, beside } = repository();
  git(["worktree", "add", "--quiet", "-b", "side", beside("w")]);
  const steps = async (folder = top) => Object.fromEntries([...(await references(folder))!.steps].map(([name, { kind }]) => [name, kind]));
  const digest = async () => (await references(top))!.steps.get("")!.digest;
  expect(await steps()).toEqual({});
  write({ ".git/worktrees/w/rebase-merge/done": "", ".git/sequencer/todo": "pick a\n", ".git/sequencer/abort-safety": "" });
  expect([await steps(), await steps(beside("w"))]).toEqual([
    { "": "cherry-pick", w: "rebase" },
    { "": "rebase", main: "cherry-pick" },
  ]);
  const first = await digest();
  write({ ".git/sequencer/todo": "pick a\n", ".git/ORIG_HEAD": "x\n", ".git/COMMIT_EDITMSG": "x\n" });
  expect(await digest()).toBe(first);
  const seen = new Set([first]);
  for (const file of ["sequencer/todo", "sequencer/any", "CHERRY_PICK_HEAD", "BISECT_START", "rebase-apply/0001", "ORIG_HEAD"]) {
    write({ [`.git/${file}`]: `${file} x\n` });
    seen.add(await digest());
  }
  expect(seen.size).toBe(7);
});

it.each<[what: string, packed: (id: string) => string]>([
  ["in a comment", (id) => `# pack-refs with: sorted \u2028${id} refs/heads/feature\u2028 \n`],
  ["in no line", () => "# pack-refs with: sorted \n"],
])("knows no branch that packed references name %s", async (_, packed) => {
  const { top, git, write } = repository();
  const id = git(["rev-parse", "HEAD"]);
  const lines = (name: string) => `${packed(id)}${id} refs/heads/main\n${name}`;
  write({ ".git/packed-refs": lines(`${id.toUpperCase()} refs/heads/shout\n`) });
  expect([...(await references(top))!.ids.keys()]).toEqual(["refs/heads/main", "refs/heads/shout"]);
});

it.each<[what: string, make: (git: string) => void]>([
  ["a file for a step's folder", (git) => writeFileSync(join(git, "rebase-merge"), "")],
  ["a file among the worktrees", (git) => writeFiles(git, { "worktrees/.DS_Store": "" })],
  [
    "a file for the folder of logs",
    (git) => {
      rmSync(join(git, "logs/refs"), { recursive: true, force: true });
      writeFileSync(join(git, "logs/refs"), "");
    },
  ],
  ["a folder with the name of a note", (git) => mkdirSync(join(git, "MERGE_AUTOSTASH"))],
])("looks past %s", async (_, make) => {
  const { top, git } = repository();
  make(join(top, ".git"));
  expect((await references(top))?.ids.get("refs/heads/main")).toBe(git(["rev-parse", "HEAD"]));
});

it.each(["refs/heads/pipe", "worktrees/w/HEAD", "MERGE_HEAD", "packed-refs"])("does not wait at a pipe for %s", async (path) => {
  const { top } = repository();
  const pipe = join(top, ".git", path);
  mkdirSync(dirname(pipe), { recursive: true });
  execFileSync("mkfifo", [pipe]);
  expect(await references(top)).toBeUndefined();
});

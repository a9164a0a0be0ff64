// Branches and tags that moved to new commits, and the special files that these bring.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { broughtBy, references } from "../../../../src/edge/git/repository/moved-references.ts";
import { gitEnv, sayIn, testRepository, writeFiles } from "../git-kit.ts";

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

it("does not pass over what it cannot look through", async () => {
  const { git, plumbed, brings } = repository();
  const strange = () => git(["update-ref", "refs/heads/strange", plumbed(".husky/a\nb", "run\n")]);
  expect(await brings(strange)).toEqual([{ name: "strange", files: undefined }]);
  const many = () => {
    for (let at = 0; at < 21; at++) git(["update-ref", `refs/heads/b${at}`, plumbed("b.txt", `${at}\n`)]);
  };
  expect((await brings(many)).length).toBe(1);
});

it("names a stash and every other reference that is not of another machine, and a branch once it names what one has sent", async () => {
  const { git, plumbed, brings } = repository();
  const sent = plumbed(".envrc", "sent\n");
  expect(await brings(() => git(["update-ref", "refs/remotes/origin/x", sent]))).toEqual([]);
  expect(await brings(() => git(["branch", "x", sent]))).toEqual([{ name: "x", files: [".envrc"] }]);
  expect(await brings(() => git(["update-ref", "refs/stash", plumbed(".envrc", "run\n")]))).toEqual([
    { name: "refs/stash", files: [".envrc"] },
  ]);
  expect(await brings(() => git(["update-ref", "refs/x/y", plumbed(".husky/a", "run\n")]))).toEqual([
    { name: "refs/x/y", files: [".husky/a"] },
  ]);
});

it("looks where a branch names another reference, and says so where it cannot", async () => {
  const { git, plumbed, brings, write } = repository();
  git(["update-ref", "refs/remotes/origin/x", plumbed(".envrc", "run\n")]);
  expect(await brings(() => git(["symbolic-ref", "refs/heads/feature", "refs/remotes/origin/x"]))).toEqual([
    { name: "feature", files: [".envrc"] },
  ]);
  expect(await brings(() => git(["symbolic-ref", "refs/heads/unborn", "refs/heads/none"]))).toEqual([]);
  const pseudo = () => write({ ".git/EVIL": `${plumbed(".envrc", "later\n")}\n`, ".git/refs/heads/other": "ref: EVIL\n" });
  expect(await brings(pseudo)).toEqual([{ name: "other", files: undefined }]);
  expect(await brings(() => git(["symbolic-ref", "refs/heads/twice", "refs/heads/feature"]))).toEqual([]);
});

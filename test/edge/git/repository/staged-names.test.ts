// Special files in an index that are in no tree yet, and paths that git itself never puts into one.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stagedFiles, stagedSince } from "../../../../src/edge/git/repository/staged-names.ts";
import { testRepository } from "../git-kit.ts";

const isSpecial = (path: string) => /(?:^|\/)(?:\.envrc$|\.husky\/)/.test(path);

function repository() {
  const { folder: top, say, write, commit, beside } = testRepository();
  const stage = (path: string, content: string) => {
    const id = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: top, input: content, encoding: "utf8" }).trim();
    say("update-index", "--add", "--cacheinfo", `100755,${id},${path}`);
  };
  /** As `stage`, with a path that git refuses: of the same length. */
  const forge = (path: string, index = join(top, ".git/index")) => {
    stage(path.replaceAll(/[./]/g, "!"), "evil\n");
    const bytes = readFileSync(join(top, ".git/index")).subarray(0, -20).toString("latin1").replace(path.replaceAll(/[./]/g, "!"), path);
    const body = Buffer.from(bytes, "latin1");
    writeFileSync(index, Buffer.concat([body, createHash("sha1").update(body).digest()]));
  };
  const since = async (work: () => void) => {
    const before = (await stagedFiles(top, { isSpecial }))!.staged;
    work();
    const { staged, forged } = (await stagedFiles(top, { isSpecial }, before))!;
    return { forged, brought: await stagedSince(top, before, staged) };
  };
  return { top, say, write, commit, beside, stage, forge, since };
}

it("names a special file that is staged as it is neither in the tree nor committed", async () => {
  const { say, write, commit, stage, since } = repository();
  expect(await since(() => stage(".husky/pre-commit", "run\n"))).toEqual({
    forged: [],
    brought: [{ name: "git's index", id: "", files: [".husky/pre-commit"] }],
  });
  expect(await since(() => stage("b.txt", "other\n"))).toEqual({ forged: [], brought: [] });
  const added = () => {
    write({ ".envrc": "asked\n" });
    say("add", ".envrc");
  };
  expect(await since(added)).toEqual({ forged: [], brought: [] });
  commit({ ".envrc": "asked\n" });
  write({ ".envrc": "the person's\n" });
  expect(await since(() => stage(".envrc", "asked\n"))).toEqual({ forged: [], brought: [] });
});

it.each([".git/hooks/post-checkout", "/tmp/outside", "a/../../outside", "a//b", "sub/.GIT/config", "git~1/config"])(
  "takes %s out of an index, and leaves what else is staged",
  async (path) => {
    const { top, say, stage, forge, since } = repository();
    stage("b.txt", "staged\n");
    const { forged, brought } = await since(() => forge(path));
    expect([forged, brought]).toEqual([[path], []]);
    expect(say("ls-files", "--stage").split("\n")).toEqual([expect.stringContaining("\ta.txt"), expect.stringContaining("\tb.txt")]);
    say("restore", ".");
    expect([existsSync(join(top, ".git/hooks/post-checkout")), readFileSync(join(top, "b.txt"), "utf8")]).toEqual([false, "staged\n"]);
  },
);

it("leaves what git has marked other entries with, and what has changed in their files", async () => {
  const { top, say, write, commit, stage, forge, since } = repository();
  commit({ "b.txt": "committed\n", "c.txt": "committed\n", "big/d.txt": "far\n" });
  say("update-index", "--skip-worktree", "big/d.txt");
  rmSync(join(top, "big"), { recursive: true });
  say("update-index", "--assume-unchanged", "b.txt");
  write({ "n.txt": "new\n" });
  say("add", "--intent-to-add", "n.txt");
  stage("s.txt", "staged\n");
  write({ "c.txt": "COMMITTED\n" }); // as long, in the same moment
  const before = [say("ls-files", "-v"), say("diff-files"), say("status", "--short")];
  const { forged } = await since(() => forge(".git/hooks/post-checkout"));
  expect(forged).toEqual([".git/hooks/post-checkout"]);
  expect([say("ls-files", "-v"), say("diff-files"), say("status", "--short")]).toEqual(before);
  expect(say("fsck", "--no-dangling")).toBe("");
});

it("looks at the indexes of other worktrees too", async () => {
  const { top, say, beside, forge, since } = repository();
  say("worktree", "add", "--quiet", "-b", "side", beside("w"));
  const { forged } = await since(() => forge(".git/hooks/post-checkout", join(top, ".git/worktrees/w/index")));
  expect(forged).toEqual([".git/hooks/post-checkout"]);
});

it("reads the part of a split index that is beside it, where another checkout has a harmless one of the same name", async () => {
  const { top, say, beside, forge, since } = repository();
  say("worktree", "add", "--quiet", "-b", "side", beside("w"));
  const twins = () => {
    const [main, other] = [join(top, ".git"), join(top, ".git/worktrees/w")];
    const harmless = readFileSync(join(main, "index"));
    forge("../outside", join(other, "base"));
    const base = readFileSync(join(other, "base"));
    const id = base.subarray(-20);
    rmSync(join(other, "base"));
    writeFileSync(join(other, `sharedindex.${id.toString("hex")}`), base);
    writeFileSync(join(main, `sharedindex.${id.toString("hex")}`), Buffer.concat([harmless.subarray(0, -20), id]));
    const none = Buffer.from("0000000000000001000000000000000000000000", "hex");
    const link = Buffer.concat([Buffer.from("link"), Buffer.from([0, 0, 0, 60]), id, none, none]);
    const body = Buffer.concat([Buffer.from("DIRC"), Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]), link]);
    writeFileSync(join(other, "index"), Buffer.concat([body, createHash("sha1").update(body).digest()]));
  };
  expect((await since(twins)).forged).toEqual(["../outside"]);
});

it("keeps what has not changed, and has nothing to say outside of a repository", async () => {
  const { top, beside } = repository();
  const first = await stagedFiles(top, { isSpecial });
  const again = await stagedFiles(top, { isSpecial }, first!.staged);
  expect(again!.staged).toEqual(first!.staged);
  expect([...again!.staged.values()][0]).toBe([...first!.staged.values()][0]);
  expect(await stagedFiles(beside(""), { isSpecial })).toBeUndefined();
});

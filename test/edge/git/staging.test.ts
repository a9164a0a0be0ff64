// Staging through a copy of the index. git takes a file of the same size for unchanged if its time is not newer than the index.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { stageEverything, treeOfEverything } from "../../../src/edge/git/staging.ts";
import { type CraftedEntry, craftedIndex } from "./crafted-index.ts";
import { testRepository } from "./git-kit.ts";

it("stages a change of the same size that was made in the second of the checkout, however late it looks", async () => {
  const repository = testRepository({ "a.txt": "one\n" });
  const { folder, git, say, write } = repository;
  const inSameSecond = async (text: string) => {
    await sleep(1_000 - (Date.now() % 1_000));
    write({ "a.txt": "one\n" });
    say("add", "a.txt");
    write({ "a.txt": text });
    await sleep(1_100);
  };
  await inSameSecond("two\n");
  const tree = await treeOfEverything(git, folder);
  expect(tree).toMatchObject({ ok: true });
  expect(say("show", `${tree.ok ? tree.value : ""}:a.txt`)).toBe("two");
  await inSameSecond("six\n");
  expect(await stageEverything(git, folder)).toMatchObject({ ok: true });
  expect(say("show", ":a.txt")).toBe("six");
});

/** With a repository inside whose settings name a program that leaves `pwned` in git's folder of hooks. */
function withInner() {
  const repository = testRepository();
  const { folder, say } = repository;
  const inner = join(folder, "inner");
  mkdirSync(inner);
  say("-C", "inner", "init", "--quiet");
  say("-C", "inner", "commit", "--quiet", "--allow-empty", "--message=first");
  say("-C", "inner", "config", "core.fsmonitor", `touch '${folder}/.git/pwned'; false`);
  return { ...repository, isRun: () => existsSync(join(folder, ".git/pwned")) };
}

it.each<[string, CraftedEntry]>([
  ["further bits of the mode", { path: "inner", mode: 0o300160001 }],
  ["a zero byte in the name", { path: "inner\0more" }],
  ["a path that git does not write", { path: "./inner" }],
])("runs nothing that a repository inside names, to which the index has a link with %s", async (_what, entry) => {
  const { folder, git, isRun } = withInner();
  writeFileSync(join(folder, ".git/index"), craftedIndex([entry]));
  const staged = await stageEverything(git, folder);
  expect([staged.ok, isRun()]).toEqual([false, false]);
});

it("runs nothing that one names to which the link is in another part of a split index, and keeps the link", async () => {
  const { folder, git, say, isRun } = withInner();
  const commit = say("-C", "inner", "rev-parse", "HEAD");
  say("update-index", "--add", "--cacheinfo", `160000,${commit},inner`);
  say("update-index", "--split-index");
  expect(await stageEverything(git, folder)).toMatchObject({ ok: true });
  expect([isRun(), say("ls-files", "--stage", "inner")]).toEqual([false, `160000 ${commit} 0\tinner`]);
});

it("makes no link to a repository that was made where nobody looked for it, and keeps the links that are there", async () => {
  const { folder, git, say, write } = withInner();
  say("update-index", "--add", "--cacheinfo", `160000,${say("-C", "inner", "rev-parse", "HEAD")},inner`);
  mkdirSync(join(folder, "packages/evil"), { recursive: true });
  say("-C", "packages/evil", "init", "--quiet");
  say("-C", "packages/evil", "commit", "--quiet", "--allow-empty", "--message=first");
  write({ "packages/evil/file": "x\n", "packages/other": "x\n" });
  expect(await stageEverything(git, folder)).toMatchObject({ ok: true });
  expect(say("ls-files").split("\n")).toEqual(["a.txt", "inner", "packages/other"]);
});

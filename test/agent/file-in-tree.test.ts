import { symlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fileInTree } from "../../src/agent/file-in-tree.ts";
import { policyFor, realDisk } from "../tools/agent.ts";
import { type Tree, tree } from "../tools/tree.ts";

let world: Tree;
beforeEach(() => {
  world = tree({ "work/src/a.js": "a", "outside/b.js": "b" });
  symlinkSync("../outside", world.at("work/out"));
  symlinkSync("src", world.at("work/alias"));
});
afterEach(() => world.remove());

it("accepts one file of the tree by its real path, whether it exists or not", async () => {
  const policy = await policyFor(world.at("work"), { deny: ["Edit(src/locked.js)"] });
  const ask = async (path: string) => {
    const found = await fileInTree(path, policy, realDisk);
    return found.ok ? found.path : found.reason;
  };
  expect(await Promise.all(["src/a.js", "./src/new/c.js", "alias/a.js", world.at("work/src/a.js")].map(ask))).toEqual([
    "src/a.js",
    "src/new/c.js",
    "src/a.js",
    "src/a.js",
  ]);
  const outside = `is not a file below the working directory ${policy.cwd}`;
  expect(await Promise.all(["../outside/b.js", "out/b.js", "/etc/hosts", ".", "src/../../x"].map(ask))).toEqual(Array(5).fill(outside));
  expect(await Promise.all(["src", "src/*.js", " ", "src/locked.js", "TOOL.md"].map(ask))).toEqual([
    "is a folder. Name each file in it",
    "is a pattern. Name each file",
    "is not a path",
    "may not be written: The rule Edit(src/locked.js) denies it",
    "is a TOOL.md, which the person alone writes: tell them what it should say",
  ]);
});

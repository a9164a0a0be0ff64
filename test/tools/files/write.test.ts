import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeTool } from "../../../src/tools/files/write.ts";
import { realDisk, toolsFor, toolUser, type Use } from "../agent.ts";
import { type Tree, tree } from "../tree.ts";

let folder: Tree;
let use: Use;
beforeEach(async () => {
  folder = tree({ "a.js": "one\ntwo\n" });
  use = await toolUser(folder.path);
});
afterEach(() => folder.remove());

it("creates a file and its folders", async () => {
  expect(await use("Write", { path: "new/deep/b.js", content: "x\ny\n" })).toEqual({
    text: "Created new/deep/b.js (2 lines)",
    summary: "2 lines",
    isError: false,
    touched: ["new/deep/b.js"],
    detail: "--- new/deep/b.js\n+++ new/deep/b.js\n@@ -0,0 +1,2 @@\n+x\n+y\n",
    wrote: [{ path: "new/deep/b.js", sha256: createHash("sha256").update("x\ny\n").digest("hex"), bytes: 4 }],
  });
  expect(folder.text("new/deep/b.js")).toBe("x\ny\n");
});

it("refuses a file that this agent has not read, and replaces it once it has", async () => {
  expect((await use("Write", { path: "a.js", content: "x" })).text).toBe(
    'Cannot write "a.js": "a.js" exists and you have not read it. Read it first, so that nothing in it is lost.',
  );
  expect(folder.text("a.js")).toBe("one\ntwo\n");
  await use("Read", { path: "a.js" });
  expect(await use("Write", { path: "a.js", content: "one\n2\n3\n" })).toMatchObject({ text: "Replaced a.js (+2 −1)", isError: false });
  expect(folder.text("a.js")).toBe("one\n2\n3\n");
});

it("says before it runs what a file that it replaces would lose and get", async () => {
  const tool = writeTool(realDisk, new Map());
  const replaces = (path: string) => tool.replaces?.({ path: `${folder.path}/${path}`, content: "one\n2\n" });
  expect([await replaces("a.js"), await replaces("new.js"), await replaces("")]).toEqual([
    { lines: ["@@ -1,2 +1,2 @@", " one", "-two", "+2"], counted: "+1 −1" },
    undefined,
    undefined,
  ]);
});

it("refuses a file that changed after the user saw what it would lose", async () => {
  const tools = await toolsFor(folder.path);
  const write = tools.find(({ name }) => name === "Write")!;
  const input = { path: "a.js", content: "one\n" };
  await tools.find(({ name }) => name === "Read")!.run({ path: "a.js" }, { signal: new AbortController().signal });
  expect(await write.replaces?.(input)).toEqual({ lines: ["@@ -1,2 +1,1 @@", " one", "-two"], counted: "+0 −1" });
  folder.put("a.js", "one\ntwo\nnew\n");
  const { text } = await write.run(input, { signal: new AbortController().signal });
  expect([text, folder.text("a.js")]).toEqual([expect.stringContaining('"a.js" has changed since you read it'), "one\ntwo\nnew\n"]);
});

it("may write again what it has written itself", async () => {
  await use("Write", { path: "b.js", content: "1" });
  expect(await use("Write", { path: "b.js", content: "2" })).toMatchObject({ isError: false });
  expect(folder.text("b.js")).toBe("2");
});

it("refuses a file that another agent changed meanwhile, and says to read again", async () => {
  const other = await toolUser(folder.path);
  await use("Read", { path: "a.js" });
  await other("Read", { path: "a.js" });
  await other("Write", { path: "a.js", content: "theirs\n" });
  const refused = await use("Write", { path: "a.js", content: "mine\n" });
  expect(refused.text).toBe(
    'Cannot write "a.js": "a.js" has changed since you read it: another agent or a command wrote it. Read it again, then repeat your change on what is there now.',
  );
  expect(folder.text("a.js")).toBe("theirs\n");
  await use("Read", { path: "a.js" });
  expect(await use("Write", { path: "a.js", content: "mine\n" })).toMatchObject({ isError: false });
});

it("treats the same content as the same version, however it came back", async () => {
  await use("Read", { path: "a.js" });
  folder.put("a.js", "something else");
  folder.put("a.js", "one\ntwo\n");
  expect(await use("Write", { path: "a.js", content: "x" })).toMatchObject({ isError: false });
});

it("knows a file by its real path, whichever link leads to it", async () => {
  symlinkSync("a.js", folder.at("link.js"));
  await use("Read", { path: "link.js" });
  expect(await use("Write", { path: folder.at("a.js"), content: "x" })).toMatchObject({ isError: false, touched: ["a.js"] });
  expect(await use("Write", { path: "link.js", content: "through" })).toMatchObject({ isError: false, touched: ["a.js"] });
  expect(folder.text("a.js")).toBe("through");
});

it("keeps the mode, leaves no temporary file, and gives new files the usual mode", async () => {
  chmodSync(folder.at("a.js"), 0o755);
  await use("Read", { path: "a.js" });
  await use("Write", { path: "a.js", content: "x" });
  await use("Write", { path: "new.js", content: "x" });
  const usual = 0o666 & ~process.umask();
  expect([statSync(folder.at("a.js")).mode & 0o777, statSync(folder.at("new.js")).mode & 0o777]).toEqual([0o755, usual]);
  expect(readdirSync(folder.path).sort()).toEqual(["a.js", "new.js"]);
});

it("says why a folder, a read-only file or a path through a file cannot be written", async () => {
  folder.put("dir/x", "");
  chmodSync(folder.at("a.js"), 0o444);
  await use("Read", { path: "a.js" });
  const texts = await Promise.all(["dir", "a.js", "dir/x/y"].map(async (path) => (await use("Write", { path, content: "x" })).text));
  expect(texts).toEqual([
    'Cannot write "dir": it is a folder. Give the path of a file.',
    'Cannot write "a.js": it is marked read-only.',
    'Cannot write "dir/x/y": a part of its path is a file, or was removed meanwhile.',
  ]);
});

it("lets exactly one of two agents create the same file", async () => {
  const other = await toolUser(folder.path);
  for (let round = 0; round < 30; round++) {
    const path = `made/${round}.txt`;
    const results = await Promise.all([use("Write", { path, content: "ada" }), other("Write", { path, content: "bo" })]);
    expect(results.filter(({ isError }) => isError).length).toBe(1);
    expect(folder.text(path)).toBe(results[0]!.isError ? "bo" : "ada");
  }
  expect(existsSync(folder.at("made/29.txt"))).toBe(true);
});

it("does not recreate a working directory that somebody has removed", async () => {
  rmSync(folder.path, { recursive: true });
  expect((await use("Write", { path: "b.js", content: "x" })).text).toContain(`the working directory ${folder.path} no longer exists`);
  expect(existsSync(folder.path)).toBe(false);
});

import { symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { toolUser, type Use } from "../agent.ts";
import { type Tree, tree } from "../tree.ts";

let folder: Tree;
let use: Use;
beforeEach(async () => {
  folder = tree({
    "src/b.ts": "",
    "src/a.ts": "",
    "src/deep/c.ts": "",
    "src/deep/.hidden.ts": "",
    "top.ts": "",
    "node_modules/x/i.ts": "",
    ".git/config": "",
    "dist/out.ts": "",
    ".gitignore": "dist/\n",
  });
  use = await toolUser(folder.path);
});
afterEach(() => folder.remove());

const glob = async (pattern: string, path?: string) => (await use("Glob", { pattern, ...(path && { path }) })).text.split("\n");

it("lists matching files sorted, hidden ones too, without .git, node_modules and what .gitignore excludes", async () => {
  expect(await use("Glob", { pattern: "**/*.ts" })).toEqual({
    text: "src/a.ts\nsrc/b.ts\nsrc/deep/.hidden.ts\nsrc/deep/c.ts\ntop.ts",
    summary: "5 files",
    isError: false,
  });
  expect(await glob("*.ts")).toEqual(["top.ts"]);
  expect(await glob("src/{a,b}.ts")).toEqual(["src/a.ts", "src/b.ts"]);
});

it("searches a folder and names files relative to the working directory", async () => {
  expect(await glob("*.ts", "src")).toEqual(["src/a.ts", "src/b.ts"]);
  expect(await glob("**/c.ts", folder.at("src"))).toEqual(["src/deep/c.ts"]);
});

it("shows an excluded folder that is asked for by name", async () => {
  expect(await glob("*.ts", "dist")).toEqual(["dist/out.ts"]);
});

it("does not follow links", async () => {
  symlinkSync("src", folder.at("linked"));
  symlinkSync("..", folder.at("src/up"));
  expect(await glob("**/a.ts")).toEqual(["src/a.ts"]);
});

it("says when nothing matches, the folder is missing, or not everything is shown", async () => {
  for (let n = 0; n < 310; n++) folder.put(`many/${n}.x`, "");
  expect(await glob("*.rs")).toEqual(["No file matches"]);
  expect(await glob("*", "nowhere")).toEqual(['Cannot find "*" in "nowhere": there is no such folder.']);
  const many = await use("Glob", { pattern: "many/*" });
  expect([many.summary, many.text.split("\n").length, many.text.split("\n").at(-1)]).toEqual([
    "310 files",
    301,
    "[10 more; use a narrower pattern]",
  ]);
});

it("refuses a pattern that would take forever", async () => {
  folder.put("a".repeat(200), "");
  expect(await glob(`${"*a".repeat(20)}b`)).toEqual([
    `Cannot find "${"*a".repeat(20)}b" in ".": the pattern has more than 4 stars in one name, or in its path. Use a simpler one.`,
  ]);
});

it("lists the latest changes first, if asked for", async () => {
  for (const [path, seconds] of [
    ["src/b.ts", 300],
    ["top.ts", 200],
    ["src/a.ts", 100],
  ] as const) {
    utimesSync(join(folder.path, path), seconds, seconds);
  }
  const { text } = await use("Glob", { pattern: "{*.ts,src/*.ts}", sort: "time" });
  expect(text.split("\n")).toEqual(["src/b.ts", "top.ts", "src/a.ts"]);
});

it("accepts a pattern that begins with an absolute path, and refuses one that leads out, and an empty one", async () => {
  const glob = async (pattern: string) => (await use("Glob", { pattern })).text.replaceAll(folder.path, "~");
  expect((await glob(`${folder.path}/src/*.ts`)).split("\n")).toEqual(["src/a.ts", "src/b.ts"]);
  expect(await glob(folder.at("top.ts"))).toBe("top.ts");
  expect(await glob("/etc/*.conf")).toMatch(/^Cannot find "\*\.conf" in "\/etc": it is \/etc, which needs a person's permission/);
  expect(await glob("../*/x")).toMatch(/^Cannot find "\*\/x" in "\.\.": it is .* which needs a person's permission/);
  expect(await glob("")).toBe('Cannot find "" in ".": the pattern is empty. Use ** for every file.');
});

import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { guardDisk } from "../../src/permissions/guard.ts";
import { permit } from "../../src/permissions/permit.ts";
import type { PolicyOrder } from "../../src/permissions/policy.ts";
import type { Disk } from "../../src/tools/disk.ts";
import { policyFor, realDisk, toolUser } from "../tools/agent.ts";
import { type Tree, tree } from "../tools/tree.ts";

// world/work is the working directory; world/work-home is the home, with the configuration in it.
let world: Tree;
let disk: Disk;
beforeEach(async () => {
  world = tree({
    "work/src/a.ts": "a needle",
    "work/.env": "KEY=needle",
    "work/.env.example": "KEY= needle",
    "work/deep/server.key": "needle",
    "outside/secret.txt": "secret needle",
    "work-home/.tool/teams/t/tasks.json": "{}",
    "work-home/note.txt": "note",
  });
  disk = await guarded();
});
afterEach(() => world.remove());

const guarded = async (order: Partial<PolicyOrder> = {}) => guardDisk(realDisk, await policyFor(world.at("work"), order));
const signal = new AbortController().signal;
const content = (text: string) => ({ bytes: Buffer.from(text), expected: undefined });
const query = { pattern: "needle", ignoreCase: false, keep: () => true, signal };

it("reads and writes inside, and names files from the working directory", async () => {
  expect(await disk.read("src/../src/a.ts")).toMatchObject({ kind: "file", path: "src/a.ts" });
  expect(await disk.write(world.at("work/new/b.ts"), content("b"))).toMatchObject({ kind: "written", path: "new/b.ts" });
  expect(await disk.walk(".", signal)).toMatchObject({
    folder: ".",
    paths: [".env", ".env.example", "deep/server.key", "new/b.ts", "src/a.ts"],
  });
  expect(await disk.walk("src", signal)).toMatchObject({ folder: "src", paths: ["a.ts"] });
});

it("writes nothing outside, by any path", async () => {
  symlinkSync("../outside", world.at("work/out"));
  symlinkSync("../outside/new.txt", world.at("work/dangling"));
  symlinkSync("../outside/secret.txt", world.at("work/name"));
  symlinkSync("out", world.at("work/twice"));
  const ways = [
    "../x",
    "/x-outside",
    world.at("outside/x"),
    "~/x",
    "out/x",
    "out/new/deep/x",
    "dangling",
    "name",
    "twice/x",
    "src/../../x",
    `${world.at("work")}-home/x`,
  ];
  const outcomes = await Promise.all(ways.map((way) => disk.write(way, content("x"))));
  expect(outcomes.filter((outcome) => outcome.kind !== "refused" || !outcome.reason.includes("outside the working directory"))).toEqual([]);
  expect([
    readdirSync(world.path).sort(),
    readdirSync(world.at("outside")),
    world.text("outside/secret.txt"),
    existsSync("/x-outside"),
  ]).toEqual([["outside", "work", "work-home"], ["secret.txt"], "secret needle", false]);
});

it("writes through a link that stays inside, and keeps the link", async () => {
  symlinkSync("src", world.at("work/way"));
  expect(await disk.write("way/b.ts", content("b"))).toMatchObject({ kind: "written", path: "src/b.ts" });
  expect(world.text("work/way/b.ts")).toBe("b");
});

it("works in a working directory that is itself reached through a link", async () => {
  symlinkSync("work", world.at("alias"));
  const aliased = guardDisk(realDisk, await policyFor(world.at("alias")));
  expect(await aliased.write(world.at("alias/c.ts"), content("c"))).toMatchObject({ kind: "written", path: "c.ts" });
  expect(await aliased.write("../c.ts", content("c"))).toMatchObject({ kind: "refused" });
});

it("notices that the working directory was replaced by a link", async () => {
  const { renameSync } = await import("node:fs");
  renameSync(world.at("work"), world.at("work.old"));
  symlinkSync("outside", world.at("work"));
  expect(await disk.write("x", content("x"))).toMatchObject({ kind: "refused" });
  expect(await disk.read("secret.txt")).toMatchObject({ kind: "refused" });
});

it("keeps this program's own folder closed to writing, also inside the working directory", async () => {
  mkdirSync(world.at("work/state/.tool"), { recursive: true });
  const inner = await guarded({ configDir: world.at("work/state/.tool") });
  expect([
    await inner.write("state/.tool/x", content("x")),
    await inner.write("state/.TOOL/x", content("x")),
    await inner.write("state/x", content("x")),
  ]).toMatchObject([
    { kind: "refused", reason: "it belongs to this program's own settings and state, where no agent writes" },
    { kind: "refused" },
    { kind: "written" },
  ]);
});

it("keeps TOOL.md closed to writing whatever was granted, and open to reading", async () => {
  world.put("work/docs/TOOL.md", "by hand");
  symlinkSync("docs/TOOL.md", world.at("work/notes.md"));
  const order = { mode: "bypassPermissions" } as const;
  const asked = async (path: string) => (await guarded(order)).write(path, content("x"));
  const reason = "it is a TOOL.md, which the person alone writes: tell them what it should say";
  expect(await Promise.all(["TOOL.md", "docs/TOOL.md", "docs/tool.md", "notes.md"].map(asked))).toEqual(
    Array(4).fill({ kind: "refused", reason }),
  );
  expect(await disk.read("docs/TOOL.md")).toMatchObject({ kind: "file" });
});

it("lets no file outside, sensitive or protected pass without an answer", async () => {
  const refused = await Promise.all([
    disk.read("../outside/secret.txt"),
    disk.read("~/note.txt"),
    disk.read(".env"),
    disk.search(".env", query),
    disk.walk("/", signal),
    disk.search("..", query),
    disk.write(".vscode/tasks.json", content("x")),
    disk.write(".git/hooks/pre-commit", content("x")),
  ]);
  expect(refused.map((outcome) => outcome.kind)).toEqual(Array(8).fill("refused"));
  expect(await disk.names("../outside")).toEqual([]);
  expect(readdirSync(world.at("work")).sort()).toEqual([".env", ".env.example", "deep", "src"]);
});

it("leaves sensitive files out of a search below a folder", async () => {
  expect(await disk.search(".", query)).toMatchObject({ matches: [{ path: ".env.example" }, { path: "src/a.ts" }] });
});

it("opens for an answered call exactly the path that was asked for, once", async () => {
  const policy = await policyFor(world.at("work"));
  const asked: string[] = [];
  const enter = permit({
    policy,
    real: realDisk.real,
    ask: async (question) => {
      if (question.kind === "permission") asked.push(...question.parts.map(({ text }) => text));
      return { kind: "once" };
    },
  });
  const use = await toolUser(world.at("work"), policy);
  symlinkSync("../outside/secret.txt", world.at("work/name"));

  expect(await enter({ tool: "Read", input: { path: "name" } }, signal)).toEqual({ allowed: true });
  expect((await use("Read", { path: "name" })).text).toBe("1\tsecret needle");
  expect((await use("Read", { path: "name" })).text).toBe(
    `Cannot read "name": it is ${world.at("outside/secret.txt")}, which needs a person's permission, and none was given for this path.`,
  );

  await enter({ tool: "Grep", input: { pattern: "needle", path: "../outside" } }, signal);
  expect((await use("Grep", { pattern: "needle", path: "../outside" })).text).toBe(`${world.at("outside/secret.txt")}:1:secret needle`);

  for (const text of ["one", "two"]) {
    await enter({ tool: "Write", input: { path: ".vscode/tasks.json" } }, signal);
    expect(await use("Write", { path: ".vscode/tasks.json", content: text })).toMatchObject({ isError: false });
  }
  expect(await use("Write", { path: ".vscode/tasks.json", content: "three" })).toMatchObject({ isError: true });
  expect(asked).toEqual([
    `${world.at("work/name")}, which is ${world.at("outside/secret.txt")}`,
    world.at("outside"),
    world.at("work/.vscode/tasks.json"),
    world.at("work/.vscode/tasks.json"),
  ]);
});

it("refuses if a link is changed between the answer and the use", async () => {
  const { rmSync } = await import("node:fs");
  const policy = await policyFor(world.at("work"));
  const enter = permit({ policy, real: realDisk.real, ask: async () => ({ kind: "once" }) });
  const use = await toolUser(world.at("work"), policy);
  symlinkSync("../work-home/note.txt", world.at("work/name"));
  await enter({ tool: "Read", input: { path: "name" } }, signal);
  rmSync(world.at("work/name"));
  symlinkSync("../outside/secret.txt", world.at("work/name"));
  expect(await use("Read", { path: "name" })).toMatchObject({ isError: true });
});

it("reports a path that leads in a circle or cannot be a path", async () => {
  symlinkSync("ring", world.at("work/ring"));
  const outcomes = [
    await disk.read("ring"),
    await disk.write("ring/x", content("x")),
    await disk.read("a\0b"),
    await disk.walk("ring", signal),
  ];
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(4).fill("refused"));
});

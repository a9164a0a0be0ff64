// A worker may change the files that it was started for: writing another file needs a question, in whatever way it is written.
import { describe, expect, it } from "vitest";
import { childPolicy } from "../../src/agent/child-policy.ts";
import { policyStore } from "../../src/agent/policy-store.ts";
import { ignoredByGit } from "../../src/agent/workspace/open-policy.ts";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { guardDisk } from "../../src/permissions/guard.ts";
import { permit } from "../../src/permissions/permit.ts";
import { makePolicy, type PermissionMode } from "../../src/permissions/policy.ts";
import { belongsToOthers, foldersTo } from "../../src/permissions/sandbox/sandbox-view.ts";
import { policyFor, realDisk } from "../tools/agent.ts";
import { tree } from "../tools/tree.ts";

const real = async (path: string) => path;
const allow = ["Write", "Edit", "Bash(node --test:*)", "Bash(sed:*)", "Bash(rm:*)", "Bash(cp src/a.js src/b.js)"];

async function worker(mode: PermissionMode = "default", { contained = false } = {}) {
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", temporary: "/t", mode, allow }, real);
  if (!made.ok) throw new Error(made.reason);
  const child = childPolicy(made.policy, {
    parent: { policy: made.policy },
    agent: "ada",
    disallowedTools: [],
    files: ["src/a.js", "test/a.test.js"],
  });
  if (contained) {
    made.policy.grants.grant(undefined, { kind: "session" });
    policyStore(child).setSandbox({ kind: "active" });
  }
  return async (tool: string, input: Record<string, string>) => decide(await locate({ tool, input }, child, real), child);
}

describe("a worker's own files", () => {
  it.each([
    ["Write", { path: "src/a.js" }, "allow"],
    ["Edit", { path: "test/a.test.js" }, "allow"],
    ["Edit", { path: "/t/notes.txt" }, "allow"],
    ["Read", { path: "src/b.js" }, "allow"],
    ["Write", { path: "src/b.js" }, "ask"],
    ["Edit", { path: "src/new.js" }, "ask"],
    ["Bash", { command: "node --test test/b.test.js" }, "allow"],
    ["Bash", { command: "node --test 2>/dev/null" }, "allow"],
    ["Bash", { command: "sed -i s/a/b/ src/a.js" }, "allow"],
    ["Bash", { command: "sed -i s/a/b/ src/b.js" }, "ask"],
    ["Bash", { command: "node --test > src/b.js" }, "ask"],
    ["Bash", { command: "rm src/*.js" }, "ask"],
    ["Bash", { command: "cp src/a.js src/b.js" }, "ask"],
  ] as const)("%s %o: %s", async (tool, input, decision) => {
    expect((await (await worker())(tool, input)).decision).toBe(decision);
  });

  it.each(["acceptEdits", "bypassPermissions"] as const)("are all that the mode %s lets it change", async (mode) => {
    const judged = await worker(mode);
    expect(await judged("Write", { path: "src/b.js" })).toMatchObject({
      decision: "ask",
      reason: "/repo/src/b.js is not among the files of this worker: src/a.js, test/a.test.js",
    });
    expect((await judged("Bash", { command: "echo x > src/b.js" })).decision).toBe("ask");
    expect((await judged("Write", { path: "src/a.js" })).decision).toBe("allow");
  });

  it("are all that a command changes without a question if everything in the sandbox is allowed", async () => {
    const judged = await worker("default", { contained: true });
    const of = async (command: string) => (await judged("Bash", { command })).decision;
    expect(await Promise.all(["touch src/a.js", "make test", "touch src/b.js", "tee src/b.js", "mv src/a.js src/c.js"].map(of))).toEqual([
      "allow",
      "allow",
      "ask",
      "ask",
      "ask",
    ]);
  });

  it("are all that the disk accepts, until the user has allowed another one", async () => {
    const world = tree({ "work/a.js": "a", "work/b.js": "b" });
    try {
      const parent = await policyFor(world.at("work"), { allow: ["Write"] });
      const policy = childPolicy(await policyFor(world.at("work"), { allow: ["Write"] }), {
        parent: { policy: parent },
        agent: "ada",
        disallowedTools: [],
        files: ["a.js"],
      });
      const disk = guardDisk(realDisk, policy);
      const write = (path: string) => disk.write(path, { bytes: Buffer.from("x"), expected: undefined });
      expect(await write("b2.js")).toMatchObject({ kind: "refused" });
      const call = { tool: "Write", input: { path: "b2.js", content: "x" } };
      const { signal } = new AbortController();
      const unasked = permit({ policy, real: realDisk.real, ask: undefined });
      expect(await unasked(call, signal)).toMatchObject({ allowed: false, missing: [] });
      const asked = permit({ policy, real: realDisk.real, ask: async () => ({ kind: "once" }) });
      expect(await asked(call, signal)).toEqual({ allowed: true });
      expect(await write("b2.js")).toMatchObject({ kind: "written" });
    } finally {
      world.remove();
    }
  });
});

describe("belongsToOthers()", () => {
  it("leaves a worker's commands its files, the folders that lead to them, and files that git ignores there", async () => {
    const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", directories: ["/lib"] }, real);
    if (!made.ok) throw new Error(made.reason);
    const ownFiles = ["/repo/src/a/one.js", "/repo/test/one.test.js"];
    const texts: Record<string, string> = { "/repo/.gitignore": "out/\n*.log\n", "/repo/src/.gitignore": "!kept.log\n" };
    const folders = foldersTo(ownFiles, "/repo");
    expect(folders).toEqual(["/repo", "/repo/src", "/repo/src/a", "/repo/test"]);
    const isOthers = belongsToOthers({ ...made.policy, ownFiles, gitIgnores: ignoredByGit(folders, (file) => texts[file]) });
    const file = (path: string) => isOthers({ path, kind: "file" });
    const folder = (path: string) => isOthers({ path, kind: "folder" });
    const others = [
      file("/repo/package.json"),
      file("/repo/src/a/two.js"),
      file("/repo/src/kept.log"),
      folder("/repo/docs"),
      folder("/repo/src/b"),
      folder("/lib/b"),
    ];
    expect(others).toEqual(others.map(() => true));
    const open = [
      ...ownFiles.map(file),
      file("/repo/run.log"),
      file("/repo/docs/inside-a-covered-folder.md"),
      folder("/repo/out"),
      folder("/repo/src"),
      folder("/repo/.git"),
      isOthers({ path: "/repo/link", kind: "link" }),
      belongsToOthers(made.policy)({ path: "/repo/package.json", kind: "file" }),
    ];
    expect(open).toEqual(open.map(() => false));
  });
});

// A file whose own name says nothing, and to which a link with a protected name leads.
import { symlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { outliers } from "../../../src/edge/shell/outliers.ts";
import { locate } from "../../../src/permissions/call.ts";
import { decide } from "../../../src/permissions/decision.ts";
import { guardDisk } from "../../../src/permissions/guard.ts";
import { isSensitiveName } from "../../../src/permissions/paths/places.ts";
import type { Policy } from "../../../src/permissions/policy.ts";
import { policyFor, realDisk } from "../../tools/agent.ts";
import { type Tree, tree } from "../../tools/tree.ts";

let world: Tree;
let policy: Policy;
beforeEach(async () => {
  world = tree({ "work/x": "x", "work/y": "y", "work/settings/tasks.json": "{}", "work/docs/guide.md": "" });
  const links = {
    ".envrc": "x",
    ".vscode": "settings",
    "docs/CLAUDE.md": "guide.md",
    ".npmrc": "later",
    "TOOL.md": "memory",
    plain: "y",
  };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, world.at(`work/${path}`));
  const folder = world.at("work");
  const made = await policyFor(folder, { mode: "acceptEdits", allow: [{ text: "Bash(tee:*)", scope: "user" }] });
  policy = { ...made, outliers: outliers([folder], isSensitiveName) };
});
afterEach(() => world.remove());

const decided = async (tool: string, input: object, at = policy) => decide(await locate({ tool, input }, at, realDisk.real), at);

const protectedFiles = [
  ["x", "as .envrc, programs run what it says"],
  ["settings/tasks.json", "as .vscode/tasks.json, programs run what it says"],
  ["settings/new/launch.json", "as .vscode/new/launch.json, programs run what it says"],
  ["docs/guide.md", "as docs/CLAUDE.md, other agents follow what it says"],
  ["later", "as .npmrc, programs run what it says"],
] as const;

it.each(protectedFiles)("no mode changes %s unasked: %s", async (path, why) => {
  const reason = `${world.at(`work/${path}`)} always needs a person's permission: ${why}`;
  for (const tool of ["Write", "Edit"]) expect(await decided(tool, { path })).toMatchObject({ decision: "ask", by: "built-in", reason });
  for (const kind of ["off", "active"] as const)
    expect(await decided("Bash", { command: `echo evil | tee ${path}` }, { ...policy, sandbox: { kind } })).toMatchObject({
      decision: "ask",
    });
  const content = { bytes: Buffer.from("evil"), expected: undefined };
  expect(await guardDisk(realDisk, policy).write(path, content)).toMatchObject({ kind: "refused" });
  expect(await decided("Read", { path })).toMatchObject({ decision: "allow" });
});

it("what a link leads to that the person alone writes is written by no agent, and every other file as before", async () => {
  expect(await decided("Write", { path: "memory" })).toMatchObject({ decision: "deny", by: "limit" });
  expect(await decided("Write", { path: "y" })).toMatchObject({ decision: "allow", by: "mode" });
  expect(await decided("Bash", { command: "echo fine | tee y" })).toMatchObject({ decision: "allow" });
  expect(await guardDisk(realDisk, policy).write("z", { bytes: Buffer.from("z"), expected: undefined })).toMatchObject({ kind: "written" });
});

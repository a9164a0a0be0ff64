import { expect, it } from "vitest";
import { type Call, locate } from "../../../src/permissions/call.ts";
import { decide, denial } from "../../../src/permissions/decision.ts";
import { readGlob } from "../../../src/permissions/paths/glob-meets.ts";
import { makePolicy, type Policy, type PolicyOrder } from "../../../src/permissions/policy.ts";

const [of, at] = ["/home/me/app", "/home/me/app-agents-1/a-1"];

async function inWorktree(order: Partial<PolicyOrder>): Promise<Policy> {
  const copy = { at, of, from: `${of}/sub` };
  const made = await makePolicy({ cwd: at, home: "/home/me", configDir: "/home/me/.tool", copy, ...order }, async (path) => path);
  if (!made.ok) throw new Error(made.reason);
  return made.policy;
}

const forms: [rule: string, order: Partial<PolicyOrder>][] = [
  ["an absolute rule", { deny: [`Read(/${of}/sub/secrets/**)`] }],
  ["a rule from the home folder", { deny: ["Read(~/app/sub/secrets/**)"] }],
  ["a rule with a star for the tree itself", { deny: ["Read(~/a?p/*/secrets/**)"] }],
  ["a rule of the user's tree", { deny: [{ text: "Read(/sub/secrets/**)", scope: "project", folder: of }] }],
  ["the same rule, moved", { deny: [{ text: "Read(/sub/secrets/**)", scope: "project", folder: at }] }],
  ["a rule from where the user was", { deny: ["Read(./secrets/**)"] }],
  ["a bare rule from where the user was", { deny: ["Read(secrets/**)"] }],
  ["a moved .toolignore", { toolignore: { text: "secrets/\n", folder: at } }],
];

it.each(forms)("hides at both places what %s hides at one", async (_, order) => {
  const policy = await inWorktree(order);
  const hides = (path: string) => denial("read", { written: path, real: path, file: true }, policy) !== undefined;
  const places = [`${at}/sub/secrets/k`, `${at}/sub/SECRETS/k`, `${of}/sub/secrets/k`, `${at}/sub/other`, "/home/me/other/secrets/k"];
  expect(places.map(hides)).toEqual([true, true, true, false, false]);
  const link = { written: `${at}/sub/open`, real: `${of}/sub/secrets/k`, file: true as const };
  expect(denial("read", link, policy)).toBeDefined();
  const glob = `${at}/sub/secr?ts/k`;
  expect(denial("read", { written: glob, real: glob, glob: readGlob(glob) }, policy)).toBeDefined();
});

it("asks at both places, and allows only where a rule says so", async () => {
  const policy = await inWorktree({ ask: [`Read(/${of}/plans/**)`], allow: [`Edit(/${of}/src/**)`] });
  const decided = async (call: Call) => decide(await locate(call, policy, async (path) => path), policy).decision;
  expect(await decided({ tool: "Read", input: { path: `${at}/plans/a` } })).toBe("ask");
  expect(await decided({ tool: "Bash", input: { command: "cat plans/*" } })).toBe("ask");
  expect(await decided({ tool: "Bash", input: { command: "grep -r x ." } })).toBe("ask");
  expect(await decided({ tool: "Edit", input: { path: `${at}/src/a` } })).toBe("ask");
});

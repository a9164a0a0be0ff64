import { describe, expect, it } from "vitest";
import { childPolicy, narrowed } from "../../src/agent/child-policy.ts";
import { policyStore } from "../../src/agent/policy-store.ts";
import { sandboxView } from "../../src/agent/ports/mounts.ts";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { makePolicy, type PermissionMode } from "../../src/permissions/policy.ts";

const real = async (path: string) => path;

async function policy() {
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", mode: "acceptEdits" }, real);
  if (!made.ok) throw new Error(made.reason);
  return made.policy;
}

it("limits a sub-agent to what a skill leaves the agent that started it, even after that agent stops using the skill", async () => {
  const parent = await policy();
  const store = policyStore(parent);
  store.narrow({ skill: "look", only: [{ tool: "Read", kind: "any" }] });
  const child = childPolicy(await policy(), { parent: { policy: parent }, agent: "ada", disallowedTools: [] });
  store.widen();
  const of = async (tool: string) => decide(await locate({ tool, input: { path: "a.ts" } }, child, real), child).decision;
  expect([await of("Read"), await of("Edit")]).toEqual(["allow", "deny"]);
});

it("names the sub-agent that asked for a grant, also one below another", async () => {
  const parent = await policy();
  const child = childPolicy(await policy(), { parent: { policy: parent }, agent: "ada", disallowedTools: [] });
  const grandchild = childPolicy(await policy(), { parent: { policy: child }, agent: "bo", disallowedTools: [] });
  for (const [tool, { grants }] of [
    ["Edit", parent],
    ["Write", child],
    ["Bash", grandchild],
  ] as const)
    grants.grant({ tool, kind: "any" }, { kind: "session" });
  expect(parent.grants.given.map(({ rule, agent }) => [rule, agent])).toEqual([
    ["Edit", undefined],
    ["Write", "ada"],
    ["Bash", "bo"],
  ]);
});

it("gives no agent a tool, a mode or a file that a definition above it withholds", async () => {
  const parent = await policy();
  const above = [
    { agent: "agent ada (a-1)", tools: ["Read", "Write"], disallowedTools: ["WebFetch"], files: ["a.ts", "b.ts"] },
    { agent: "the session's agent look", disallowedTools: [], mode: "default" as const, files: ["b.ts", "c.ts"] },
  ];
  const order = narrowed({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool" }, { disallowedTools: ["Grep"], above });
  expect(order.deny).toEqual(["Grep", "WebFetch"]);
  const child = childPolicy(await policy(), { parent: { policy: parent }, agent: "bo", disallowedTools: [], mode: "acceptEdits", above });
  expect([child.mode, child.ownFiles]).toEqual(["default", ["/repo/b.ts"]]);
  const { decision, reason } = decide(await locate({ tool: "Bash", input: { command: "make" } }, child, real), child);
  expect([decision, reason]).toEqual(["deny", "The definition of agent ada (a-1), which is above this agent, does not allow Bash"]);
});

it("gives an agent whose definition names Bash all of it, under the rules of its parent", async () => {
  const judged = async (tools: string[], command: string) => {
    const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", tools }, real);
    if (!made.ok) throw new Error(made.reason);
    const child = childPolicy(made.policy, { parent: { policy: await policy() }, agent: "ada", tools, disallowedTools: [] });
    return decide(await locate({ tool: "Bash", input: { command } }, child, real), child).decision;
  };
  for (const command of ["node -e 1", "python3 -c 1", "make"]) expect(await judged(["Read", "Bash"], command)).toBe("ask");
  expect(await judged(["Bash(node *)"], "node -e 1")).toBe("ask");
  expect(await judged(["Bash(node *)"], "python3 -c 1")).toBe("deny");
  expect(await judged(["Bash(node *)"], "cat a.txt")).toBe("deny");
  expect(await judged(["Read"], "node -e 1")).toBe("deny");
});

describe("an agent in a worktree", () => {
  const apart = async (mode: PermissionMode = "bypassPermissions") => {
    const order = { home: "/home/me", configDir: "/home/me/.tool", mode, directories: ["/", "/repo/packages", "/lib"] };
    const made = async (cwd: string) => {
      const { ok, ...rest } = await makePolicy({ ...order, cwd }, real);
      if (!ok || !("policy" in rest)) throw new Error(JSON.stringify(rest));
      return rest.policy;
    };
    const parent = await made("/repo");
    parent.grants.grant({ tool: "Edit", kind: "any" }, { kind: "session" });
    return childPolicy(await made("/repo-agents-1/a-1"), { parent: { policy: parent }, agent: "ada", disallowedTools: [], tree: "/repo" });
  };

  it.each([
    ["Write", { path: "src/a.ts" }, "allow"],
    ["Write", { path: "/lib/a.ts" }, "allow"],
    ["Write", { path: "/repo/src/a.ts" }, "deny"],
    ["Read", { path: "/repo/secret.txt" }, "deny"],
    ["Bash", { command: "echo x > /repo/src/a.ts" }, "deny"],
    ["Bash", { command: "cp a.ts ../../repo/src/a.ts" }, "deny"],
    ["Bash", { command: "echo x > src/a.ts" }, "allow"],
  ] as const)("%s %o in the tree of its session or its own: %s", async (tool, input, decision) => {
    const child = await apart();
    expect(decide(await locate({ tool, input }, child, real), child).decision).toBe(decision);
  });

  it("has no additional folder that opens that tree, and its commands see nothing of it in the sandbox but the repository's own folder", async () => {
    const child = await apart();
    expect(child.directories).toEqual(["/lib"]);
    const found = { writable: ["/repo-agents-1/a-1", "/repo/.git"], exceptions: [], secrets: [], shared: [], scratch: [{ path: "/tmp" }] };
    expect(sandboxView(child, false, found).mounts.slice(1)).toEqual([
      { kind: "hidden", path: "/repo", as: "folder" },
      { kind: "writable", path: "/repo-agents-1/a-1" },
      { kind: "writable", path: "/repo/.git" },
    ]);
  });
});

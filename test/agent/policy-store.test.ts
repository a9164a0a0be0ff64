import { expect, it } from "vitest";
import { childPolicy } from "../../src/agent/child-policy.ts";
import { policyStore } from "../../src/agent/policy-store.ts";
import { makePolicy, type Narrowing, type PolicyOrder } from "../../src/permissions/policy.ts";

async function policyOf(order: Partial<PolicyOrder> = {}) {
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", ...order }, async (path) => path);
  if (!made.ok) throw new Error(made.reason);
  return made.policy;
}

const look: Narrowing = { skill: "look", only: [{ tool: "Read", kind: "any" }] };
const own: Narrowing = { skill: "own", only: [{ tool: "Grep", kind: "any" }] };

it("changes the policy object that everything shares", async () => {
  const store = policyStore(await policyOf());
  const held = store.current;
  store.changeMode("acceptEdits");
  store.setSandbox({ kind: "lost", why: "it is gone" });
  store.sawRepositories({ gitRuns: new Map([["/repo", "core.fsmonitor"]]), showsHidden: true });
  expect([held.mode, held.sandbox, [...held.gitRuns], held.showsHidden]).toEqual([
    "acceptEdits",
    { kind: "lost", why: "it is gone" },
    [["/repo", "core.fsmonitor"]],
    true,
  ]);
});

it("replaces the rules of the settings and nothing else", async () => {
  const store = policyStore(await policyOf({ allow: ["Edit"], deny: ["Bash"] }));
  const { grants, made } = store.current;
  store.changeMode("plan");
  store.setSandbox({ kind: "active" });
  store.replaceRules(await policyOf({ ask: ["Write"], trusted: true, autoAllow: true, mode: "acceptEdits", directories: ["/other"] }));
  const { allow, ask, deny, trusted, autoAllow, mode, sandbox, directories } = store.current;
  expect([allow, ask.map(({ tool }) => tool), deny, trusted, autoAllow]).toEqual([[], ["Write"], [], true, true]);
  expect([mode, sandbox, directories]).toEqual(["plan", { kind: "active" }, []]);
  expect([store.current.grants === grants, store.current.made === made]).toEqual([true, true]);
});

it("widens back to the initial policy", async () => {
  const parent = policyStore(await policyOf());
  parent.narrow(look);
  const child = policyStore(childPolicy(await policyOf(), { parent: { policy: parent.current }, agent: "ada", disallowedTools: [] }));
  child.narrow(own);
  parent.widen();
  expect([parent.current.narrowed, child.current.narrowed]).toEqual([[], [look, own]]);
  child.widen();
  expect(child.current.narrowed).toEqual([look]);
});

it("leaves a sub-agent in the mode of the agent that started it", async () => {
  const parent = policyStore(await policyOf({ mode: "acceptEdits" }));
  const child = policyStore(childPolicy(await policyOf(), { parent: { policy: parent.current }, agent: "ada", disallowedTools: [] }));
  child.changeMode("bypassPermissions");
  expect(child.current.mode).toBe("acceptEdits");
  parent.changeMode("plan");
  expect(child.current.mode).toBe("plan");
});

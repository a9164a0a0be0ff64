// Decisions about the hosts that commands in the sandbox want to reach.
import { expect, it } from "vitest";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { makePolicy, type PolicyOrder } from "../../src/permissions/policy.ts";
import { offers } from "../../src/permissions/questions/offers.ts";
import { parseRule, showRule } from "../../src/permissions/rules.ts";

async function decided(host: string, order: Partial<PolicyOrder> = {}, together?: string[]) {
  const real = async (path: string) => path;
  const made = await makePolicy(
    { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", sandbox: { kind: "active" }, ...order },
    real,
  );
  if (!made.ok) throw new Error(made.reason);
  const call = await locate({ tool: "Network", input: { host, port: 443, ...(together && { together }) } }, made.policy, real);
  const decision = decide(call, made.policy);
  return { decision: decision.decision, offers: offers(call, decision, made.policy).map(({ texts, always }) => ({ texts, always })) };
}

it.each<[string, Partial<PolicyOrder>, string]>([
  ["a.example.com", {}, "ask"],
  ["a.example.com", { allow: ["Network(a.example.com)"] }, "allow"],
  ["a.example.com", { allow: ["Network(example.com)"] }, "ask"],
  ["a.example.com", { allow: ["Network(*.example.com)"] }, "allow"],
  ["badexample.com", { allow: ["Network(*.example.com)", "Network(example.com)"] }, "ask"],
  ["a.example.com", { allow: ["Network"] }, "allow"],
  ["a.example.com", { allow: ["Network"], deny: ["Network(example.com)"] }, "deny"],
  ["a.example.com", { allow: ["Network"], ask: ["Network(a.example.com)"] }, "ask"],
  ["a.example.com", { allow: [{ text: "Network", scope: "project", file: "s", folder: "/repo" }], trusted: true }, "ask"],
  ["a.example.com", { deny: [{ text: "Network", scope: "project", file: "s", folder: "/repo" }], allow: ["Network"] }, "deny"],
  ["a.example.com", { allow: ["WebFetch(domain:a.example.com)"] }, "ask"],
  ["a.example.com", { mode: "dontAsk" }, "deny"],
  ["a.example.com", { mode: "plan" }, "ask"],
  ["a.example.com", { tools: ["Bash(npm install)"] }, "ask"],
  ["127.0.0.1", { allow: ["Network"] }, "deny"],
  ["127.0.0.1", { allow: ["Network(127.0.0.1)"] }, "allow"],
  ["8.8.8.8", { allow: ["Network", "Network(*.8.8)"] }, "deny"],
  ["8.8.8.8", { allow: ["Network(8.8.8.8)"] }, "allow"],
  ["::1", { mode: "bypassPermissions" }, "deny"],
  ["2001:db8::1", { allow: ["Network([2001:db8::1])"] }, "allow"],
  ["localhost", { allow: ["Network(*.localhost)", "Network"] }, "deny"],
  ["printer.local", { allow: ["Network(*.local)"] }, "deny"],
  ["printer.local", { allow: ["Network(printer.local)"] }, "allow"],
])("%s under %j: %s", async (host, order, expected) => {
  expect((await decided(host, order)).decision).toBe(expected);
});

it("offers the host, and the hosts of all package managers of the tree as one answer", async () => {
  expect((await decided("pypi.org")).offers).toEqual([{ texts: ["Network(pypi.org)"], always: true }]);
  expect((await decided("pypi.org", {}, ["pypi.org", "files.pythonhosted.org"])).offers).toEqual([
    { texts: ["Network(pypi.org)"], always: true },
    { texts: ["Network(pypi.org)", "Network(files.pythonhosted.org)"], always: true },
  ]);
  expect((await decided("10.0.0.1")).offers).toEqual([]);
});

it.each(["Network(domain:a.b)", "Network(https://a.b)", "Network(a.b:443)", "Network(*)x", "WebFetch(a.b)", "Network(a b)", "Network(*.)"])(
  "%s is no rule, and the reason says how to write one",
  (text) => {
    const parsed = parseRule(text);
    expect(parsed.ok ? showRule(parsed.rule) : parsed.reason).toMatch(/write |does not have the form|does not end in/);
  },
);

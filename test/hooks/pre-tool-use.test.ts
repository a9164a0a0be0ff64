// Hooks that run before the rules, with real programs and the real rules after them.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Permission, ToolCall } from "../../src/agent/ports/permit.ts";
import { hookedPermit } from "../../src/hooks/pre-tool-use.ts";
import { permit } from "../../src/permissions/permit.ts";
import { makePolicy, type PolicyOrder } from "../../src/permissions/policy.ts";
import type { Question } from "../../src/permissions/questions/question.ts";
import type { SettingsHook } from "../../src/settings/scopes.ts";
import { scratchFolder } from "../scratch.ts";
import { hook, runnerOf, says } from "./hook-kit.ts";

const never = new AbortController().signal;

const callOf = (tool: string, input: Record<string, unknown>): ToolCall => ({
  id: "toolu_1",
  tool,
  input,
  withInput: (raw) =>
    typeof raw === "object" && raw !== null && !("bad" in raw)
      ? { ok: true, call: callOf(tool, raw as Record<string, unknown>) }
      : { ok: false, reason: '"bad" is not an argument' },
});
const bash = (command: string) => callOf("Bash", { command });

/** `asked`: the reasons of the questions to the user, who answered yes once to each. */
async function door(hooks: SettingsHook[], order: Partial<PolicyOrder> = {}, cwd = scratchFolder()) {
  const real = async (path: string) => path;
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", ...order }, real);
  if (!made.ok) throw new Error(made.reason);
  const asked: Question[] = [];
  const rules = permit({
    policy: made.policy,
    real,
    ask: async (question) => {
      asked.push(question);
      return { kind: "once" };
    },
  });
  const runner = runnerOf(hooks, cwd);
  const enter = hookedPermit(rules, runner);
  return {
    notices: runner.notices,
    reasons: () => asked.map((question) => (question.kind === "permission" ? question.reason : question.kind)),
    offers: () => asked.map((question) => (question.kind === "permission" ? question.offers.length : 0)),
    enter: (call: ToolCall): Promise<Permission> => enter(call, never),
  };
}

it("a hook that blocks precedes every rule, and reads the call as JSON", async () => {
  const cwd = scratchFolder();
  const { enter, reasons } = await door([hook("PreToolUse", "cat > seen; echo 'no pushing' >&2; exit 2")], { allow: ["Bash"] }, cwd);
  expect(await enter(bash("git push"))).toEqual({
    allowed: false,
    reason: `The hook "cat > seen; echo 'no pushing' >&2; exit 2" of /s.json blocked it: no pushing`,
  });
  expect([reasons(), JSON.parse(readFileSync(join(cwd, "seen"), "utf8"))]).toEqual([
    [],
    {
      hook_event_name: "PreToolUse",
      session_id: "s",
      transcript_path: "/t.jsonl",
      cwd,
      agent: "tool",
      team: null,
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command: "git push" },
      tool_use_id: "toolu_1",
    },
  ]);
});

it("only hooks whose matcher names the tool run, also for Agent", async () => {
  const { enter } = await door([hook("PreToolUse", "exit 2", { matcher: "Agent|Write" })], { allow: ["Bash", "Agent"] });
  expect([(await enter(bash("ls"))).allowed, (await enter(callOf("Agent", { subagent_type: "x" }))).allowed]).toEqual([true, false]);
});

it.each<[string, Partial<PolicyOrder>, string, boolean, string[]]>([
  ["what no rule speaks of", {}, "make", true, []],
  ["what a rule denies", { deny: ["Bash(make:*)"] }, "make", false, []],
  ["what a rule asks for", { ask: ["Bash(make:*)"] }, "make", true, ["The rule Bash(make:*) asks for it"]],
  ["what the mode plan keeps from running", { mode: "plan" }, "make", false, []],
])("an allow counts as an allow rule of its file: %s", async (_, order, command, allowed, reasons) => {
  const there = await door([says("PreToolUse", { decision: "allow" })], order);
  expect([(await there.enter(bash(command))).allowed, there.reasons()]).toEqual([allowed, reasons]);
});

it("an allow does not permit protected files or files outside", async () => {
  const there = await door([says("PreToolUse", { decision: "allow" })]);
  const write = (path: string) => there.enter(callOf("Write", { path, content: "" }));
  expect([(await write("/repo/a")).allowed, (await write("/repo/.envrc")).allowed, (await write("/etc/x")).allowed]).toEqual([
    true,
    true,
    false,
  ]);
  expect(there.reasons()).toEqual([expect.stringContaining("/repo/.envrc always needs a person's permission")]);
});

it("a hook that asks opens a question without rules in every mode", async () => {
  const there = await door([says("PreToolUse", { decision: "ask", reason: "sure?" })], { mode: "bypassPermissions", allow: ["Bash"] });
  expect((await there.enter(bash("make"))).allowed).toBe(true);
  expect([there.reasons(), there.offers()]).toEqual([[expect.stringMatching(/^The hook ".*" of \/s\.json asks: sure\?$/)], [0]]);
});

it("an ask of one hook precedes the allow of another, and a deny rule precedes both", async () => {
  const hooks = [says("PreToolUse", { decision: "allow" }), says("PreToolUse", { decision: "ask", reason: "sure?" })];
  const [open, closed] = [await door(hooks), await door(hooks, { deny: ["Bash"] })];
  expect([(await open.enter(bash("make"))).allowed, open.reasons().length]).toEqual([true, 1]);
  expect([(await closed.enter(bash("make"))).allowed, closed.reasons()]).toEqual([false, []]);
});

it("a changed input is judged by the rules and runs", async () => {
  const changes = says("PreToolUse", { decision: "allow", updated_input: { command: "rm -r x" } });
  const denied = await door([changes], { deny: ["Bash(rm:*)"] });
  expect(await denied.enter(bash("ls"))).toEqual({ allowed: false, reason: "The rule Bash(rm:*) denies it." });
  const open = await door([changes]);
  expect(await open.enter(bash("ls"))).toEqual({ allowed: true, input: { command: "rm -r x" } });
});

it("a changed input is shown to the other hooks too, which may block it", async () => {
  const changes = says("PreToolUse", { updated_input: { command: "git push" } });
  const blocks = hook("PreToolUse", "grep -q 'git push' && { echo 'no pushing' >&2; exit 2; }; exit 0");
  const { enter } = await door([blocks, changes], { allow: ["Bash"] });
  expect(await enter(bash("ls"))).toMatchObject({ allowed: false, reason: expect.stringContaining("blocked it: no pushing") });
});

it("an invalid changed input, and hooks that keep changing each other's input, refuse the call", async () => {
  const bad = await door([says("PreToolUse", { updated_input: { bad: 1 } })], { allow: ["Bash"] });
  expect(await bad.enter(bash("ls"))).toMatchObject({ reason: expect.stringContaining('an input that it cannot have: "bad" is not an') });
  const [one, two] = ["a", "b"].map((command) => says("PreToolUse", { updated_input: { command } }));
  const endless = await door([one!, two!], { allow: ["Bash"] });
  expect(await endless.enter(bash("ls"))).toMatchObject({ allowed: false, reason: expect.stringContaining("do not agree on it") });
});

it("hooks run in parallel, and the first that blocks does not wait for the others", async () => {
  const cwd = scratchFolder();
  const meets = (own: string, other: string) => `: > ${own}; until [ -e ${other} ]; do sleep 0.01; done`;
  const both = await door([hook("PreToolUse", meets("a", "b")), hook("PreToolUse", meets("b", "a"))], { allow: ["Bash"] }, cwd);
  expect((await both.enter(bash("ls"))).allowed).toBe(true);
  const slow = await door(
    [hook("PreToolUse", "for n in $(seq 100); do [ -e later ] && break; sleep 0.05; done"), hook("PreToolUse", "exit 2")],
    {},
    cwd,
  );
  expect(await slow.enter(bash("ls"))).toMatchObject({ allowed: false, reason: expect.stringContaining("it gives no reason") });
  writeFileSync(join(cwd, "later"), ""); // this ends the slow hook
});

it("any other end of a hook is reported once and blocks nothing", async () => {
  const there = await door(
    [hook("PreToolUse", "exit 1"), hook("PreToolUse", "sleep 1000", { timeoutMs: 50 }), hook("PreToolUse", "kill -SEGV $$")],
    { allow: ["Bash"] },
  );
  expect([(await there.enter(bash("ls"))).allowed, (await there.enter(bash("ls"))).allowed]).toEqual([true, true]);
  expect(there.notices.toSorted()).toEqual([
    'PreToolUse: the hook "exit 1" of /s.json failed with exit code 1. It blocks nothing: exit code 2 does.',
    'PreToolUse: the hook "kill -SEGV $$" of /s.json was ended by SIGSEGV, and blocks nothing.',
    'PreToolUse: the hook "sleep 1000" of /s.json did not end within 0.05 s, was killed, and blocks nothing.',
  ]);
});

it("a call that is interrupted during its hooks does not run", async () => {
  const cwd = scratchFolder();
  const stop = new AbortController();
  const runner = runnerOf([hook("PreToolUse", ": > begun; sleep 1000; exit 2")], cwd);
  const enter = hookedPermit(async () => ({ allowed: true }), runner);
  const entering = enter(bash("ls"), stop.signal);
  while (!existsSync(join(cwd, "begun"))) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  expect(await entering).toEqual({ allowed: false, reason: "It was interrupted before the hooks had ended" });
});

it("without a hook for it a call goes straight to the rules", async () => {
  const runner = runnerOf([hook("Stop", "exit 2")]);
  const enter = hookedPermit(async (call) => ({ allowed: false, reason: JSON.stringify(call.input) }), runner);
  expect(await enter(bash("ls"), never)).toEqual({ allowed: false, reason: '{"command":"ls"}' });
});

import { describe, expect, it } from "vitest";
import type { HookEnd } from "../../src/hooks/hook-process.ts";
import { verdictOf } from "../../src/hooks/verdict.ts";
import type { HookEvent } from "../../src/settings/hook-settings.ts";
import type { SettingsHook } from "../../src/settings/scopes.ts";

const hookOf = (event: HookEvent): SettingsHook => ({ event, command: "./check", scope: "user", file: "/s.json" });
const exited = (code: number, printed: Partial<HookEnd> = {}): HookEnd =>
  ({ kind: "exited", code, stdout: "", stderr: "", isCut: false, ...printed }) as HookEnd;
const verdict = (event: HookEvent, end: HookEnd) => {
  const { hook: _, ...rest } = verdictOf(hookOf(event), end, 60_000);
  return rest;
};
const printed = (event: HookEvent, json: unknown) =>
  verdict(event, exited(0, { stdout: typeof json === "string" ? json : JSON.stringify(json) }));

describe("exit codes", () => {
  it.each<[HookEvent, HookEnd, object]>([
    ["PreToolUse", exited(0), { notices: [] }],
    ["PreToolUse", exited(2, { stderr: " no pushing\n" }), { blocks: "no pushing", notices: [] }],
    ["PreToolUse", exited(2), { blocks: "it gives no reason", notices: [] }],
    ["Stop", exited(2, { stderr: "x".repeat(4_001) }), { blocks: `${"x".repeat(4_000)}…`, notices: [] }],
    [
      "Notification",
      exited(2, { stderr: "x" }),
      { notices: ['Notification: the hook "./check" of /s.json ended with exit code 2, which blocks nothing at Notification: x.'] },
    ],
    [
      "PreToolUse",
      exited(1, { stdout: '{"decision":"deny"}', stderr: "line\nTypeError: x" }),
      {
        notices: ['PreToolUse: the hook "./check" of /s.json failed with exit code 1: TypeError: x. It blocks nothing: exit code 2 does.'],
      },
    ],
  ])("%s %j", (event, end, expected) => {
    expect(verdict(event, end)).toEqual(expected);
  });

  it.each<[HookEnd["kind"], object, string]>([
    ["timed_out", {}, "did not end within 60 s, was killed, and blocks nothing"],
    ["killed", { by: "SIGSEGV" }, "was ended by SIGSEGV, and blocks nothing"],
    ["failed", { reason: "no bash" }, "could not be started: no bash"],
  ])("an end of the kind %s is a notice", (kind, more, words) => {
    const end = { kind, stdout: "", stderr: "", isCut: false, ...more } as HookEnd;
    expect(verdict("Stop", end)).toEqual({ notices: [`Stop: the hook "./check" of /s.json ${words}.`] });
  });
});

describe("JSON on standard output", () => {
  it.each<[HookEvent, unknown, object]>([
    ["PreToolUse", { decision: "deny", reason: "no" }, { blocks: "no" }],
    ["PreToolUse", { decision: "block" }, { blocks: "it gives no reason" }],
    ["PreToolUse", { decision: "allow" }, { rules: { kind: "allow" } }],
    ["PreToolUse", { decision: "ask", reason: "sure?" }, { rules: { kind: "ask", reason: 'the hook "./check" of /s.json asks: sure?' } }],
    ["PreToolUse", { updated_input: { command: "ls" } }, { updatedInput: { command: "ls" } }],
    ["UserPromptSubmit", { additional_context: "It is Monday." }, { context: "It is Monday." }],
    ["Stop", { decision: "block", reason: "run the tests" }, { blocks: "run the tests" }],
    [
      "PreToolUse",
      { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no" } },
      { blocks: "no" },
    ],
    ["PreToolUse", "", {}],
  ])("%s %j", (event, json, expected) => {
    expect(printed(event, json)).toEqual({ ...expected, notices: [] });
  });

  it.each<[HookEvent, unknown, string]>([
    ["PreToolUse", "{broken", "printed text that is not JSON; it is ignored"],
    ["PreToolUse", "formatted 3 files", "printed text that is not JSON; it is ignored"],
    ["PreToolUse", [1], "printed text that is JSON, but not an object; it is ignored"],
    ["PreToolUse", { decison: "deny" }, 'printed the unknown key "decison"; did you mean "decision"?'],
    ["PostToolUse", { updated_input: {} }, 'printed "updated_input", which has no meaning at PostToolUse'],
    ["Stop", { decision: "allow" }, 'printed "decision": "allow", which has no meaning at Stop'],
    ["Notification", { decision: "deny" }, 'printed "decision": "deny", which has no meaning at Notification'],
    ["PreToolUse", { additional_context: "x" }, 'printed "additional_context", which has no meaning at PreToolUse'],
  ])("%s %j is a notice that names the hook, and nothing else", (event, json, words) => {
    expect(printed(event, json)).toEqual({ notices: [`${event}: the hook "./check" of /s.json ${words}.`] });
  });

  it("with a value that is none of them is a notice", () => {
    const { notices, ...rest } = printed("PreToolUse", { decision: "maybe" });
    expect([rest, notices]).toEqual([{}, [expect.stringContaining("cannot be used: decision: Invalid option")]]);
  });

  it("that was cut says so", () => {
    expect(verdict("Stop", exited(0, { stdout: "{".repeat(9), isCut: true })).notices).toEqual([
      'Stop: the hook "./check" of /s.json printed text, of which 64 KB were read, that is not JSON; it is ignored.',
    ]);
  });
});

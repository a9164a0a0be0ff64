import { describe, expect, it } from "vitest";
import type { PermissionMode } from "../../../src/permissions/policy.ts";
import { parseBashPattern } from "../../../src/shell/judge/bash-pattern.ts";
import type { ShellRule } from "../../../src/shell/judge/judge-part.ts";
import { judgeShell } from "../../../src/shell/judge/judge-shell.ts";
import type { Verdict } from "../../../src/shell/judge/verdict.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const rule = (inner: string): ShellRule => {
  const parsed = parseBashPattern(inner);
  if (!parsed.ok) throw new Error(parsed.reason);
  return { text: `Bash(${inner})`, pattern: parsed.pattern };
};

type Rules = { allow?: string[]; ask?: string[]; deny?: string[]; grants?: string[]; mode?: PermissionMode };

/** Reading is allowed, writing is asked for by default, and `secret` is denied. */
const judgeFile = ({ access, path, mention }: { access: string; path: string; mention?: string }): Verdict => {
  if (path === "secret") return { decision: "deny", by: "rule", rule: "Read(secret)", reason: "The rule Read(secret) denies it" };
  return access === "read" || mention
    ? { decision: "allow", by: "default", reason: "Reading is allowed" }
    : { decision: "ask", by: "default", reason: "No rule allows it" };
};

function judged(command: string, { allow = [], ask = [], deny = [], grants = [], mode = "default" }: Rules) {
  const rules = { allow: allow.map(rule), ask: ask.map(rule), deny: deny.map(rule), grants: grants.map(rule) };
  return judgeShell({ analysis: analyseCommand(command), rules, mode, judgeFile });
}

describe("judgeShell()", () => {
  it("takes the strictest result of all parts, and shows each", () => {
    expect(judged("ls | wc -l; rm x", { allow: ["ls:*", "wc:*"], deny: ["rm:*"] })).toEqual({
      decision: "deny",
      by: "rule",
      rule: "Bash(rm:*)",
      reason: "The rule Bash(rm:*) denies it",
      parts: [
        { text: "ls", where: "", decision: "allow" },
        { text: "wc -l", where: "", decision: "allow" },
        { text: "rm x", where: "", decision: "deny" },
      ],
    });
  });

  it("a rule for exactly this file covers sourcing it, and one with a wildcard does not", () => {
    const allow = ["npm test", "source .venv/bin/activate"];
    expect(judged("source .venv/bin/activate && npm test", { allow }).decision).toBe("allow");
    expect(judged("source .venv/bin/activate && npm test", { allow: ["npm test", "source:*"] }).decision).toBe("ask");
  });

  it("a rule with an escaped star is exact", () => {
    const command = "find . -name '*.log' -delete";
    const decisions = (rule: string) =>
      [command, `${command} && ls`, "find . -name 'a.log' -delete"].map((text) => judged(text, { allow: [rule, "ls"] }).decision);
    expect(decisions(command)).toEqual(["allow", "allow", "allow"]);
    expect(decisions(command.replace("*", "\\*"))).toEqual(["allow", "allow", "ask"]);
    expect(judged(command, { deny: [command] }).decision).toBe("deny");
    expect(judged(command, { deny: [command.replace("*", "\\*")] }).decision).toBe("deny");
  });

  it.each<[string, Rules, string]>([
    ["npm test", { allow: ["npm test:*"] }, "allow"],
    ["npm test && git push", { allow: ["npm test:*"] }, "ask"],
    ["npm test && git push", { allow: ["npm test && git push"] }, "allow"],
    ["npm test", { allow: ["*"], ask: ["npm:*"] }, "ask"],
    ["npm test", { grants: ["npm test"], ask: ["npm:*"] }, "allow"],
    ["npm test", { grants: ["npm test"], deny: ["npm:*"] }, "deny"],
    ["cat secret", { allow: ["*"] }, "deny"],
    ["env cat secret", { mode: "bypassPermissions" }, "deny"],
    ["ls > x", { allow: ["ls:*"] }, "ask"],
    ["touch x", { allow: ["touch:*"] }, "allow"],
    ["cd x && echo a && npm test", { allow: ["npm test:*"] }, "allow"],
    ["cd x && echo a", {}, "allow"],
    ["bash -c 'npm test'", { allow: ["bash -c:*"] }, "allow"],
    ["timeout 5 npm test", { allow: ["timeout:*"] }, "ask"],
    ["timeout 5 npm test", { allow: ["npm test:*"] }, "allow"],
    ["bash -c 'echo $(npm test)'", { allow: ["bash -c:*"] }, "ask"],
    ["npx tsc -p x", { allow: ["npx tsc:*"] }, "allow"],
    ["bundle exec rspec", { allow: ["bundle exec:*"] }, "allow"],
    ["npx rm x", { allow: ["npx tsc:*"] }, "ask"],
    ["$x", { allow: ["*"] }, "ask"],
    ["$x", { mode: "bypassPermissions" }, "allow"],
    ["$x", { mode: "bypassPermissions", deny: ["rm:*"] }, "ask"],
    ["ls; (", { allow: ["*"], deny: ["rm:*"] }, "ask"],
    ["rm; (", { allow: ["*"], deny: ["rm:*"] }, "deny"],
    ["ls", { allow: ["*"], mode: "plan" }, "allow"],
    ["make", { allow: ["*"], mode: "plan" }, "deny"],
    ["tool team answer 3", { mode: "bypassPermissions" }, "deny"],
  ])("%j under %j: %s", (command, rules, expected) => {
    expect(judged(command, rules).decision).toBe(expected);
  });

  it("judges a command in a loop once", () => {
    const parts = Array.from({ length: 300 }, (_, index) => `git show ${index % 3}`);
    const { decision, parts: shown } = judged([...parts, "rm x"].join("; "), { allow: ["git show:*"], deny: ["rm:*"] });
    expect([decision, shown.length, new Set(shown.map((part) => part.decision))]).toEqual(["deny", 301, new Set(["allow", "deny"])]);
  });
});

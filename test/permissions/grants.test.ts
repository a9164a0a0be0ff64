import { describe, expect, it } from "vitest";
import { childGrants, everythingInside, grants } from "../../src/permissions/grants.ts";
import { parseRule, type Rule } from "../../src/permissions/rules.ts";

function rule(text: string): Rule {
  const parsed = parseRule(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.rule;
}

describe("grants()", () => {
  it("lists what was granted in the order of the answers, then what the team has", () => {
    const given = grants();
    given.adoptTeam([{ rule: rule("Bash(make:*)"), since: "t3" }]);
    given.grant(rule("Bash(ls:*)"), { kind: "session", since: "t1" });
    given.grant(undefined, { kind: "session", since: "t2" });
    expect(given.given).toEqual([
      { rule: "Bash(ls:*)", kind: "session", since: "t1" },
      { rule: everythingInside, kind: "session", since: "t2" },
      { rule: "Bash(make:*)", kind: "team", since: "t3" },
    ]);
    expect(given.rules).toEqual([rule("Bash(ls:*)"), rule("Bash(make:*)")]);
    expect(given.sandbox).toBe(true);
  });

  it("revokes every answer with a rule, and nothing of the team's", () => {
    const given = grants();
    given.grant(rule("Bash(ls:*)"), { kind: "session" });
    given.grant(rule("Bash(ls:*)"), { kind: "always", file: "f" });
    given.adoptTeam([{ rule: rule("Bash(ls:*)"), since: "t" }]);
    expect([given.revoke("Bash(ls:*)"), given.revoke("Bash(ls:*)"), given.revoke("Bash(rm:*)")]).toEqual([true, false, false]);
    expect(given.rules).toEqual([rule("Bash(ls:*)")]);
    given.adoptTeam([]);
    expect(given.rules).toEqual([]);
  });

  it("revokes the grant for everything inside the sandbox by its own name", () => {
    const given = grants();
    given.grant(undefined, { kind: "session" });
    expect([given.revoke(everythingInside), given.sandbox]).toEqual([true, false]);
    given.adoptTeam([{ since: "t" }]);
    expect(given.sandbox).toBe(true);
  });

  it("lets through as often as passes were given, and a write includes its read", () => {
    const given = grants();
    given.givePass("write", "/etc/a");
    expect([given.usePass("read", "/etc/a"), given.usePass("read", "/etc/a")]).toEqual([true, false]);
    expect([given.usePass("write", "/etc/a"), given.usePass("write", "/etc/a")]).toEqual([true, false]);
    given.givePass("read", "/etc/b");
    expect([given.usePass("write", "/etc/b"), given.usePass("read", "/etc/a"), given.usePass("read", "/etc/b")]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("returns how a command runs once, and for exactly this command", () => {
    const given = grants();
    given.setRun("npm ci", { network: true });
    expect([given.takeRun("npm ci "), given.takeRun("npm ci"), given.takeRun("npm ci")]).toEqual([undefined, { network: true }, undefined]);
    given.setRun("npm ci", { network: true });
    given.setRun("npm ci", undefined);
    expect(given.takeRun("npm ci")).toBeUndefined();
    given.setInside("npm ci", true);
    given.setRun("npm ci", { network: true });
    expect([given.takeRun("npm ci"), given.takeRun("npm ci")]).toEqual([{ network: true, inside: true }, undefined]);
  });
});

describe("childGrants()", () => {
  it("shares rules with the parent, live, names the agent that asked, and keeps passes to itself", () => {
    const parent = grants();
    const child = childGrants(parent, "a-1");
    child.grant(rule("Bash(ls:*)"), { kind: "session" });
    child.grant(undefined, { kind: "session" });
    expect(parent.given).toEqual([
      { agent: "a-1", rule: "Bash(ls:*)", kind: "session" },
      { agent: "a-1", rule: everythingInside, kind: "session" },
    ]);
    expect([child.rules, child.given, child.sandbox]).toEqual([parent.rules, parent.given, true]);
    parent.givePass("read", "/etc/a");
    child.setRun("make", { network: true });
    expect([child.usePass("read", "/etc/a"), parent.takeRun("make")]).toEqual([false, undefined]);
    expect(child.revoke("Bash(ls:*)")).toBe(true);
    expect(parent.rules).toEqual([]);
  });
});

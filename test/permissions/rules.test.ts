import { describe, expect, it } from "vitest";
import type { LocatedCall } from "../../src/permissions/call.ts";
import { allows, forbids, parseRule, type Rule, showRule } from "../../src/permissions/rules.ts";

const rule = (text: string): Rule => {
  const parsed = parseRule(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.rule;
};
const bash = (command: string): LocatedCall => ({ tool: "Bash", input: { command }, subject: { kind: "command", command } });
const file = (tool: string, real: string): LocatedCall => ({
  tool,
  input: {},
  subject: { kind: "path", access: "read", written: real, real },
});

describe("a rule as a person writes it", () => {
  it.each([
    ["Bash", { tool: "Bash", kind: "any" }, "Bash"],
    ["Edit(*)", { tool: "Edit", kind: "any" }, "Edit"],
    [" Bash( npm test ) ", { tool: "Bash", kind: "exact", text: "npm test" }, "Bash(npm test)"],
    ["Bash(echo (a) | wc)", { tool: "Bash", kind: "exact", text: "echo (a) | wc" }, "Bash(echo (a) | wc)"],
    ["Bash(node --test:*)", { tool: "Bash", kind: "words", words: ["node", "--test"] }, "Bash(node --test:*)"],
    ["Bash(npm run *)", { tool: "Bash", kind: "words", words: ["npm", "run"] }, "Bash(npm run:*)"],
    ["Read(//etc/hosts)", { tool: "Read", kind: "exact", text: "/etc/hosts" }, "Read(//etc/hosts)"],
    ["TaskCreate", { tool: "TaskCreate", kind: "any" }, "TaskCreate"],
  ])("%s is understood", (text, parsed, shown) => {
    expect(rule(text)).toEqual(parsed);
    expect(showRule(rule(text))).toBe(shown);
  });

  it.each([
    ["bash", 'no tool is called "bash"'],
    ["", "it has not the form Tool or Tool(…)"],
    ["Bash(", "it has not the form Tool or Tool(…)"],
    ["Bash()", "there is nothing between the brackets"],
    ["Bash(git*)", "a * may stand only at the end"],
    ["Bash(:*)", "a * may stand only at the end"],
    ["Bash(a; b:*)", "a * may stand only at the end"],
    ["Read(src/**)", "write one file as Read(//absolute/path)"],
    ["Read(//etc/*)", "write one file as Read(//absolute/path)"],
    ["TaskCreate(x)", "TaskCreate takes no brackets"],
  ])("%j is refused, never taken for a rule that covers nothing", (text, reason) => {
    const parsed = parseRule(text);
    expect(parsed.ok ? "understood" : parsed.reason).toContain(`Cannot use the permission rule "${text}": ${reason}`);
  });
});

describe("an allow rule of words", () => {
  it.each(["node --test", "node --test test/a.js", "  node   --test\tx", 'node --test "a b"', "node --test --grep 'a b'"])(
    "covers %j",
    (command) => {
      expect(allows(rule("Bash(node --test:*)"), bash(command))).toBe(true);
    },
  );

  it.each([
    "node",
    "node --testing",
    "node  -e x --test",
    "FOO=1 node --test",
    "/bin/node --test",
    '"node" --test',
    "env node --test",
    ...[";", "&&", "||", "|", "&", "\n", "\r"].map((end) => `node --test ${end} rm -rf x`),
    ..."$()<>`{}*?[]~#!\\^".split("").map((sign) => `node --test ${sign}x`),
    'node --test "$(rm x)"',
    "node --test '",
    'node --test "a',
    "node --test \u00a0x",
    "node --test \u2028rm",
    "node --test \u202ex",
    "node --test \0x",
    "",
  ])("does not cover %j", (command) => {
    expect(allows(rule("Bash(node --test:*)"), bash(command))).toBe(false);
  });
});

describe("an exact rule", () => {
  it("covers that text and nothing else", () => {
    const exact = rule("Bash(npm test | tail -3)");
    const commands = ["npm test | tail -3", " npm test | tail -3\n", "npm test | tail -30", "npm test", "x; npm test | tail -3"];
    expect(commands.map((command) => allows(exact, bash(command)))).toEqual([true, true, false, false, false]);
  });

  it("covers one file of one tool", () => {
    const exact = rule("Read(//etc/hosts)");
    expect(
      [file("Read", "/etc/hosts"), file("Read", "/etc/hosts2"), file("Grep", "/etc/hosts")].map((call) => allows(exact, call)),
    ).toEqual([true, false, false]);
  });
});

describe("a rule that stands against something", () => {
  it.each([
    "rm",
    "rm -rf x",
    "ls; rm x",
    "ls && /bin/rm x",
    "echo $(rm x)",
    "'rm' x",
    "r\\m x",
    "env FOO=1 rm x",
    "if true; then rm x; fi",
    "sudo rm x",
    "ls\nrm x",
    "echo `rm x`",
    'r""m x',
  ])("finds rm in %j", (command) => {
    expect(forbids(rule("Bash(rm:*)"), bash(command))).toBe(true);
  });

  it.each(["ls", "rmdir x", "npm run alarm", "echo form"])("leaves %j alone", (command) => {
    expect(forbids(rule("Bash(rm:*)"), bash(command))).toBe(false);
  });

  it("means a tool's relatives too, where an allow does not", () => {
    const tools = ["Read", "Grep", "Glob", "Edit", "Write"];
    expect(tools.filter((tool) => forbids(rule("Read"), file(tool, "/a")))).toEqual(["Read", "Grep", "Glob"]);
    expect(tools.filter((tool) => forbids(rule("Edit"), file(tool, "/a")))).toEqual(["Edit", "Write"]);
    expect(tools.filter((tool) => allows(rule("Read"), file(tool, "/a")))).toEqual(["Read"]);
  });
});

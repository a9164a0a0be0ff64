import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readFrontMatter } from "../../src/edge/disk/front-matter.ts";
import { readSkill } from "../../src/skills/read-skill.ts";
import type { SkillKind } from "../../src/skills/skill.ts";
import { mistakeLine } from "../../src/subagents/definitions/definition.ts";

const files = { skill: "skills/review/SKILL.md", command: "commands/review.md" };
const read = (text: string, kind: SkillKind = "skill", file = files[kind]) =>
  readSkill({ text, file, scope: "project", kind }, readFrontMatter);
const lines = (text: string, kind?: SkillKind) => read(text, kind).mistakes.map(mistakeLine);
const withKeys = (...keys: string[]) => `---\nname: review\ndescription: Reviews a change\n${keys.join("\n")}\n---\n\nReview it.\n`;

const whole = {
  name: "review",
  description: "Reviews a change",
  body: "Review it.",
  context: "inline",
  byModel: true,
  byPerson: true,
  kind: "skill",
  scope: "project",
  file: files.skill,
};

const ofFile = (text: string) => ({ sha256: createHash("sha256").update(text).digest("hex"), bytes: Buffer.byteLength(text) });

describe("readSkill()", () => {
  it("reads tools that are not valid YAML, and says so", () => {
    const { skill, mistakes } = read("---\nname: look\ndescription: Looks\nallowed-tools: Bash(git log: *), Read\n---\nLook.\n");
    expect(skill?.allowedTools).toEqual(["Bash(git log: *)", "Read"]);
    expect(mistakes).toMatchObject([{ level: "warning", line: 4 }]);
  });

  it("reads every key, and ignores purely descriptive ones", () => {
    const text = withKeys(
      "when_to_use: before a commit",
      "allowed-tools: Read, Bash(git diff:*)",
      "argument-hint: '[file]'",
      "model: haiku",
      "context: fork",
      "disable-model-invocation: true",
      "user-invocable: false",
      "license: MIT",
      "metadata:\n  version: 1",
    );
    expect(read(text)).toEqual({
      skill: {
        ...whole,
        ...ofFile(text),
        description: "Reviews a change before a commit",
        allowedTools: ["Read", "Bash(git diff:*)"],
        argumentHint: "[file]",
        model: "haiku",
        context: "fork",
        byModel: false,
        byPerson: false,
      },
      mistakes: [],
    });
  });

  it.each([
    ["CRLF", withKeys().replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${withKeys()}`],
    ["allowed-tools: *", withKeys('allowed-tools: "*"')],
  ])("accepts %s", (_, text) => {
    expect(read(text)).toEqual({ skill: { ...whole, ...ofFile(text) }, mistakes: [] });
  });

  it.each([
    ["Read, Grep,Bash(a, b)", ["Read", "Grep", "Bash(a, b)"]],
    ["Bash(git add:*) Bash(git (x):*) Read", ["Bash(git add:*)", "Bash(git (x):*)", "Read"]],
    ["\n  - Read\n  - Bash(npm test)", ["Read", "Bash(npm test)"]],
    ["", []],
  ])("splits allowed-tools: %j", (written, tools) => {
    expect(read(withKeys(`allowed-tools: ${written}`)).skill?.allowedTools).toEqual(tools);
  });

  it.each([
    ["argument-hint: [issue]", "[issue]"],
    ["argument-hint: [issue] [priority]", "[issue] [priority]"],
    ["argument-hint: add <name> | remove <name>", "add <name> | remove <name>"],
    ["argument-hint: [file] [--fix] message", "[file] [--fix] message"],
    ["argument-hint: [name: text]", "[name: text]"],
    ["argument-hint: 5", "5"],
  ])("shows %s as it was meant, without a warning", (key, hint) => {
    const { skill, mistakes } = read(withKeys(key));
    expect([skill?.argumentHint, mistakes]).toEqual([hint, []]);
  });

  it.each([
    [
      "allowed-tools: 7",
      [
        'skills/review/SKILL.md:4: error: "allowed-tools" must be a list of tools, such as Read, Grep, Bash(npm test), and is 7. Correct it, or leave the line out.',
      ],
    ],
    ["allowed-tools: Bash()", [expect.stringContaining(":4: error: Cannot use the permission rule")]],
    ["allowed-tools: LS", ['skills/review/SKILL.md:4: warning: There is no tool "LS". Its work is done by Glob: write that.']],
    ["disable-model-invocation: maybe", [expect.stringContaining(':4: error: "disable-model-invocation" must be true or false')]],
    ["user-invocable: 3", [expect.stringContaining(':4: error: "user-invocable" must be true or false')]],
    ["context: other", [expect.stringContaining(':4: warning: "context" must be "inline" or "fork"')]],
    ["model: opus", [expect.stringContaining(':1: warning: "model" has no effect without "context: fork"')]],
    ["allowed_tools: Read", ['skills/review/SKILL.md:4: error: Unknown key "allowed_tools". Did you mean "allowed-tools"?']],
    ["description: twice", [expect.stringContaining("error")]],
  ])("says what is wrong with %s", (key, said) => {
    expect(lines(withKeys(key))).toEqual(said);
  });

  it("uses the name of its folder or file if the given one cannot be typed", () => {
    const text = "---\nname: a/b\ndescription: Does\n---\nDo it.\n";
    expect(read(text).skill?.name).toBe("review");
    expect(lines(text)).toEqual([expect.stringContaining(':2: warning: "name" must be a name of at most 64 letters')]);
    expect(read(text, "skill", "skills/two words/SKILL.md")).toEqual({
      mistakes: [
        expect.objectContaining({ level: "warning" }),
        expect.objectContaining({ level: "error", found: 'The skill has no name that can be used: its folder is called "two words".' }),
      ].reverse(),
    });
  });

  it.each([
    ["no fence", "Review it.\n", "The file does not begin with front matter."],
    ["no second fence", "---\nname: review\n", "The front matter has no end"],
    ["no instructions", "---\ndescription: Does\n---\n \n", "There are no instructions in the file."],
  ])("cannot use a skill with %s", (_, text, found) => {
    const { skill, mistakes } = read(text);
    expect(skill).toBeUndefined();
    expect(mistakes.some((mistake) => mistake.level === "error" && mistake.found.startsWith(found))).toBe(true);
  });

  it("gives what fits of long instructions, and says where the rest is", () => {
    const row = "Look at the next file, and write down what it does.\n";
    const { skill, mistakes } = read(`---\ndescription: Does\n---\n${row.repeat(3_000)}`);
    const kept = Math.floor((100 * 1024) / row.length);
    expect(skill?.body.startsWith(row.repeat(kept))).toBe(true);
    expect(skill?.body.slice(row.length * kept)).toBe(
      `\n[The instructions go on: these are ${kept * row.length} of ${3_000 * row.length} bytes. The rest begins in line ${kept + 4} of skills/review/SKILL.md: read it when you need it.]`,
    );
    expect(mistakes).toEqual([
      expect.objectContaining({ level: "warning", found: expect.stringContaining("and at most 102400 are given") }),
    ]);
  });

  it("cuts long instructions of one line inside a character nowhere", () => {
    const { skill } = read(`---\ndescription: Does\n---\n${"ü".repeat(80_000)}`);
    expect(skill?.body.split("\n")[0]).toBe("ü".repeat(51_200));
    expect(read(`---\ndescription: Does\n---\nx${"ü".repeat(80_000)}`).skill?.body).not.toContain("\uFFFD");
  });

  it("needs no front matter in a command, and uses its file's name", () => {
    const text = "\uFEFFFix issue $1.\r\nThen test.\r\n";
    expect(read(text, "command")).toEqual({
      skill: { ...whole, ...ofFile(text), description: "", body: "Fix issue $1.\nThen test.", kind: "command", file: files.command },
      mistakes: [],
    });
    expect(read("---\nallowed-tools: Read\n---\nFix it.", "command").skill?.allowedTools).toEqual(["Read"]);
    expect(lines("---\nallowed-tools: Read\nFix it.", "command")).toEqual([expect.stringContaining("error: The front matter has no end")]);
  });
});

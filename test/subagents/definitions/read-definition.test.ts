import { describe, expect, it } from "vitest";
import { readFrontMatter } from "../../../src/edge/disk/front-matter.ts";
import { mistakeLine } from "../../../src/subagents/definitions/definition.ts";
import { readDefinition } from "../../../src/subagents/definitions/read-definition.ts";

const read = (text: string) => readDefinition({ text, file: "agents/reviewer.md", scope: "project" }, readFrontMatter);
const lines = (text: string) => read(text).mistakes.map(mistakeLine);
const withKeys = (...keys: string[]) => `---\nname: reviewer\ndescription: Reviews changes\n${keys.join("\n")}\n---\nYou review.\n`;

const whole = {
  name: "reviewer",
  description: "Reviews changes",
  prompt: "You review.",
  disallowedTools: [],
  model: "inherit",
  background: false,
  context: "fresh",
  skills: [],
  scope: "project",
  file: "agents/reviewer.md",
};

describe("readDefinition()", () => {
  it("reads every key", () => {
    const text = withKeys(
      "tools: Read, Bash(git log:*), Edit(src/**)",
      "disallowedTools: [Write, WebFetch]",
      "model: haiku",
      "maxTurns: 12",
      "permissionMode: acceptEdits",
      "background: true",
      "isolation: worktree",
      "context: fork",
      "color: blue",
      "skills:\n  - release\n  - changelog",
      "effort: low",
    );
    expect(read(text)).toEqual({
      definition: {
        ...whole,
        tools: ["Read", "Bash(git log:*)", "Edit(src/**)"],
        disallowedTools: ["Write", "WebFetch"],
        model: "haiku",
        maxTurns: 12,
        permissionMode: "acceptEdits",
        background: true,
        isolation: "worktree",
        context: "fork",
        color: "blue",
        skills: ["release", "changelog"],
        effort: "low",
      },
      mistakes: [],
    });
  });

  it.each([
    ["CRLF", withKeys().replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${withKeys()}`],
    ["spaces behind the dashes", withKeys().replaceAll("---", "---  ")],
    ["the end of the file at the second dashes and a body after more", withKeys("model: inherit")],
    ["tools: *", withKeys('tools: "*"')],
    ["all tools, in words", withKeys("tools: All tools")],
    ["a truth in quotes", withKeys('background: "false"')],
  ])("accepts %s", (_, text) => {
    expect(read(text)).toEqual({ definition: whole, mistakes: [] });
  });

  it("splits tool rules at commas outside brackets, in every kind of list", () => {
    const tools = (value: string) => read(withKeys(`tools: ${value}`)).definition?.tools;
    expect(tools("Read,Grep , Bash(a, b)")).toEqual(["Read", "Grep", "Bash(a, b)"]);
    expect(tools('["Read", "Grep"]')).toEqual(["Read", "Grep"]);
    expect(tools("\n- Read\n- Grep")).toEqual(["Read", "Grep"]);
    expect(tools("Read, Agent(scout, judge)")).toEqual(["Read", "Agent(scout)", "Agent(judge)"]);
  });

  it.each([
    ["*", undefined],
    ["Read, Bash(git log: *)", ["Read", "Bash(git log: *)"]],
    ['"Read", "Grep"', ["Read", "Grep"]],
    ["[Read, Grep", ["Read", "Grep"]],
    ["\n\t- Read\n\t- Grep", ["Read", "Grep"]],
  ])("reads tools that are not valid YAML: %j", (value, tools) => {
    const { definition, mistakes } = read(withKeys(`tools: ${value}`, "color: blue"));
    expect({ tools: definition?.tools, color: definition?.color }).toEqual({ tools, color: "blue" });
    expect(mistakes).toMatchObject([
      { level: "warning", line: 4, found: expect.stringContaining('The text of "tools" is not valid YAML') },
    ]);
  });

  it("does not read keys from an example in a description", () => {
    const text = [
      "---",
      "name: reviewer",
      "description: Reviews changes.",
      "",
      "<example>",
      "context: a change",
      'user: "Look at it"',
      "</example>",
      'assistant: "I will"',
      "",
      "color: blue",
      "---",
      "You review.",
    ];
    const description = text.slice(2, 9).join("\n").slice("description: ".length);
    expect(read(text.join("\n"))).toMatchObject({ definition: { ...whole, description, color: "blue" }, mistakes: [{ line: 3 }] });
  });

  it("treats a page that explains the others as documentation, and says so", () => {
    const file = "agents/README.md";
    const page = readDefinition({ text: "# Our agents\n", file, scope: "project" }, readFrontMatter);
    expect(page.mistakes.map(mistakeLine)).toEqual([
      `${file}:1: warning: The file has no front matter, and is taken for a document. If it is an agent, give it front matter.`,
    ]);
  });

  it("understands a description with a colon, on one or several lines, and says how to quote it", () => {
    const mended =
      'warning: The text of "description" is not valid YAML, most often because of a colon, and is read as plain text. Put it in quotes, or write "description: |" and the text indented below.';
    const text = '---\nname: reviewer\ndescription: Use it when: a change is ready. Example: user: "look"\nmodel: opus\n---\nYou review.\n';
    expect(read(text).definition).toEqual({
      ...whole,
      description: 'Use it when: a change is ready. Example: user: "look"',
      model: "opus",
    });
    expect(lines(text)).toEqual([`agents/reviewer.md:3: ${mended}`]);
    const several =
      "---\ndescription: Use it when: ready\n\nExamples:\n- Context: a change\ntools: Read\nname: reviewer\n---\nYou review.\n";
    expect(read(several).definition).toMatchObject({
      description: "Use it when: ready\n\nExamples:\n- Context: a change",
      tools: ["Read"],
    });
    expect(lines(several)).toEqual([`agents/reviewer.md:2: ${mended}`]);
  });

  it.each([
    ["name: [a]", "3: error", '"name" must be a name of at most 64 characters on one line, without slashes, and is ["a"].'],
    ["name: rev iewer", "3: warning", '"name" contains a space: "rev iewer". Write "rev-iewer".'],
    ["description: [a]", "3: warning", '"description" must be a text that says when to use the agent, and is ["a"].'],
    ["tools: 7", "4: error", '"tools" must be a list of tools, such as Read, Grep, Bash(npm test), and is 7.'],
    ["disallowedTools: {a: b}", "4: error", '"disallowedTools" must be a list of tools, such as Write, Bash, and is {"a":"b"}.'],
    ["maxTurns: lots", "4: error", '"maxTurns" must be a whole number from 1 to 10000, and is "lots".'],
    ["maxTurns: 0", "4: error", '"maxTurns" must be a whole number from 1 to 10000, and is 0.'],
    [
      "permissionMode: readonly",
      "4: error",
      '"permissionMode" must be one of default, acceptEdits, plan, dontAsk, bypassPermissions, and is "readonly".',
    ],
    [
      "permissionMode: auto",
      "4: warning",
      '"permissionMode" must be one of default, acceptEdits, plan, dontAsk, bypassPermissions, and is "auto". It is left out.',
    ],
    [
      "isolation:",
      "4: warning",
      '"isolation" must be "worktree", "place:" and the name of a place of the settings, or left out, and is empty. It is left out.',
    ],
    ["background: maybe", "4: error", '"background" must be true or false, and is "maybe".'],
    [
      "isolation: container",
      "4: error",
      '"isolation" must be "worktree", "place:" and the name of a place of the settings, or left out, and is "container".',
    ],
    ["context: 3", "4: error", '"context" must be "fresh" or "fork", and is 3.'],
    [
      "model: [opus]",
      "4: warning",
      '"model" must be haiku, sonnet, opus, small, medium, large, inherit or a model\'s id, and is ["opus"].',
    ],
    ["color: 3", "4: warning", '"color" must be the name of a color, and is 3.'],
    ["skills: 3", "4: warning", '"skills" must be a list of skills, and is 3.'],
    ["effort: huge", "4: warning", '"effort" must be off, low or high, and is "huge".'],
    ["maxturns: 3", "4: error", 'Unknown key "maxturns". Did you mean "maxTurns"?'],
    ["tools: Read, MultiEdit", "4: warning", 'There is no tool "MultiEdit". Edit is taken instead.'],
    ["tools: Glob, Reed", "4: warning", 'There is no tool "Reed". Did you mean Read?'],
    ["tools: Glob, Raed", "4: warning", 'There is no tool "Raed". Did you mean Read?'],
    ["tools: Glob, Frobnicate", "4: warning", 'There is no tool "Frobnicate". It has no effect; remove it.'],
    ["tools:", "4: warning", '"tools" is empty, so the agent has no tools. Leave the line out to give it those of its parent.'],
    ["tools: Bash()", "4: error", 'Cannot use the permission rule "Bash()": the parentheses are empty. Write Bash for every use.'],
  ])("says what is wrong with %s", (key, place, found) => {
    const other = { name: "description: Reviews", description: "name: reviewer" }[key.split(":")[0] ?? ""];
    const text = other === undefined ? withKeys(key) : `---\n${other}\n${key}\n---\nYou review.\n`;
    const all = lines(text);
    expect(all).toHaveLength(1);
    expect(all[0]).toContain(`agents/reviewer.md:${place}: ${found}`);
    expect(read(text).definition === undefined).toBe(place.endsWith("error"));
  });

  it.each(["Frobnicate", "search, codebase", "read"])("has no agent without a tool that exists: %s", (tools) => {
    const { definition, mistakes } = read(withKeys(`tools: ${tools}`));
    expect([definition, mistakes.at(-1)]).toMatchObject([
      undefined,
      { level: "error", agent: "reviewer", found: expect.stringContaining(tools) },
    ]);
  });

  it("takes our tool for one that has another name elsewhere, also where it is forbidden", () => {
    const { definition } = read(withKeys("tools: Task, MultiEdit, Read, Frobnicate\ndisallowedTools: NotebookEdit, Task(helper)"));
    expect([definition?.tools, definition?.disallowedTools]).toEqual([
      ["Agent", "Edit", "Read", "Frobnicate"],
      ["Edit", "Agent(helper)"],
    ]);
  });

  it("reports all mistakes at once, in the order of the lines", () => {
    const text = "---\nname: reviewer\nbackground: 3\ndescription: Looks\nmaxTurns: none\nname: other\n---\n";
    expect(lines(text).map((line) => line.slice("agents/reviewer.md:".length).split(".")[0])).toEqual([
      "1: warning: There are no instructions below the front matter",
      '3: error: "background" must be true or false, and is 3',
      '5: error: "maxTurns" must be a whole number from 1 to 10000, and is "none"',
      '6: error: "name" was given in line 2 already',
    ]);
  });

  it.each([
    ["", "The file does not begin with front matter."],
    ["# Notes\n", "The file does not begin with front matter."],
    ["\n\n---\nname: a\n---\n", "The front matter does not begin in line 1."],
    ["```yaml\n---\nname: a\n---\n```\n", "The front matter does not begin in line 1."],
    ["---\nname: a\n", 'The front matter has no end: there is no second line "---".'],
    ["---js\nmodule.exports = {}\n---\n", 'The front matter is marked as "js".'],
    ["---json\n{}\n---\n", 'The front matter is marked as "json".'],
    ["---\n---\nHello\n", 'There is neither "name" nor "description".'],
    ["---\n- a\n- b\n---\nHello\n", "The front matter is not valid YAML: it is not a list of keys."],
    [`---\nname: a\ndescription: ${"x".repeat(70_000)}\n---\n`, "The front matter has 70025 bytes, and at most 65536 are read."],
    [
      `---\na: &a [x,x]\nb: &b [${"*a,".repeat(30)}]\nc: [${"*b,".repeat(30)}]\n---\n`,
      "The front matter is not valid YAML: Unresolved alias",
    ],
  ])("refuses %j", (text, found) => {
    const { definition, mistakes } = read(text);
    expect(definition).toBeUndefined();
    expect(mistakes).toContainEqual(expect.objectContaining({ level: "error", found: expect.stringContaining(found) }));
  });

  it("runs no code from a file", () => {
    read("---js\nglobalThis.ranFromFrontMatter = true\n---\n");
    read("---javascript\nglobalThis.ranFromFrontMatter = true\n---\n");
    expect("ranFromFrontMatter" in globalThis).toBe(false);
  });

  it("uses the file's name if there is no name, and says so", () => {
    const text = "---\ndescription: Reviews changes\n---\nYou review.\n";
    expect(read(text).definition).toEqual(whole);
    expect(lines(text)).toEqual([
      'agents/reviewer.md:1: warning: "name" is missing, and the file\'s name counts: "reviewer". Add a line with the name.',
    ]);
  });
});

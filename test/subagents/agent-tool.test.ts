import { describe, expect, it } from "vitest";
import { toolSchemas } from "../../src/agent/requests/request.ts";
import { type AgentToolSetup, agentTool, checkAgentTool, startedResult } from "../../src/subagents/agent-tool.ts";
import { builtInAgents, teamWork } from "../../src/subagents/definitions/built-in.ts";
import type { Definition, Mistake } from "../../src/subagents/definitions/definition.ts";
import type { AgentRecord } from "../../src/subagents/record.ts";
import type { Subagents } from "../../src/subagents/subagents.ts";
import { readArguments } from "../../src/tools/arguments.ts";
import { aRecord } from "./kit.ts";

function tool(more: Partial<AgentToolSetup> = {}) {
  const mine = { ...builtInAgents()[0]!, name: "reviewer", description: "reviews as I do", scope: "user" as const };
  const definitions = [...builtInAgents().filter(({ name }) => name !== "reviewer"), mine];
  return agentTool({ host: undefined as never, definitions, listBytes: 1_500, modelOf: (name) => name, clockMs: () => 0, ...more });
}
const named = (description: string) => [...description.matchAll(/^- (\S+):/gm)].map(([, name]) => name);

describe("Agent", () => {
  it("accepts argument names of other products, and refuses unknown ones by name", () => {
    expect(readArguments(tool(), { description: "look", prompt: "Look.", run_in_background: true })).toEqual({
      ok: true,
      input: { description: "look", prompt: "Look.", background: true },
    });
    expect(readArguments(tool(), { description: "look", prompt: "Look.", hurry: true })).toEqual({
      ok: false,
      reason: '"hurry" is not an argument of it; it takes description, prompt, subagent_type, name, background, model',
    });
  });

  it("lists for a teammate the agents that a team does not replace, and the person's own", () => {
    expect(named(tool().description)).toEqual(["general", "explorer", "fork", "coordinator", "tester", "documenter", "reviewer"]);
    expect(named(tool({ unlisted: teamWork }).description)).toEqual(["general", "explorer", "fork", "reviewer"]);
  });

  it("does not repeat in every request that unknown arguments are refused", () => {
    expect(JSON.stringify(toolSchemas([tool()]))).not.toContain("additionalProperties");
  });
});

const context = { signal: new AbortController().signal };

describe("Agent, when it cannot start", () => {
  it.each([
    ["reviwer", "Look.", 'There is no agent "reviwer". Did you mean "reviewer"?'],
    ["zzzzzzzz", "Look.", /^There is no agent "zzzzzzzz"\. There are: general, .*\.$/],
    ["general", "  ", "Cannot start an agent without a prompt: it knows nothing but that."],
  ])("says of %o with the prompt %o what is wrong", async (subagent_type, prompt, text) => {
    const { text: said, isError } = await tool().run({ description: "look", prompt, subagent_type }, context);
    expect(isError).toBe(true);
    if (typeof text === "string") expect(said).toBe(text);
    else expect(said).toMatch(text);
  });
});

describe("an agent by the name that other products have for it", () => {
  const definitions = builtInAgents();
  const meant = (subagent_type: string, own: readonly Definition[] = []) =>
    readArguments(tool({ definitions: [...own, ...definitions] }), { description: "look", prompt: "Look.", subagent_type });

  it.each([
    ["general-purpose", "general"],
    ["Explore", "explorer"],
    ["Plan", "explorer"],
    ["code-reviewer", "reviewer"],
    ["explorer", "explorer"],
  ])("%s is %s, before any rule is asked", (asked, ours) => {
    expect(meant(asked)).toMatchObject({ ok: true, input: { subagent_type: ours } });
  });

  it("is the person's own definition if there is one", () => {
    const own = { ...definitions[0]!, name: "Explore", scope: "user" as const };
    expect(meant("Explore", [own])).toMatchObject({ input: { subagent_type: "Explore" } });
  });

  it("is refused with what is wrong in its file, and no built-in agent takes its place", async () => {
    const mistakes: Mistake[] = [
      { level: "error", file: "/r/explorer.md", line: 3, found: "None of its tools exists here.", action: "Name some." },
    ];
    const { text } = await tool({ mistakes }).run({ description: "look", prompt: "Look.", subagent_type: "explorer" }, context);
    expect(text).toBe(
      'Cannot start this agent: the definition "explorer" cannot be used: its file has a mistake. /r/explorer.md:3: error: None of its tools exists here. Name some.',
    );
  });
});

describe("startedResult()", () => {
  it("gives the report of an agent that has ended, and how it ended", () => {
    const record = aRecord({ state: "completed", report: "Found it.", turns: 1 });
    expect(startedResult({ kind: "ended", record })).toEqual({
      text: "Found it.\n\n[agent a-1, completed]",
      isError: false,
      summary: "1 turn",
    });
    const waits = aRecord({ state: "needs_permission", reason: "Bash: it is asked.", report: "I wait." });
    expect(startedResult({ kind: "ended", record: waits })).toEqual({
      text: "I wait.\n\n[agent a-1, needs permission]",
      isError: true,
      summary: "needs permission: Bash: it is asked.",
    });
  });

  it("says whether the agent began in the background or the person sent it there", () => {
    const record = aRecord();
    expect(startedResult({ kind: "background", record }).text).toMatch(/^Started in the background as a-1\./);
    expect(startedResult({ kind: "background", record, sent: true }).text).toMatch(/^The person sent it to the background as a-1\./);
  });
});

describe("CheckAgent", () => {
  const check = (records: AgentRecord[], agent?: string) => {
    const host: Pick<Subagents, "list" | "find"> = {
      list: () => records,
      find: (wanted) => records.find(({ id, name }) => id === wanted || name === wanted),
    };
    const made = checkAgentTool(
      { host: host as Subagents, clockMs: () => Date.parse("2026-01-02T03:04:06Z") },
      ({ id }) => `Its last words: ${id}`,
    );
    return made.run({ agent }, context);
  };
  const line = "a-1 (ada): pending, look at a; 0 turns, 0 tokens, 1 s";

  it("lists all agents without a name", async () => {
    expect(await check([])).toEqual({ text: "This session has started no agents.", isError: false, summary: "0 agents" });
    expect(await check([aRecord()])).toEqual({ text: line, isError: false, summary: "1 agent" });
  });

  it("shows one agent with its last words, and suggests the nearest name", async () => {
    expect(await check([aRecord()], "ada")).toEqual({ text: `${line}\nIts last words: a-1`, isError: false, summary: "pending" });
    expect((await check([aRecord()], "adda")).text).toBe('This session has no agent "adda". Did you mean "ada"?');
    expect((await check([], "ada")).text).toBe('This session has no agent "ada".');
  });
});

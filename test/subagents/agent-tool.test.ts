import { describe, expect, it } from "vitest";
import { toolSchemas } from "../../src/agent/requests/request.ts";
import { type AgentToolSetup, agentTool } from "../../src/subagents/agent-tool.ts";
import { builtInAgents, teamWork } from "../../src/subagents/built-in.ts";
import { readArguments } from "../../src/tools/arguments.ts";

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

import { describe, expect, it } from "vitest";
import { parseRule } from "../../../src/permissions/rules.ts";
import { builtInAgents, teamWork, workerAgent } from "../../../src/subagents/definitions/built-in.ts";

const named = (name: string) => builtInAgents().find((one) => one.name === name)!;

describe("builtInAgents()", () => {
  it("have a name of their own, and only tools that exist", () => {
    const all = [...builtInAgents(), workerAgent];
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    const tools = all.flatMap(({ tools = [], disallowedTools }) => [...tools, ...disallowedTools]);
    expect(tools.filter((tool) => !parseRule(tool).ok)).toEqual([]);
  });

  it("give no tool that writes to those that change nothing", () => {
    for (const name of ["explorer", "reviewer", "coordinator"]) {
      expect(named(name).tools).not.toEqual(expect.arrayContaining(["Write"]));
      expect(named(name).tools).not.toEqual(expect.arrayContaining(["Edit"]));
    }
    expect(named("explorer").permissionMode).toBe("plan");
  });

  it("let a worker start no agents, and the settings choose the coordinator's model", () => {
    expect(workerAgent.disallowedTools).toEqual(["Agent", "StartWorker"]);
    expect(named("coordinator").model).toBe("opus");
    expect(builtInAgents({ coordinator: "small" }).find(({ name }) => name === "coordinator")?.model).toBe("small");
  });

  it("name only agents as the work of a team", () => {
    expect(teamWork.filter((name) => !builtInAgents().some((one) => one.name === name))).toEqual([]);
  });
});

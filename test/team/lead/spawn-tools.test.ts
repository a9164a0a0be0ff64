// The effect of a lead's call: which teammates start, with what, and what is refused before any start.
import { expect, it } from "vitest";
import { spawnTools, type TeammateOrder } from "../../../src/team/lead/spawn-tools.ts";
import { readArguments } from "../../../src/tools/arguments.ts";

const reviewer = { name: "reviewer", prompt: "Look.", disallowedTools: ["Write"], skills: [], model: "claude-opus-5-5" };

async function spawn(input: unknown): Promise<{ orders: TeammateOrder[]; text: string }> {
  const orders: TeammateOrder[] = [];
  const [tool] = spawnTools({
    spawn: async (order) => {
      orders.push(order);
      return { ok: true };
    },
    roleNamed: async (name) =>
      name === reviewer.name ? { ok: true, role: reviewer } : { ok: false, reason: `there is no agent "${name}". There are: reviewer.` },
    stop: async () => ({ ok: true, left: undefined }),
  });
  if (!tool) throw new Error("there is no tool");
  const read = readArguments(tool, input);
  if (!read.ok) return { orders, text: read.reason };
  return { orders, text: (await tool.run(read.input, { signal: new AbortController().signal })).text };
}

it("starts a teammate with its duty and the model that a size stands for", async () => {
  expect(await spawn({ name: "ada", duty: "tests", model: "small", prompt: "Use vitest." })).toEqual({
    orders: [{ name: "ada", duty: "tests", model: "claude-haiku-5-5", prompt: "Use vitest." }],
    text: "ada has started.",
  });
});

it("starts no teammate with an unknown model, and suggests the nearest", async () => {
  const { orders, text } = await spawn({ name: "ada", model: "claude-sonet-5-5" });
  expect([orders, text]).toEqual([[], expect.stringContaining("Did you mean claude-sonnet-5-5?")]);
});

it("starts a teammate in a role, on the role's model unless another is named", async () => {
  expect((await spawn({ name: "ada", role: "reviewer" })).orders).toEqual([{ name: "ada", model: "claude-opus-5-5", role: reviewer }]);
  expect((await spawn({ name: "ada", role: "reviewer", model: "small" })).orders[0]?.model).toBe("claude-haiku-5-5");
});

it("starts no teammate in an unknown role", async () => {
  expect(await spawn({ name: "ada", role: "critic" })).toEqual({
    orders: [],
    text: 'Cannot start "ada": there is no agent "critic". There are: reviewer.',
  });
});

it("offers the team's places, and no other name", async () => {
  const [tool] = spawnTools({} as never, { places: [{ name: "gpu", at_once: 2 }] });
  expect(
    [
      { name: "ada", place: "gpu" },
      { name: "ada", place: "slurm" },
    ].map((input) => readArguments(tool!, input).ok),
  ).toEqual([true, false]);
});

it("lists the roles in the tool's description", () => {
  const [tool] = spawnTools({} as never, { roles: "- reviewer: looks" });
  expect(tool?.description).toMatch(/recommended\.\nRoles:\n- reviewer: looks$/);
});

// What a lead's call comes to: whom it starts, with what, and what is refused before anything is started.
import { expect, it } from "vitest";
import { spawnTools, type TeammateOrder } from "../../../src/team/lead/spawn-tools.ts";
import { readArguments } from "../../../src/tools/arguments.ts";

async function spawn(input: unknown): Promise<{ orders: TeammateOrder[]; text: string }> {
  const orders: TeammateOrder[] = [];
  const [tool] = spawnTools({
    spawn: async (order) => {
      orders.push(order);
      return { ok: true };
    },
    stop: async () => ({ ok: true, left: undefined }),
  });
  if (!tool) throw new Error("there is no tool");
  const read = readArguments(tool, input);
  if (!read.ok) return { orders, text: read.reason };
  return { orders, text: (await tool.run(read.input, { signal: new AbortController().signal })).text };
}

it("starts a teammate with its role and the model that a size stands for", async () => {
  expect(await spawn({ name: "ada", role: "tests", model: "small", prompt: "Use vitest." })).toEqual({
    orders: [{ name: "ada", duty: "tests", model: "claude-haiku-5-5", prompt: "Use vitest." }],
    text: "ada has started.",
  });
});

it("starts nobody with a model that is not known, and names the nearest", async () => {
  const { orders, text } = await spawn({ name: "ada", model: "claude-sonet-5-5" });
  expect([orders, text]).toEqual([[], expect.stringContaining("Did you mean claude-sonnet-5-5?")]);
});

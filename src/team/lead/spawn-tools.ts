// The two tools that only a lead has: starting and stopping a teammate.
import { z } from "zod";
import { modelNamed, unknownModel } from "../../agent/requests/prices.ts";
import type { Task } from "../../board/task.ts";
import type { AnyTool, Tool, ToolResult } from "../../tools/tool.ts";
import { stoppedResult } from "../prompt.ts";

export type SpawnOutcome = { ok: true } | { ok: false; reason: string };
/** `left`: the task that the teammate had in progress, as it is now. */
export type StopOutcome = { ok: true; left: Task | undefined } | { ok: false; reason: string };

/** `duty`: what it is there for, which the others see. `model`: as a person names it; the lead's when absent. */
export type TeammateOrder = { name: string; prompt?: string; duty?: string; model?: string };

export type Spawner = {
  spawn(order: TeammateOrder): Promise<SpawnOutcome>;
  stop(name: string): Promise<StopOutcome>;
};

const spawnInput = z.strictObject({
  name: z.string().describe("a-z, 0-9 and -, at most 40 characters; never used before in this team"),
  prompt: z.string().optional().describe("what this teammate should know or attend to, beyond its tasks"),
  role: z.string().max(200).optional().describe("what it is there for, in a few words; all teammates see it"),
  model: z.string().optional().describe("small, medium, large or a model's id; yours when left out"),
});

const stopInput = z.strictObject({ name: z.string() });

export function spawnTools(staff: Spawner): AnyTool[] {
  const spawn: Tool<z.infer<typeof spawnInput>> = {
    name: "SpawnTeammate",
    description: "Starts a teammate. It claims tasks by itself. 2 to 4 teammates are recommended.",
    input: spawnInput,
    readOnly: false,
    sideBySide: true,
    subject: ({ name }) => name,
    async run({ name, prompt, role, model }) {
      const unknown = model === undefined ? undefined : unknownModel(modelNamed(model));
      if (unknown) return failure(`Cannot start "${name}": ${unknown}`);
      const result = await staff.spawn({ name, prompt, duty: role, ...(model !== undefined && { model: modelNamed(model) }) });
      return result.ok ? success(`${name} has started.`, "started") : failure(result.reason);
    },
  };
  const stop: Tool<z.infer<typeof stopInput>> = {
    name: "StopTeammate",
    description: "Ends a teammate. Its task becomes blocked, and you can release it to another.",
    input: stopInput,
    readOnly: false,
    subject: ({ name }) => name,
    async run({ name }) {
      const result = await staff.stop(name);
      return result.ok ? success(stoppedResult(name, result.left), "stopped") : failure(result.reason);
    },
  };
  return [spawn, stop];
}

function success(text: string, summary: string): ToolResult {
  return { text, isError: false, summary };
}

function failure(text: string): ToolResult {
  return { text, isError: true, summary: "refused" };
}

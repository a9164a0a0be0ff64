// The two tools that only a lead has: starting and stopping a teammate.
import { z } from "zod";
import type { Task } from "../../board/task.ts";
import type { AnyTool, Tool, ToolResult } from "../../tools/tool.ts";
import { stoppedResult } from "../prompt.ts";

export type SpawnOutcome = { ok: true } | { ok: false; reason: string };
/** `left`: the task that the teammate had in progress, as it is now. */
export type StopOutcome = { ok: true; left: Task | undefined } | { ok: false; reason: string };

export type Spawner = {
  spawn(name: string, prompt: string | undefined): Promise<SpawnOutcome>;
  stop(name: string): Promise<StopOutcome>;
};

const spawnInput = z.strictObject({
  name: z.string().describe("a-z, 0-9 and -, at most 40 characters; never used before in this team"),
  prompt: z.string().optional().describe("what this teammate should know or attend to, beyond its tasks"),
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
    async run({ name, prompt }) {
      const result = await staff.spawn(name, prompt);
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

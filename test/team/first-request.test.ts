// The size of a teammate's first request in the worst case: every list of its environment at its limit, and rules of any length.
import { expect, it } from "vitest";
import { environmentText } from "../../src/agent/ports/environment.ts";
import { buildRequest, toolSchemas } from "../../src/agent/requests/request.ts";
import { recordFailureTool } from "../../src/agent/result/failures.ts";
import { bashOutputTool, killBashTool } from "../../src/background/bash-output.ts";
import { boardTools } from "../../src/board/tools.ts";
import { makePolicy } from "../../src/permissions/policy.ts";
import { agentTool, checkAgentTool } from "../../src/subagents/agent-tool.ts";
import { builtInAgents, teamWork } from "../../src/subagents/definitions/built-in.ts";
import { rosterText, taskInput, teammateSystemPrompt } from "../../src/team/prompt.ts";
import { askUserTool } from "../../src/tools/ask-user.ts";
import { fileTools } from "../../src/tools/set.ts";
import { submitPlanTool } from "../../src/tools/submit-plan.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import { webFetchTool } from "../../src/tools/web/web-fetch.ts";
import { task } from "../board/examples.ts";
import { temporaryTeam } from "../board/temporary-team.ts";

/** Only described to the model, never called. */
const unused = {} as never;

function teammatesTools(board: Parameters<typeof boardTools>[0]): AnyTool[] {
  const agents = { host: unused, definitions: builtInAgents(), listBytes: 1_500, modelOf: (name: string) => name, clockMs: () => 0 };
  return [
    ...fileTools({ disk: unused, shell: unused, background: unused, fetch: webFetchTool(unused, unused, unused) }),
    askUserTool(unused),
    bashOutputTool({ commands: unused, matchingLines: unused, nowMs: () => 0 }),
    killBashTool({ commands: unused }),
    submitPlanTool(unused),
    ...boardTools(board, { name: "ada", role: "teammate" }),
    agentTool({ ...agents, unlisted: teamWork }),
    checkAgentTool(agents, () => ""),
    recordFailureTool({ failures: unused, agent: "ada", now: () => new Date(0), redacted: unused, written: unused }),
  ];
}

async function worstEnvironment(letters: string): Promise<string> {
  const name = (n: number) => `${n}${letters}`;
  const allow = Array.from({ length: 8 }, (_, n) => `Bash(${name(n)})`);
  const made = await makePolicy(
    { cwd: "/home/someone/projects/atlas", home: "/home/someone", configDir: "/c", allow, directories: [`/${letters}`, "/b", "/c"] },
    async (path) => path,
  );
  if (!made.ok) throw new Error(made.reason);
  return environmentText(
    { policy: { ...made.policy, mode: "bypassPermissions" }, commands: true, brief: true },
    {
      repository: async () => ({
        kind: "known",
        branch: letters,
        mainBranch: letters,
        changes: Array.from({ length: 90 }, (_, n) => ({ state: "??", path: `${made.policy.cwd}/${name(n)}` })),
        commits: [letters, letters, letters],
      }),
      topLevel: () => Array.from({ length: 90 }, (_, n) => ({ name: name(n), folder: true })),
      sandbox: () => new Promise(() => {}),
      platform: "darwin",
      now: () => new Date(2026, 10, 22),
      timeLimit: () => AbortSignal.timeout(1),
    },
  );
}

it.each([
  ["long names", "x".repeat(300)],
  ["names of a length that fills each list", "x".repeat(25)],
  ["names of three bytes a character", "資".repeat(300)],
  ["names that are escaped", '"\\'.repeat(150)],
])("a teammate's first request stays below 10 KiB with %s", async (_, letters) => {
  using team = temporaryTeam();
  const members = ["lead", "ada", "bo", "cy"].map((name) => ({ name, duty: "the parser and its tests" }));
  const text = `${await worstEnvironment(letters)}\n${rosterText("atlas", members)}`;
  const content = [text, taskInput(task({ id: "task-1" }), [])].map((words) => ({ type: "text" as const, text: words }));
  const request = buildRequest({
    modelName: "claude-sonnet-4-5",
    maxTokens: 32_000,
    system: teammateSystemPrompt("ada", "atlas", {}),
    schemas: toolSchemas(teammatesTools(team.board)),
    history: { messages: () => [{ role: "user", content }] },
  });
  const bytes = Buffer.byteLength(JSON.stringify(request));
  expect([bytes, bytes > 9 * 1024, bytes < 10 * 1024]).toEqual([bytes, true, true]);
});

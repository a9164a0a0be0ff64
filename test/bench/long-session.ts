// The requests of one long session, as a provider on loopback receives them: one to many calls at once, short and long results, a to-do
// list that changes, background commands that end, and mode changes.

import { runTurns } from "../../src/agent/loop.ts";
import { modeChanged } from "../../src/agent/ports/environment.ts";
import type { ModelRequest } from "../../src/agent/ports/model.ts";
import { createCommands } from "../../src/background/commands.ts";
import { anthropicModel } from "../../src/edge/model/anthropic.ts";
import { bashTool } from "../../src/tools/bash.ts";
import type { Shell } from "../../src/tools/shell.ts";
import { todoWriteTool } from "../../src/tools/todo-write.ts";
import { agentOf, anyTool, done, typed } from "../agent/agent-kit.ts";
import { startMessagesApi, text, toolUse } from "../messages-api.ts";
import { seeded } from "../process/seeded.ts";

export async function longSession({ turns, seed }: { turns: number; seed: number }): Promise<ModelRequest[]> {
  const random = seeded(seed);
  const api = await startMessagesApi({
    reply(_request, n) {
      if (n + 1 >= turns) return text("Done.");
      const width = random() < 0.05 ? 25 + Math.floor(random() * 30) : 1 + Math.floor(random() ** 3 * 6);
      const calls = Array.from({ length: width }, (_, at) => toolUse("Look", { at: `src/part-${at}.ts` }, `toolu_${n}_${at}`));
      if (random() < 0.1) calls.push(toolUse("TodoWrite", todos(n, turns), `toolu_${n}_todo`));
      if (random() < 0.1) calls.push(toolUse("Bash", { command: "npm start", background: true }, `toolu_${n}_bash`));
      return random() < 0.5 ? [text("I look at the next part."), ...calls] : calls;
    },
  });
  try {
    const look = anyTool("Look", () => done("a line of source code that says something; ".repeat(Math.floor(random() ** 3 * 200))));
    const commands = createCommands({ now: () => new Date(0), monotonicMs: () => 0 });
    const background = commands.forAgent({ agent: "ada", outputs: undefined, redacted: (words) => words });
    const { agent, queue } = agentOf(anthropicModel({ apiKey: "key", baseURL: api.url }), {
      tools: [look, todoWriteTool(), bashTool(shell, { background })],
      system: `You are ada, an agent. ${"A rule of the house that is worth its place. ".repeat(60)}`,
    });
    queue.push(typed("Look at everything."));
    agent.inbox.take = () => [
      ...queue.splice(0),
      ...background.ends.take(),
      ...(random() < 0.1 ? [typed("And hurry.")] : []),
      ...(random() < 0.1 ? [modeChanged("plan", { submitsPlans: true })] : []),
    ];
    await runTurns(agent, new AbortController().signal);
    return api.requests.map(({ body }) => body);
  } finally {
    await api.close();
  }
}

/** Every command prints one word and ends. */
const shell: Shell = {
  async run({ onOutput }) {
    onOutput(Buffer.from("listening\n"));
    await new Promise((resolve) => setImmediate(resolve));
    return { end: { kind: "exited", code: 0 }, ms: 1 };
  },
};

function todos(turn: number, turns: number): { todos: { content: string; status: string }[] } {
  const now = Math.floor((4 * turn) / turns);
  const statusOf = (part: number) => (part < now ? "completed" : part === now ? "in_progress" : "pending");
  return { todos: [0, 1, 2, 3].map((part) => ({ content: `Part ${part}`, status: statusOf(part) })) };
}

/** How many requests begin with everything that the previous one contained, cache marks aside. */
export function extending(requests: ModelRequest[]): number {
  const plain = requests.map(({ tools, system, messages }) => {
    const json = (value: unknown) => JSON.stringify(value, (key, inner) => (key === "cache_control" ? undefined : inner));
    return { head: json([tools, system]), messages: messages.map(json) };
  });
  return plain.slice(1).filter((request, n) => {
    const before = plain[n];
    return before?.head === request.head && before.messages.every((message, at) => request.messages[at] === message);
  }).length;
}

// Requests to the model provider: how many, in which order, and how many for nothing.
import { setTimeout as pause } from "node:timers/promises";
import { text, toolUse } from "../messages-api.ts";
import type { Part } from "./row.ts";
import { type BenchTeam, type Script, startTeam, type TeamRequest, until } from "./team.ts";

const idleMs = 5_000;

export const requestsBench: Part = async (report) => {
  const team = await startTeam("in_tmux", script);
  try {
    const reported = () => JSON.stringify(team.requestsOf("lead").at(-1)?.request.body.messages).includes("tasks are completed");
    const rests = () => team.status("ada")?.state === "idle" && team.status("lead")?.state === "idle";
    await until("the lead's report", () => reported() && rests());
    const first = team.requestsOf("ada")[0]?.request.body;
    const bytes = Buffer.byteLength(JSON.stringify({ system: first?.system, tools: first?.tools }));
    report({
      name: "requests: system + tools of a teammate's first request",
      ours: `${bytes} bytes`,
      target: "< 10,240 bytes",
      met: bytes < 10_240,
    });

    const settled = team.requests.length;
    await pause(idleMs);
    const idle = team.requests.length - settled;
    report({
      name: `requests: model turns caused by ${idleMs / 1000} s of idling, own claims and notices`,
      ours: `${idle}`,
      target: "0",
      met: idle === 0,
    });

    const before = team.requests.length;
    team.board.send({ from: "user", to: "ada", kind: "message", text: "For your information: the fixture has moved." });
    await until("the message to be read", () => team.requests.length > before);
    await pause(3_000);
    const caused = team.requests.length - before;
    report({
      name: "requests: model turns in the whole team after one message that needs no answer",
      ours: `${caused}`,
      target: "≤ 1",
      met: caused <= 1,
    });

    const { extended, later } = prefixes(team);
    const share = ((100 * extended) / later).toFixed(0);
    report({
      name: "requests: later ones that extend the one before, cache_control aside",
      ours: `${share} % of ${later}`,
      target: "100 %",
      met: extended === later && later > 0,
    });
  } finally {
    await team.dispose();
  }
};

/** One task, completed with a tool call; then the lead reports and everybody is idle. */
const script: Script = ({ agent, n, request }) => {
  if (agent === "lead") {
    if (n === 0) return toolUse("TaskCreate", { title: "Read the notes" }, "toolu_create");
    if (n === 1) return toolUse("SpawnTeammate", { name: "ada" }, "toolu_spawn");
    return text("So be it.");
  }
  const task = /You now hold (task-\d+)/.exec(JSON.stringify(request.body.messages))?.[1] ?? "";
  if (n === 0) return toolUse("Bash", { command: "cat notes.txt" }, "toolu_bash");
  if (n === 1) return toolUse("TaskUpdate", { id: task, status: "completed", summary: "Read." }, "toolu_done");
  return text("Well.");
};

function prefixes(team: BenchTeam): { extended: number; later: number } {
  const agents = [...new Set(team.requests.map(({ agent }) => agent))];
  const pairs = agents.flatMap((agent) => {
    const own = team.requestsOf(agent);
    return own.slice(1).map((request, index) => extendsBefore(own[index], request));
  });
  return { extended: pairs.filter(Boolean).length, later: pairs.length };
}

function extendsBefore(before: TeamRequest | undefined, after: TeamRequest): boolean {
  const plain = (request: TeamRequest | undefined) =>
    JSON.parse(JSON.stringify(request?.request.body), (key, value) => (key === "cache_control" ? undefined : value));
  const [a, b] = [plain(before), plain(after)];
  const same = (x: unknown, y: unknown) => JSON.stringify(x) === JSON.stringify(y);
  return same(a.system, b.system) && same(a.tools, b.tools) && same(a.messages, b.messages.slice(0, a.messages.length));
}

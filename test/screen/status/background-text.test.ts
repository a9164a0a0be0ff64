import { expect, it } from "vitest";
import { backgroundText } from "../../../src/screen/status/background-text.ts";
import { timeOfDay } from "../../../src/wording/figures.ts";
import { aRecord } from "../../subagents/kit.ts";

it("names the newest of the agents and commands that run in the background", () => {
  const command = {
    id: "bash-1",
    agent: "s:tool",
    command: "npm run dev",
    state: "running",
    startedAt: "2026-01-02T03:04:06.000Z",
    told: false,
  } as const;
  const commands = [command, { ...command, id: "bash-2", state: "completed", code: 0 } as const];
  const nowMs = Date.parse("2026-01-02T03:04:45.000Z");
  expect(backgroundText({ agents: [], commands: [] }, nowMs)).toBe("");
  expect(backgroundText({ agents: [aRecord({ background: true, state: "running" })], commands }, nowMs)).toBe(
    `2 in the background: ada 40s, bash-1 since ${timeOfDay(command.startedAt)}`,
  );
});

const atMs = Date.parse("2026-01-02T03:05:06.000Z");
const agent = (name: string, state: "running" | "pending" | "needs_permission" | "completed") =>
  aRecord({ id: name, name, state, background: true });

it("says how many agents are queued and which need the person", () => {
  const text = (...agents: ReturnType<typeof agent>[]) => backgroundText({ agents, commands: [] }, atMs);
  expect(text(agent("a", "completed"))).toBe("");
  expect(text(agent("a", "running"), agent("b", "running"), agent("c", "pending"))).toBe(
    "2 in the background: a 1m01s, b 1m01s; 1 waits for its turn",
  );
  expect(text(agent("a", "pending"), agent("b", "pending"), agent("c", "needs_permission"))).toBe(
    "2 wait for their turn; c needs you: /tasks",
  );
});

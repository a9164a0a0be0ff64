import { expect, it } from "vitest";
import { agentRow } from "../../../src/app/watch/session-rows.ts";
import type { AgentRecord } from "../../../src/subagents/record.ts";

it("answers the question of an agent that asks from its own row, and of no other", () => {
  const question = { in: { session: "s", folder: "/q" }, request: "q-1" };
  const head = { id: "session s", fullName: "session s", folder: "/repo", question };
  const of = (more: Partial<AgentRecord>) =>
    agentRow({ id: "a-1", name: "bo", state: "running", usage: {}, ...more } as AgentRecord, { head, session: "s" });
  const shown = [of({ asks: "Write a.js" }), of({}), of({ state: "needs_permission", reason: "Write(a.js)" })];
  expect(shown.map(({ state, question: asked }) => [state, asked])).toEqual([
    ["needs_you", question],
    ["working", undefined],
    ["needs_you", undefined],
  ]);
});

import { describe, expect, it } from "vitest";
import { agentMoves, agentStates, moved } from "../../src/subagents/record.ts";
import { aRecord } from "./kit.ts";

describe("moved()", () => {
  it("allows exactly the moves of the table", () => {
    for (const from of agentStates)
      for (const to of agentStates) {
        const move = () => moved(aRecord({ state: from }), to).state;
        if (agentMoves[from].includes(to)) expect(move()).toBe(to);
        else expect(move).toThrow(`Agent a-1 cannot go from ${from} to ${to}.`);
      }
  });
});

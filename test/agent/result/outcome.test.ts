import { describe, expect, it } from "vitest";
import { endingIncident, type Incident, outcomeOfRun, ownedBy, reported } from "../../../src/agent/result/outcome.ts";

const interrupted: Incident = { kind: "interrupted", agent: "tool" };
const denied: Incident = { kind: "denied", agent: "ada", tool: "Bash", subject: "npm test", reason: "No rule.", rules: ["Bash(npm test)"] };
const turns: Incident = { kind: "max_turns", agent: "ada", item: "look", reason: "The limit of 1 turn was reached." };
const budget: Incident = { kind: "budget", agent: "tool", item: "the session", reason: "$2 of the budget of $1 is spent." };
const failed: Incident = { kind: "failed", agent: "bo", item: "mend", reason: "It crashed.\nBadly." };

/** Weightiest first. */
const inOrder = [interrupted, denied, turns, budget, failed];
const codes = [130, 3, 4, 4, 1];

describe("outcomeOfRun()", () => {
  it("is done with 0 where nothing happened", () => {
    expect(outcomeOfRun([])).toEqual({ ending: "done", exit_code: 0 });
  });

  it.each([
    [interrupted, { ending: "aborted", exit_code: 130, reason: "Interrupted." }],
    [denied, { ending: "denied", exit_code: 3, reason: "1 tool call was denied, so this may not be all that was asked for." }],
    [turns, { ending: "max_turns", exit_code: 4, reason: "ada: The limit of 1 turn was reached." }],
    [budget, { ending: "budget", exit_code: 4, reason: "$2 of the budget of $1 is spent." }],
    [failed, { ending: "fault", exit_code: 1, reason: "bo: It crashed." }],
  ] as const)("of %o alone", (incident, expected) => {
    expect(outcomeOfRun([incident], "tool")).toEqual(expected);
  });

  it("is decided by the weightiest of several, whatever their order", () => {
    const pairs = inOrder.flatMap((first, at) => inOrder.slice(at).map((second) => ({ pair: [first, second], code: codes[at] })));
    const both = pairs.flatMap(({ pair, code }) =>
      [outcomeOfRun(pair), outcomeOfRun(pair.toReversed())].map((one) => [one.exit_code, code]),
    );
    expect(both.filter(([code, expected]) => code !== expected)).toEqual([]);
  });

  it("counts those of one kind", () => {
    expect(outcomeOfRun([denied, denied]).reason).toBe("2 tool calls were denied, so this may not be all that was asked for.");
    expect(outcomeOfRun([failed, failed, turns, turns]).reason).toBe("ada: The limit of 1 turn was reached. (and 1 more)");
  });
});

describe("endingIncident()", () => {
  it.each([
    [{ kind: "done" }, undefined],
    [{ kind: "aborted" }, interrupted],
    [
      { kind: "max_turns", limit: 3 },
      { kind: "max_turns", agent: "tool", item: "the session", reason: "The limit of 3 turns was reached." },
    ],
    [
      { kind: "budget", limitUsd: 1, spentUsd: 1.5 },
      { kind: "budget", agent: "tool", item: "the session", reason: "$1.5000 of the budget of $1 is spent." },
    ],
    [
      { kind: "fault", reason: "The key is refused." },
      { kind: "failed", agent: "tool", item: "the session", reason: "The key is refused." },
    ],
  ] as const)("of %o", (ending, expected) => {
    expect(endingIncident(ending, "tool")).toEqual(expected);
  });
});

it("a larger run names whose agent it was", () => {
  expect(ownedBy("http", [budget, failed], "tool").map(({ agent }) => agent)).toEqual(["http", "http/bo"]);
});

it("JSON has the calls that were denied, and everything that was not done", () => {
  expect(reported(inOrder)).toEqual({
    permission_denials: [{ agent: "ada", tool: "Bash", subject: "npm test", reason: "No rule.", rules: ["Bash(npm test)"] }],
    failures: [
      { item: "look", error: "The limit of 1 turn was reached.", agent: "ada" },
      { item: "the session", error: "$2 of the budget of $1 is spent.", agent: "tool" },
      { item: "mend", error: "It crashed.\nBadly.", agent: "bo" },
    ],
  });
});

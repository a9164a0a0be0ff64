import { expect, it } from "vitest";
import { incidentsOf } from "../../src/subagents/incidents.ts";
import { aRecord, aWorker } from "./kit.ts";

const denial = { tool: "Bash", subject: "npm test", reason: "No rule.", rules: ["Bash(npm test)"] };
const denied = { kind: "denied", agent: "ada", ...denial };
const about = { agent: "ada", item: "look at a" };

it.each([
  ["completed", {}, []],
  ["completed", { denials: [denial] }, [denied]],
  ["needs_permission", { denials: [denial], reason: "It waits." }, [denied]],
  ["failed", { reason: "It crashed." }, [{ kind: "failed", ...about, reason: "It crashed." }]],
  ["failed", { reason: "Too many turns.", endedBy: "max_turns" }, [{ kind: "max_turns", ...about, reason: "Too many turns." }]],
  ["failed", { reason: "Spent.", endedBy: "budget", denials: [denial] }, [denied, { kind: "budget", ...about, reason: "Spent." }]],
  ["stopped", { reason: "A person stopped it." }, [{ kind: "failed", ...about, reason: "A person stopped it." }]],
  ["running", {}, [{ kind: "failed", ...about, reason: "The session ended while it ran." }]],
  ["pending", { reason: undefined }, [{ kind: "failed", ...about, reason: "The session ended while it ran." }]],
] as const)("an agent that is %s, %o", (state, change, expected) => {
  const { denials, ...rest } = { denials: undefined, ...change };
  expect(incidentsOf(aRecord({ state, ...rest, ...(denials && { denials: [...denials] as never }) }))).toEqual(expected);
});

it("a worker is named with its component, and what it recorded itself is not said twice", () => {
  const worker = { ...aWorker("orders", { state: "failed" }), reason: "Its tests failed when it last ran them: npm test." };
  expect(incidentsOf(worker)).toEqual([{ kind: "failed", agent: "orders", item: "orders", reason: worker.reason }]);
  expect(incidentsOf({ ...worker, reason: "It recorded a failure: src/a.js." })).toEqual([]);
});

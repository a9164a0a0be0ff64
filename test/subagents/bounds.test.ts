import { expect, it } from "vitest";
import { boundsAbove, boundsOf } from "../../src/subagents/bounds.ts";
import { builtInAgents } from "../../src/subagents/definitions/built-in.ts";
import { aRecord, aWorker, recordsOf } from "./kit.ts";

const definition = {
  name: "reader",
  prompt: "Read.",
  tools: ["Read", "Agent"],
  disallowedTools: ["WebFetch"],
  permissionMode: "plan" as const,
};
const coordinator = builtInAgents().find(({ name }) => name === "coordinator");

it("names the definition of every agent above, nearest first, the session's last", () => {
  const top = aRecord({ id: "a-1", name: "ada", definition });
  const middle = aRecord({ id: "a-2", name: "a-2", parent: "a-1" });
  const low = aRecord({ id: "a-3", parent: "a-2" });
  const { find } = recordsOf([top, middle, low]);
  expect(boundsAbove(low, { find, session: coordinator })).toEqual([
    { agent: "agent a-2", disallowedTools: [] },
    { agent: "agent ada (a-1)", tools: ["Read", "Agent"], disallowedTools: ["WebFetch"], mode: "plan" },
    { agent: "the session's agent coordinator", tools: coordinator?.tools, disallowedTools: [] },
  ]);
  expect(boundsAbove(top, { find, session: undefined })).toEqual([]);
});

it("gives a worker tools that its coordinator lacks, and its own agents only its files", () => {
  const boss = aRecord({ id: "a-coordinator", name: "boss", definition: { ...definition, disallowedTools: ["WebFetch"] } });
  const worker = aWorker("log");
  const below = aRecord({ id: "a-9", parent: worker.id });
  const { find } = recordsOf([boss, worker, below]);
  expect(boundsAbove(worker, { find, session: undefined })).toEqual([
    { agent: "agent boss (a-coordinator)", disallowedTools: ["WebFetch"], mode: "plan" },
  ]);
  expect(boundsAbove(below, { find, session: undefined })[0]).toEqual(boundsOf(worker));
  expect(boundsOf(worker).files).toEqual(["src/log.js"]);
});

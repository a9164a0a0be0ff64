// A conversation whose background agents end in the order that the test says.
import { expect, it } from "vitest";
import { runToRest } from "../../src/subagents/run-to-rest.ts";
import type { Subagents } from "../../src/subagents/subagents.ts";
import { agentOf, modelOf, replied, say, typed } from "../agent/agent-kit.ts";

const { signal } = new AbortController();

/** `ends`: what happens each time that somebody waits for the next end; nobody works after the last. */
function hostOf(ends: (() => void)[], waits: () => boolean) {
  const host: Pick<Subagents, "deliveriesTo" | "isAtWork" | "nextEnd"> = {
    deliveriesTo: () => ({ waits, take: () => [], recorded: () => {} }),
    isAtWork: () => ends.length > 0,
    nextEnd: async () => ends.shift()?.(),
  };
  return host as Subagents;
}

it("ends with the model's last words when nothing works in the background", async () => {
  const { agent, queue } = agentOf(modelOf([replied([say("All done.")])]));
  queue.push(typed("Do it."));
  const last = await runToRest(agent, { host: hostOf([], () => false), signal });
  expect(last).toEqual({ ending: { kind: "done" }, text: "All done." });
});

it("answers each report of a background agent before it ends", async () => {
  const model = modelOf([replied([say("I wait.")]), replied([say("One is there.")]), replied([say("Both are there.")])]);
  const { agent, queue } = agentOf(model);
  queue.push(typed("Do it."));
  const report = (text: string) => () => void queue.push(typed(text));
  const last = await runToRest(agent, { host: hostOf([report("one"), () => {}, report("two")], () => queue.length > 0), signal });
  expect(last.text).toBe("Both are there.");
  expect(model.requests).toHaveLength(3);
});

it("answers the reports of agents together that end while nobody waits", async () => {
  const model = modelOf([replied([say("I wait.")]), replied([say("All are there.")])]);
  const { agent, queue } = agentOf(model);
  agent.clock = {
    ...agent.clock,
    sleep: (_ms, until) => new Promise((resolve) => until?.addEventListener("abort", () => resolve(), { once: true })),
  };
  queue.push(typed("Do it."));
  const ends = Array.from({ length: 30 }, (_, n) => () => void queue.push(typed(`report ${n}`)));
  const last = await runToRest(agent, { host: hostOf(ends, () => queue.length > 0), signal });
  expect([last.text, model.requests.length, model.requests[1]?.messages.at(-1)?.content.length]).toEqual(["All are there.", 2, 30]);
});

it("waits for no agent after a failure", async () => {
  const { agent, queue } = agentOf(modelOf([]));
  queue.push(typed("Do it."));
  const fails = () => {
    throw new Error("it waited");
  };
  expect((await runToRest(agent, { host: hostOf([fails], () => false), signal })).ending.kind).toBe("fault");
});

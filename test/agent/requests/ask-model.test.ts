import { describe, expect, it } from "vitest";
import { runTurns } from "../../../src/agent/loop.ts";
import type { ModelOutcome } from "../../../src/agent/ports/model.ts";
import { compact } from "../../../src/agent/requests/compaction.ts";
import { agentOf, anyTool, call, done, modelOf, replied, say, typed } from "../agent-kit.ts";

const never = () => new AbortController().signal;
const overloaded: ModelOutcome = { kind: "fault", fault: { verdict: "retry", status: 529, reason: "Provider overloaded (529)." } };
const waits = (retryAfterMs: number): ModelOutcome => ({
  kind: "fault",
  fault: { verdict: "retry", status: 529, reason: "Provider overloaded (529).", retryAfterMs },
});
const fallback = () => ({ fallback: { model: "other", answers: false } });
const thought = { type: "thinking" as const, thinking: "Hm.", signature: "s" };

describe("the fallback model", () => {
  it("answers after three overloads in a row, until the next message", async () => {
    const model = modelOf([
      overloaded,
      overloaded,
      overloaded,
      replied([call("c1", "Look")]),
      replied([say("Yes.")]),
      replied([say("Again.")]),
    ]);
    const { agent, queue, events } = agentOf(model, { ...fallback(), tools: [anyTool("Look", () => done("seen"))] });
    queue.push(typed("look"));
    await runTurns(agent, never());
    queue.push(typed("and again"));
    await runTurns(agent, never());
    expect(model.requests.map((request) => request.model)).toEqual(["m", "m", "m", "other", "other", "m"]);
    expect(events.flatMap((event) => (event.type === "notice" ? [event.level, event.text] : []))).toEqual([
      "warning",
      "m is overloaded (529). other answers in its place until the next message.",
    ]);
  });

  it("answers at once if the provider asks for a long wait, but not for a limit of the key", async () => {
    const limit: ModelOutcome = {
      kind: "fault",
      fault: { verdict: "retry", status: 429, reason: "Rate limit (429).", retryAfterMs: 60_000 },
    };
    const model = modelOf([limit, waits(60_000), replied([say("Yes.")])]);
    const { agent, queue } = agentOf(model, fallback());
    queue.push(typed("look"));
    await runTurns(agent, never());
    expect(model.requests.map((request) => request.model)).toEqual(["m", "m", "other"]);
  });

  it("is tried as often as any model, and then its error is reported", async () => {
    const model = modelOf(Array.from({ length: 20 }, () => overloaded));
    const { agent, queue } = agentOf(model, fallback());
    queue.push(typed("look"));
    const { ending } = await runTurns(agent, never());
    expect([model.requests.length, ending]).toEqual([
      13,
      { kind: "fault", cause: "outage", reason: "Provider overloaded (529). Given up after 10 attempts in 0 s." },
    ]);
  });

  it("also compacts a conversation", async () => {
    const model = modelOf([replied([say("Hello. ".repeat(300))]), overloaded, overloaded, overloaded, replied([say("They said hello.")])]);
    const { agent, queue } = agentOf(model, fallback());
    queue.push(typed("hello"));
    await runTurns(agent, never());
    await compact(agent, { cause: "asked", signal: never() });
    expect(model.requests.at(-1)?.model).toBe("other");
  });

  it("is not asked if there is none", async () => {
    const model = modelOf([overloaded, overloaded, overloaded, replied([say("Yes.")])]);
    const { agent, queue } = agentOf(model);
    queue.push(typed("look"));
    await runTurns(agent, never());
    expect(model.requests.map((request) => request.model)).toEqual(["m", "m", "m", "m"]);
  });
});

describe("thoughts that the provider does not take back", () => {
  const refusals = [
    "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
    "messages.1.content.0: Invalid `signature` in `thinking` block",
  ].map(
    (reason): ModelOutcome => ({ kind: "fault", fault: { verdict: "fatal", status: 400, reason: `Request refused (400): ${reason}` } }),
  );

  it.each(refusals)("are left out from then on, and the person is told: %j", async (refusal) => {
    const model = modelOf([replied([thought, call("c1", "Look")]), refusal, replied([say("Yes.")])]);
    const { agent, queue, kept } = agentOf(model, { tools: [anyTool("Look", () => done("seen"))] });
    queue.push(typed("look"));
    expect((await runTurns(agent, never())).ending).toEqual({ kind: "done" });
    const [, whole, without] = model.requests.map(({ messages }) => messages[1]?.content);
    expect([whole, without]).toEqual([[thought, call("c1", "Look")], [call("c1", "Look")]]);
    expect(kept().filter(({ type }) => type === "thoughts_dropped")).toHaveLength(1);
  });

  it("are no reason to ask again where there are none", async () => {
    const model = modelOf([refusals[0]!, replied([say("Yes.")])]);
    const { agent, queue } = agentOf(model);
    queue.push(typed("look"));
    expect([(await runTurns(agent, never())).ending.kind, model.requests.length]).toEqual(["fault", 1]);
  });
});

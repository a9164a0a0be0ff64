import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import { runTurns } from "../../../src/agent/loop.ts";
import type { Message } from "../../../src/agent/ports/model.ts";
import { askForSummary, summaryInPlace } from "../../../src/agent/prompt.ts";
import { compact } from "../../../src/agent/requests/compaction.ts";
import { createHistory } from "../../../src/agent/session/history.ts";
import { scriptedModel } from "../../../src/edge/model/scripted/scripted-model.ts";
import { agentOf, anyTool, call, done, modelOf, overflow, replied, say, typed, unmarked } from "../agent-kit.ts";

const never = () => new AbortController().signal;
const text = (value: string) => ({ type: "text", text: value });
const look = anyTool("Look", () => done("seen ".repeat(20)));

describe("compact()", () => {
  it("replaces the conversation with the summary and what must survive", async () => {
    const long = { usage: { input_tokens: 900 } };
    const model = modelOf([replied([say("Hello.")], long), replied([say("They said hello.")]), replied([say("Yes.")])]);
    const { agent, queue } = agentOf(model, { survivors: () => ({ task: "task-1 Greet", roster: "bo: idle" }) });
    queue.push(typed("hello"));
    await runTurns(agent, never());
    expect(await compact(agent, { cause: "asked", focus: "the greeting", signal: never() })).toMatchObject({ kind: "compacted" });
    queue.push(typed("and now?"));
    await runTurns(agent, never());
    const summary = summaryInPlace("They said hello.", { task: "task-1 Greet", roster: "bo: idle" });
    expect(unmarked(model.requests[2]?.messages)).toEqual([{ role: "user", content: [text(summary), text("and now?")] }]);
    expect(summary).toContain("## The task you hold\ntask-1 Greet\n\n## The team\nbo: idle");
  });

  it("asks with what the provider has in its cache, and one block more", async () => {
    const model = modelOf([replied([say("Hello.")]), replied([say("They said hello.")])]);
    const { agent, queue } = agentOf(model);
    queue.push(typed("hello"));
    await runTurns(agent, never());
    await compact(agent, { cause: "asked", signal: never() });
    const [first, second] = model.requests.map(unmarked);
    expect(second).toEqual({
      ...first,
      messages: [
        ...(first?.messages ?? []),
        { role: "assistant", content: [text("Hello.")] },
        { role: "user", content: [text(askForSummary({ turnFollows: false }))] },
      ],
    });
  });

  it("changes nothing when it is interrupted, refused or empty, and counts its cost", async () => {
    const interrupted = new AbortController();
    const model = modelOf([
      replied([say("Hello.")]),
      () => {
        interrupted.abort();
        return { kind: "aborted" };
      },
      { kind: "fault", fault: { verdict: "fatal", reason: "Key refused (401)." } },
      replied([call("1", "Look")]),
    ]);
    const { agent, queue, events } = agentOf(model);
    queue.push(typed("hello"));
    await runTurns(agent, never());
    const before = agent.history.messages();
    const ends = [];
    for (const signal of [interrupted.signal, never(), never()]) ends.push(await compact(agent, { cause: "asked", signal }));
    expect(ends).toEqual([
      { kind: "aborted" },
      { kind: "failed", reason: "Key refused (401)." },
      { kind: "failed", reason: "The model's summary was empty." },
    ]);
    expect(agent.history.messages()).toEqual(before);
    expect(events.flatMap((event) => (event.type === "compaction_failed" ? [event.costUsd] : []))).toEqual([undefined, undefined, 1]);
  });

  it("discards a summary that is not shorter, says so, and counts its cost", async () => {
    const model = modelOf([replied([say("Hello.")]), replied([say("A summary that is longer than what it sums up.")])]);
    const { agent, queue, events } = agentOf(model);
    queue.push(typed("hello"));
    await runTurns(agent, never());
    const before = agent.history.messages();
    const reason = expect.stringMatching(
      /^The summary is not shorter than the conversation \(\d+ tokens after, 15 before\), so it was thrown away\.$/,
    );
    expect(await compact(agent, { cause: "asked", signal: never() })).toEqual({ kind: "failed", reason });
    expect(agent.history.messages()).toEqual(before);
    expect(events.at(-1)).toMatchObject({ type: "compaction_failed", reason, usage: { input_tokens: 10 }, costUsd: 1, model: "m" });
  });

  it("says so when there is nothing to compact", async () => {
    const { agent } = agentOf(modelOf([]));
    expect(await compact(agent, { cause: "asked", signal: never() })).toEqual({
      kind: "failed",
      reason: "There is nothing to compact yet.",
    });
  });
});

describe("in a run of turns, a conversation", () => {
  it("is compacted before it fills the window by the provider's own count, with the turn under way kept whole", async () => {
    const nearlyFull = { input_tokens: 100, cache_read_input_tokens: 900 };
    const model = modelOf([replied([call("1", "Look")], { usage: nearlyFull }), replied([say("Summary.")]), replied([say("Done.")])]);
    const { agent, queue, kept } = agentOf(model, { tools: [look], windowTokens: 1000 });
    queue.push(typed("go"));
    expect(await runTurns(agent, never())).toEqual({ ending: { kind: "done" }, text: "Done." });
    expect(unmarked(model.requests[1]?.messages)).toEqual([
      { role: "user", content: [text("go"), text(askForSummary({ turnFollows: true }))] },
    ]);
    expect(unmarked(model.requests[2]?.messages)).toEqual([
      { role: "user", content: [text(summaryInPlace("Summary.", {}))] },
      { role: "assistant", content: [call("1", "Look")] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "seen ".repeat(20) }] },
    ]);
    expect(createHistory(kept()).messages()).toEqual(agent.history.messages());
  });

  it("that the provider refuses as too long is compacted once and sent again", async () => {
    const model = modelOf([
      replied([call("1", "Look")], { usage: { input_tokens: 5000 } }),
      overflow,
      replied([say("Summary.")]),
      replied([say("Done.")]),
    ]);
    const { agent, queue } = agentOf(model, { tools: [look] });
    queue.push(typed("go"));
    expect((await runTurns(agent, never())).ending).toEqual({ kind: "done" });
    expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 1, 3]);
  });

  it("that is still too long afterwards ends with what to do", async () => {
    const model = modelOf([
      replied([call("1", "Look")], { usage: { input_tokens: 5000 } }),
      overflow,
      replied([say("Summary.")]),
      overflow,
      replied([say("never asked")]),
    ]);
    const { agent, queue } = agentOf(model, { tools: [look] });
    queue.push(typed("go"));
    const { ending } = await runTurns(agent, never());
    expect(ending).toMatchObject({
      kind: "fault",
      reason: expect.stringMatching(/^The conversation is still too long .* Start anew with \/clear/),
    });
    expect(model.requests.length).toBe(4);
  });

  it("that cannot be compacted ends with the reason", async () => {
    const { agent, queue } = agentOf(modelOf([overflow]));
    queue.push(typed("far too much"));
    expect((await runTurns(agent, never())).ending).toMatchObject({
      reason: expect.stringMatching(/could not be compacted\. There is nothing to compact yet\. Start anew/),
    });
  });

  it("is not compacted again and again when that frees nothing", async () => {
    const full = { usage: { input_tokens: 990 } };
    const model = modelOf([
      replied([call("1", "Look")], full),
      replied([say("Summary ".repeat(400))]),
      replied([call("2", "Look")], full),
      replied([say("Done.")], full),
    ]);
    const { agent, queue, events } = agentOf(model, { tools: [look], windowTokens: 1000 });
    queue.push(typed("go"));
    await runTurns(agent, never());
    expect(events.filter(({ type }) => type === "compaction_failed" || type === "compacted")).toMatchObject([
      {
        type: "compaction_failed",
        reason: expect.stringMatching(/^The summary is not shorter than the conversation \(\d+ tokens after, \d+ before\)/),
      },
    ]);
  });

  it("has the results of the turn under way cut when they alone would fill it", async () => {
    const model = modelOf([
      replied([call("1", "Dump")], { usage: { input_tokens: 900 } }),
      replied([say("Summary.")]),
      replied([say("Done.")]),
    ]);
    const dump = anyTool("Dump", () => done(`first ${"x".repeat(4000)} last`));
    const { agent, queue, kept } = agentOf(model, { tools: [dump], windowTokens: 1000 });
    queue.push(typed("go"));
    await runTurns(agent, never());
    const result = model.requests[2]?.messages[2]?.content[0];
    expect(result).toMatchObject({ content: expect.stringMatching(/^first x+\n\[… \d+ characters cut; .* …\]\nx+ last$/) });
    expect(JSON.stringify(result).length).toBeLessThan(800);
    expect(createHistory(kept()).messages()).toEqual(agent.history.messages());
  });
});

describe("a script", () => {
  const script = `
version: 1
agents: [ada]
scenes:
  - name: work
    agent: ada
    when: '^go (?<what>\\w+)'
    replies:
      - calls: [{ Look: { n: 1 } }]
      - choose:
          - { when: 'one', calls: [{ Look: { n: 2 } }] }
          - { when: 'two', say: 'Too early.' }
      - choose:
          - { when: 'one', say: 'Lost.' }
          - { when: 'two', say: 'Found {{what}}.' }
  - name: summary
    agent: ada
    when: '^Summarise'
    interrupts: true
    replies: [{ say: 'Kept: {{place}}' }]
`;

  it("continues at its position after a compaction in the middle of a scene", async () => {
    const texts = [`one ${"and more ".repeat(900)}`, "two"];
    const { agent, queue, events } = agentOf(scriptedModel({ file: "s.yaml", text: script }), {
      tools: [anyTool("Look", () => done(texts.shift() ?? ""))],
      windowTokens: 2000,
      maxTokens: 10,
    });
    queue.push(typed("go home"));
    expect(await runTurns(agent, never())).toEqual({ ending: { kind: "done" }, text: "Found home." });
    expect(events.filter(({ type }) => type === "compacted").length).toBeGreaterThan(0);
  });
});

describe("over any conversation with compactions", () => {
  const at = "";
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const input = fc.string().map((value): TranscriptEvent[] => [{ type: "input", inputs: [typed(`t${value}`)], at }]);
  const turn = fc.nat({ max: 4 }).map((calls): TranscriptEvent[] => {
    const ids = Array.from({ length: calls }, (_, n) => `${n}`);
    const message = { role: "assistant" as const, content: [say("I look."), ...ids.map((id) => call(id, "Look"))] };
    return [
      { type: "reply", turn: 1, message, stop_reason: "", usage, costUsd: 0, model: "m", ms: 0, at },
      ...ids.map(
        (id): TranscriptEvent => ({
          type: "tool_ended",
          id,
          name: "Look",
          subject: "",
          text: `r${id}`,
          isError: false,
          summary: "",
          touched: [],
          ms: 0,
          at,
        }),
      ),
    ];
  });
  const compacted = fc
    .option(fc.nat({ max: 3 }), { nil: undefined })
    .map((resultLimit): TranscriptEvent[] => [
      { type: "compacted", cause: "asked", summary: "S", before: 9, after: 1, resultLimit, usage, costUsd: 0, model: "m", ms: 0, at },
    ]);

  it("the messages begin with the user, take turns, and every result follows its call", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(input, turn, compacted), { maxLength: 30 }), (steps) => {
        const history = createHistory();
        // whatever the order, each reply follows a user's message
        for (const event of steps.flat()) {
          if (event.type === "reply" && history.messages().at(-1)?.role !== "user") continue;
          if (event.type === "tool_ended" && !history.pendingCalls().some(({ id }) => id === event.id)) continue;
          if (event.type === "compacted" && history.compactable().messages.length === 0) continue;
          history.apply(event);
          check(history.messages());
        }
      }),
      { numRuns: 300 },
    );
  });

  function check(messages: Message[]): void {
    for (const [n, message] of messages.entries()) {
      expect(message.role).toBe(n % 2 === 0 ? "user" : "assistant");
      const results = message.content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
      const calls = messages[n - 1]?.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])) ?? [];
      expect(calls).toEqual(expect.arrayContaining(results));
    }
  }
});

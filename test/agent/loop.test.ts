import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Agent } from "../../src/agent/agent.ts";
import type { AgentEvent, Input } from "../../src/agent/events.ts";
import { runTurns } from "../../src/agent/loop.ts";
import type { AssistantMessage, ModelOutcome, ModelReply, ModelRequest } from "../../src/agent/ports/model.ts";
import { toolSchemas } from "../../src/agent/requests/request.ts";
import { createHistory } from "../../src/agent/session/history.ts";
import { isKept } from "../../src/agent/session/transcript.ts";
import type { AnyTool, ToolResult } from "../../src/tools/tool.ts";

const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

type Block = AssistantMessage["content"][number];
const say = (text: string): Block => ({ type: "text", text });
const call = (id: string, name: string, input: unknown = {}): Block => ({ type: "tool_use", id, name, input });
const reply = (...content: Block[]): ModelReply => ({
  kind: "reply",
  message: { role: "assistant", content },
  stop_reason: content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn",
  usage,
  model: "m",
});

type Order = { outcomes: ModelOutcome[]; tools?: AnyTool[]; arrivals?: Input[][]; limits?: Agent["limits"]; events?: AgentEvent[] };

/** An agent whose model answers from a list, with its recorded requests and events. */
function agentWith({ outcomes, tools = [], arrivals = [], limits = {}, events = [] }: Order) {
  const requests: ModelRequest[] = [];
  const history = createHistory(events as never);
  let spent = 0;
  const agent: Agent = {
    name: "ada",
    filter: undefined,
    model: {
      attempt: async (request) => {
        requests.push(structuredClone(request));
        return outcomes.shift() ?? { kind: "fault", fault: { verdict: "fatal", reason: "no more replies" } };
      },
    },
    modelName: "m",
    maxTokens: 100,
    system: "You are ada.",
    tools,
    schemas: toolSchemas(tools),
    permit: async ({ tool }) => (tool === "Forbidden" ? { allowed: false, reason: "no rule allows it." } : { allowed: true }),
    history,
    inbox: { take: () => arrivals.shift() ?? [], recorded: () => {} },
    limits,
    clock: { now: () => new Date(0), monotonicMs: () => 0, sleep: async () => {}, random: () => 0 },
    costUsd: () => 1,
    spentUsd: () => spent,
    emit(event) {
      events.push(event);
      if (event.type === "reply") spent += event.costUsd ?? 0;
      if (isKept(event)) history.apply(event);
    },
  };
  return { agent, requests, events };
}

const typed = (text: string): Input => ({ source: { kind: "user" }, text });
const never = () => new AbortController().signal;

function tool(name: string, run: () => Promise<ToolResult>, readOnly = false): AnyTool {
  return { name, description: "", input: z.strictObject({ n: z.number().optional() }), readOnly, subject: () => "", run };
}
const done = (text: string): ToolResult => ({ text, isError: false, summary: "" });

describe("runTurns()", () => {
  it("asks, runs the calls, and continues until there are none", async () => {
    const { agent, requests } = agentWith({
      outcomes: [reply(say("I look."), call("1", "Look")), reply(say("Done."))],
      tools: [tool("Look", async () => done("seen"))],
      arrivals: [[typed("go")]],
    });
    expect(await runTurns(agent, never())).toEqual({ ending: { kind: "done" }, text: "Done." });
    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
    expect(requests[1]?.messages[2]?.content).toMatchObject([{ type: "tool_result", tool_use_id: "1", content: "seen" }]);
  });

  it("puts what arrives meanwhile after the results, in the same message", async () => {
    const { agent, requests } = agentWith({
      outcomes: [reply(call("1", "Look")), reply(say("Done."))],
      tools: [tool("Look", async () => done("seen"))],
      arrivals: [[typed("go")], [typed("and hurry")]],
    });
    await runTurns(agent, never());
    expect(requests[1]?.messages[2]?.content.map((block) => block.type)).toEqual(["tool_result", "text"]);
  });

  it("answers every call: unknown tools, bad input, denied, failed", async () => {
    const { agent, events } = agentWith({
      outcomes: [reply(call("1", "Nope"), call("2", "Look", { m: 1 }), call("3", "Forbidden"), call("4", "Breaks")), reply(say("Sorry."))],
      tools: [
        tool("Look", async () => done("seen")),
        tool("Forbidden", async () => done("never")),
        tool("Breaks", async () => {
          throw new Error("no disk");
        }),
      ],
      arrivals: [[typed("go")]],
    });
    await runTurns(agent, never());
    const results = events.flatMap((event) => (event.type === "tool_ended" ? [`${event.id} ${event.isError} ${event.text}`] : []));
    expect(results).toEqual([
      '1 true There is no tool "Nope". The tools are: Look, Forbidden, Breaks.',
      '2 true Look cannot take this input: "m" is not an argument of it; it takes n. Nothing was run.',
      "3 true Permission denied: no rule allows it.",
      "4 true Breaks failed: no disk",
    ]);
  });

  it("reports a denial within a call as any other denial", async () => {
    const denied = [{ tool: "Write", subject: "/repo/.npmrc", reason: "Nobody is here." }];
    const { agent, events } = agentWith({
      outcomes: [reply(call("1", "Look")), reply(say("Sorry."))],
      tools: [tool("Look", async () => ({ ...done("seen"), denied }))],
      arrivals: [[typed("go")]],
    });
    await runTurns(agent, never());
    expect(events.filter(({ type }) => type === "denied")).toMatchObject([
      { id: "1", name: "Write", subject: "/repo/.npmrc", reason: "Nobody is here." },
    ]);
  });

  it("runs reading calls in parallel, and the others in order", async () => {
    const log: string[] = [];
    let release = () => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reader = (name: string, last: boolean) =>
      tool(
        name,
        async () => {
          log.push(`${name} begins`);
          if (last) release();
          await both; // would wait forever if the second call did not start while the first one runs
          return done("");
        },
        true,
      );
    const { agent } = agentWith({
      outcomes: [reply(call("1", "A"), call("2", "B"), call("3", "C")), reply(say("."))],
      tools: [
        reader("A", false),
        reader("B", true),
        tool("C", async () => {
          log.push("C begins");
          return done("");
        }),
      ],
      arrivals: [[typed("go")]],
    });
    await runTurns(agent, never());
    expect(log).toEqual(["A begins", "B begins", "C begins"]);
  });

  it("stops at maxTurns with a reason of its own and keeps the text", async () => {
    const { agent } = agentWith({
      outcomes: [reply(say("first"), call("1", "Look")), reply(say("second"), call("2", "Look"))],
      tools: [tool("Look", async () => done("seen"))],
      limits: { maxTurns: 2 },
      arrivals: [[typed("go")]],
    });
    expect(await runTurns(agent, never())).toEqual({ ending: { kind: "max_turns", limit: 2 }, text: "second" });
  });

  it("stops before the request that the budget has no money for", async () => {
    const { agent, requests } = agentWith({
      outcomes: [reply(call("1", "Look")), reply(say("never asked"))],
      tools: [tool("Look", async () => done("seen"))],
      limits: { budgetUsd: 1 },
      arrivals: [[typed("go")]],
    });
    expect((await runTurns(agent, never())).ending).toEqual({ kind: "budget", limitUsd: 1, spentUsd: 1 });
    expect(requests.length).toBe(1);
  });

  it("does not begin the calls that come after an interrupt, and says so to the model", async () => {
    const controller = new AbortController();
    const { agent, events } = agentWith({
      outcomes: [reply(call("1", "Stop"), call("2", "Stop"))],
      tools: [
        tool("Stop", async () => {
          controller.abort();
          return done("stopped");
        }),
      ],
      arrivals: [[typed("go")]],
    });
    expect((await runTurns(agent, controller.signal)).ending).toEqual({ kind: "aborted" });
    const results = events.flatMap((event) => (event.type === "tool_ended" ? [event.text] : []));
    expect(results).toEqual(["stopped", "Not run: interrupted before this call began."]);
  });

  it("reports a dead process's call as interrupted, and does not repeat it", async () => {
    let runs = 0;
    const before: AgentEvent[] = [
      { type: "input", inputs: [typed("go")], at: "" },
      {
        type: "reply",
        turn: 1,
        ...(reply(call("1", "Look")) as Extract<ModelOutcome, { kind: "reply" }>),
        costUsd: 0,
        ms: 0,
        at: "",
      } as never,
    ];
    const { agent, requests, events } = agentWith({
      outcomes: [reply(say("I look first."))],
      tools: [
        {
          ...tool("Look", async () => {
            runs++;
            return done("seen");
          }),
          subject: () => "src/a.ts",
        },
      ],
      events: before,
    });
    await runTurns(agent, never());
    expect(runs).toBe(0);
    expect(requests[0]?.messages[2]?.content[0]).toMatchObject({ type: "tool_result", tool_use_id: "1", is_error: true });
    expect(events.filter(({ type }) => type === "tool_ended")).toMatchObject([{ subject: "src/a.ts", summary: "interrupted" }]);
  });

  it("counts no time that a person took to answer", async () => {
    let nowMs = 0;
    const passes = (ms: number) => {
      nowMs += ms;
    };
    const { agent, events } = agentWith({
      outcomes: [reply(call("1", "Look")), reply(say("Done."))],
      tools: [
        tool("Look", async () => {
          passes(1_500);
          return { ...done("seen"), askedMs: 1_000 };
        }),
      ],
      arrivals: [[typed("go")]],
    });
    agent.clock = { ...agent.clock, monotonicMs: () => nowMs };
    agent.permit = async () => {
      passes(60_000);
      return { allowed: true };
    };
    await runTurns(agent, never());
    expect(events.flatMap((event) => (event.type === "tool_ended" ? event.ms : []))).toEqual([500]);
  });

  it("continues after a call that the disk did not let it check", async () => {
    const look = tool("Look", async () => done("seen"));
    const script = () => ({ outcomes: [reply(call("1", "Look")), reply(say("Done."))], tools: [look], arrivals: [[typed("go")]] });
    const { agent, events } = agentWith(script());
    agent.permit = () => Promise.reject(Object.assign(new Error("EROFS: no"), { code: "EROFS", path: "/repo/x" }));
    expect((await runTurns(agent, never())).text).toBe("Done.");
    expect(events.flatMap((event) => (event.type === "tool_ended" ? event.text : []))).toEqual([
      "Cannot check this call: the file system is read-only (/repo/x). Nothing was run. Make it writable, or choose another place",
    ]);
    const { agent: buggy } = agentWith(script());
    buggy.permit = () => Promise.reject(new TypeError("a fault of ours"));
    await expect(runTurns(buggy, never())).rejects.toThrow("a fault of ours");
  });

  it("continues after a reply that was cut at the output limit, and names the calls that did not run", async () => {
    const cut = { ...(reply(say("half a thought")) as Extract<ModelOutcome, { kind: "reply" }>), stop_reason: "max_tokens" };
    const { agent, requests } = agentWith({ outcomes: [cut, reply(say("whole"))], arrivals: [[typed("go")]] });
    expect((await runTurns(agent, never())).text).toBe("half a thought\nwhole");
    expect(requests[1]?.messages[2]?.content).toMatchObject([
      { text: "Your last reply was cut at the output limit. No tool call of it was run. Go on, in smaller steps." },
    ]);
  });

  it.each([
    ["claude-sonnet-5-5", 16_000, [16_000, 32_000, 64_000]],
    ["claude-opus-4-1", 20_000, [20_000, 32_000, 32_000]],
    ["claude-opus-4-1", 50_000, [32_000, 32_000, 32_000]],
    ["a-model-of-a-gateway", 16_000, [16_000, 16_000, 16_000]],
  ])("asks %s for more after a reply that was cut, as far as it goes", async (modelName, maxTokens, limits) => {
    const cut = { ...(reply(say("half")) as Extract<ModelOutcome, { kind: "reply" }>), stop_reason: "max_tokens" };
    const { agent, requests } = agentWith({ outcomes: [cut, cut, reply(say("whole"))], arrivals: [[typed("go")]] });
    await runTurns(Object.assign(agent, { modelName, maxTokens }), never());
    expect(requests.map(({ max_tokens }) => max_tokens)).toEqual(limits);
  });

  it("ends when every reply is cut", async () => {
    const cut = { ...(reply(say("half")) as Extract<ModelOutcome, { kind: "reply" }>), stop_reason: "max_tokens" };
    const { agent, requests } = agentWith({ outcomes: [cut, cut, cut, cut], arrivals: [[typed("go")]] });
    expect((await runTurns(agent, never())).ending).toEqual({ kind: "fault", reason: "3 replies in a row were cut at the output limit." });
    expect(requests.length).toBe(3);
  });

  it("ends with the provider's reason when the model cannot answer", async () => {
    const { agent } = agentWith({
      outcomes: [{ kind: "fault", fault: { verdict: "fatal", reason: "The key is refused." } }],
      arrivals: [[typed("go")]],
    });
    expect((await runTurns(agent, never())).ending).toEqual({ kind: "fault", reason: "The key is refused." });
  });
});

describe("a reply that is not the last word", () => {
  const stopped = (stop_reason: string, ...content: Block[]): ModelOutcome =>
    ({ ...(reply(...content) as object), stop_reason }) as ModelOutcome;

  it("is gone on with when the provider paused it, and when it is empty", async () => {
    const { agent, requests } = agentWith({
      outcomes: [stopped("pause_turn", say("Wait.")), reply(), reply(say("Done."))],
      arrivals: [[typed("go")]],
    });
    expect(await runTurns(agent, never())).toEqual({ ending: { kind: "done" }, text: "Wait.\nDone." });
    expect(requests.map(({ messages }) => messages.at(-1)?.content.at(-1))).toMatchObject([
      { text: "go" },
      { text: "Go on." },
      { text: expect.stringContaining("Your last reply was empty.") },
    ]);
  });

  it("says nothing if the model refused without text", async () => {
    const { agent } = agentWith({ outcomes: [stopped("refusal")], arrivals: [[typed("go")]] });
    expect(await runTurns(agent, never())).toEqual({
      ending: { kind: "fault", reason: "The model refused to go on with this conversation." },
      text: "",
    });
  });

  it("ends with a reason when there is nothing in it again and again", async () => {
    const { agent } = agentWith({ outcomes: [reply(), reply(), reply(), reply()], arrivals: [[typed("go")]] });
    expect((await runTurns(agent, never())).ending).toEqual({ kind: "fault", reason: "3 replies in a row were empty." });
  });

  it("does not run its calls when it is a refusal", async () => {
    let runs = 0;
    const { agent } = agentWith({
      outcomes: [stopped("refusal", call("1", "Look"))],
      tools: [
        tool("Look", async () => {
          runs++;
          return done("seen");
        }),
      ],
      arrivals: [[typed("go")]],
    });
    expect((await runTurns(agent, never())).ending).toEqual({
      kind: "fault",
      reason: "The model refused to go on with this conversation.",
    });
    expect(runs).toBe(0);
  });

  it("makes room when it was cut because the conversation is too long", async () => {
    const { agent, requests } = agentWith({
      outcomes: [
        reply(say("Hello.")),
        stopped("model_context_window_exceeded", say("Half")),
        { ...reply(say("Summary.")), usage: { ...usage, input_tokens: 5000 } },
        reply(say("Whole.")),
      ],
      arrivals: [[typed("hello")]],
    });
    await runTurns(agent, never());
    agent.inbox.take = () => [];
    agent.emit({ type: "input", inputs: [typed("go")], at: "" });
    expect((await runTurns(agent, never())).text).toBe("Half\nWhole.");
    expect(requests[3]?.messages[0]?.content[0]).toMatchObject({ text: expect.stringContaining("Summary.") });
  });

  it("keeps thinking as it came", async () => {
    const thinking = { type: "thinking" as const, thinking: "Hm.", signature: "sig" };
    const { agent, requests } = agentWith({
      outcomes: [reply(thinking, call("1", "Look")), reply(say("Done."))],
      tools: [tool("Look", async () => done("seen"))],
      arrivals: [[typed("go")]],
    });
    await runTurns(agent, never());
    expect(requests[1]?.messages[1]?.content).toEqual([thinking, call("1", "Look")]);
  });
});

import { describe, expect, it } from "vitest";
import type { TranscriptEvent } from "../../src/agent/events.ts";
import { createHistory } from "../../src/agent/history.ts";

const at = "2026-01-01T00:00:00.000Z";
const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

function input(text: string): TranscriptEvent {
  return { type: "input", inputs: [{ source: { kind: "user" }, text }], at };
}

function reply(...content: { text?: string; call?: string }[]): TranscriptEvent {
  const blocks = content.map(({ text, call }) =>
    call ? ({ type: "tool_use", id: call, name: "Read", input: {} } as const) : ({ type: "text", text: text ?? "" } as const),
  );
  return {
    type: "reply",
    turn: 1,
    message: { role: "assistant", content: blocks },
    stop_reason: "end_turn",
    usage,
    costUsd: 0,
    model: "m",
    ms: 1,
    at,
  };
}

function result(id: string, isError = false): TranscriptEvent {
  return { type: "tool_ended", id, name: "Read", subject: "", text: `result of ${id}`, isError, summary: "", touched: [], ms: 1, at };
}

describe("createHistory()", () => {
  it("puts results in the order of the calls and mail after them, in one user message", () => {
    const history = createHistory([input("go"), reply({ call: "a" }, { call: "b" }), result("b", true), result("a"), input("mail")]);
    expect(history.messages()).toEqual([
      { role: "user", content: [{ type: "text", text: "go" }] },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "a", name: "Read", input: {} },
          { type: "tool_use", id: "b", name: "Read", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "result of a" },
          { type: "tool_result", tool_use_id: "b", content: "result of b", is_error: true },
          { type: "text", text: "mail" },
        ],
      },
    ]);
  });

  it("extends the messages of every earlier request", () => {
    const events = [
      input("1"),
      reply({ call: "a" }),
      result("a"),
      input("2"),
      reply({ text: "x" }),
      input("3"),
      reply({ text: "" }),
      input("4"),
    ];
    const requests = events.flatMap((event, index) =>
      event.type === "reply"
        ? [createHistory(events.slice(0, index)).messages()]
        : index === events.length - 1
          ? [createHistory(events).messages()]
          : [],
    );
    expect(requests.length).toBe(4);
    for (const [index, request] of requests.entries()) {
      for (const later of requests.slice(index)) expect(later.slice(0, request.length)).toEqual(request);
    }
  });

  it("names the calls that have no result yet", () => {
    const history = createHistory([input("go"), reply({ call: "a" }, { call: "b" }), result("a")]);
    expect(history.pendingCalls().map(({ id }) => id)).toEqual(["b"]);
  });

  it("gives an empty reply some content, because the provider refuses one without", () => {
    const history = createHistory([input("go"), reply()]);
    expect(history.messages()[1]).toEqual({ role: "assistant", content: [{ type: "text", text: "(no reply)" }] });
  });
});

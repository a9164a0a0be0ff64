import { describe, expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import type { AssistantMessage } from "../../../src/agent/ports/model.ts";
import { createHistory } from "../../../src/agent/session/history.ts";

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

  it("names calls without a result", () => {
    const history = createHistory([input("go"), reply({ call: "a" }, { call: "b" }), result("a")]);
    expect(history.pendingCalls().map(({ id }) => id)).toEqual(["b"]);
  });

  it("gives an empty reply some content, because the provider refuses one without", () => {
    const history = createHistory([input("go"), reply()]);
    expect(history.messages()[1]).toEqual({ role: "assistant", content: [{ type: "text", text: "(no reply)" }] });
  });
});

describe("thoughts", () => {
  const thought = { type: "thinking", thinking: "Hm.", signature: "s1" } as const;
  const hidden = { type: "redacted_thinking", data: "x" } as const;
  const look = { type: "tool_use", id: "a", name: "Read", input: {} } as const;
  const said = (...content: AssistantMessage["content"]): TranscriptEvent =>
    ({ ...reply(), message: { role: "assistant", content } }) as TranscriptEvent;
  const contents = (...events: TranscriptEvent[]) =>
    createHistory([input("go"), ...events])
      .messages()
      .flatMap(({ role, content }) => (role === "assistant" ? [content] : []));

  it("are sent back unchanged at their places", () => {
    const content = [thought, { type: "text", text: "First." } as const, hidden, look];
    expect(contents(said(...content), result("a"))).toEqual([content]);
  });

  it("at the end of a reply are left out, because the provider refuses a message that ends in one", () => {
    const text = { type: "text", text: "So." } as const;
    expect(contents(said(thought, text, thought), said(thought, hidden))).toEqual([
      [thought, text],
      [{ type: "text", text: "(no reply)" }],
    ]);
  });

  it("of the turn that a compaction keeps go, because they are bound to what the summary replaces", () => {
    const compacted: TranscriptEvent = { ...reply(), type: "compacted", cause: "asked", summary: "Sum.", before: 9, after: 1 } as never;
    expect(contents(said(thought, look), result("a"), compacted)).toEqual([[look]]);
  });

  it("that were dropped stay away, and later ones are kept", () => {
    const dropped: TranscriptEvent = { type: "thoughts_dropped", reason: "r", at };
    expect(contents(said(thought, look), result("a"), dropped, said(thought, { ...look, id: "b" }))).toEqual([
      [look],
      [thought, { ...look, id: "b" }],
    ]);
  });
});

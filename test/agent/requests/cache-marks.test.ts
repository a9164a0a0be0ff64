import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AssistantMessage, Message, ModelRequest, UserMessage } from "../../../src/agent/ports/model.ts";
import { withCacheMarks } from "../../../src/agent/requests/cache-marks.ts";

const mark = { type: "ephemeral" };
const base: ModelRequest = {
  model: "m",
  max_tokens: 1,
  system: [
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ],
  tools: [{ name: "Read", description: "", input_schema: {} }],
  messages: [],
};

const said = (text: string): UserMessage["content"][number] => ({ type: "text", text });
const result = (id: string): UserMessage["content"][number] => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const call = (id: string): AssistantMessage["content"][number] => ({ type: "tool_use", id, name: "Read", input: {} });

/** One turn with `calls` parallel calls, then `texts` inputs. */
function turn(calls: number, texts = 0): Message[] {
  const ids = Array.from({ length: calls }, (_, n) => `t${n}`);
  const content = [...ids.map(result), ...Array.from({ length: texts }, (_, n) => said(`input ${n}`))];
  return [
    {
      role: "assistant",
      content: [{ type: "thinking", thinking: "", signature: "s" }, { type: "text", text: "I look." }, ...ids.map(call)],
    },
    { role: "user", content },
  ];
}

/** Positions of the marked blocks, counted through all messages; the system prompt is -1. */
function marksOf(request: ModelRequest): number[] {
  const blocks = request.messages.flatMap(({ content }): object[] => content);
  const system = request.system.findIndex((block) => block.cache_control) === request.system.length - 1 ? [-1] : [];
  return [...system, ...blocks.flatMap((block, n) => ("cache_control" in block ? [n] : []))];
}

const withMessages = (messages: Message[]) => withCacheMarks({ ...base, messages });

describe("marks stand", () => {
  const first: Message = { role: "user", content: [said("Go.")] };

  it("on the system prompt and on the newest block", () => {
    expect(withMessages([first])).toEqual({
      ...base,
      system: [base.system[0], { ...base.system[1], cache_control: mark }],
      messages: [{ role: "user", content: [{ ...said("Go."), cache_control: mark }] }],
    });
  });

  it("where the request before had its newest one", () => {
    expect(marksOf(withMessages([first, ...turn(2)]))).toEqual([-1, 0, 6]);
    expect(marksOf(withMessages([first, ...turn(2), ...turn(1, 2)]))).toEqual([-1, 6, 12]);
  });

  it("once between the two when they are further apart than the provider looks back", () => {
    expect(marksOf(withMessages([first, ...turn(8)]))).toEqual([-1, 0, 18]);
    expect(marksOf(withMessages([first, ...turn(9)]))).toEqual([-1, 0, 12, 20]);
    expect(marksOf(withMessages([first, ...turn(30)]))).toEqual([-1, 0, 43, 62]);
  });

  it("on the tools when there is no system prompt, and nowhere when there is nothing to mark", () => {
    const bare = { ...base, system: [] };
    expect(withCacheMarks(bare)).toEqual({ ...bare, tools: [{ ...base.tools[0], cache_control: mark }] });
    const empty = { ...bare, tools: [], messages: [{ role: "user" as const, content: [said("")] }] };
    expect(withCacheMarks(empty)).toEqual(empty);
  });
});

describe("over any conversation", () => {
  const step = fc.oneof(
    fc
      .record({ calls: fc.integer({ min: 0, max: 60 }), texts: fc.integer({ min: 0, max: 5 }) })
      .map(({ calls, texts }) => ({ messages: turn(calls, calls ? texts : texts + 1) })),
    // an attempt failed permanently, and further input was added to the message that it had sent
    fc.integer({ min: 1, max: 30 }).map((texts) => ({ texts })),
  );

  /** The conversation as each request sends it. */
  function requestsOf(steps: ({ messages: Message[] } | { texts: number })[]): ModelRequest[] {
    let messages: Message[] = [{ role: "user", content: [said("Go.")] }];
    return [
      { ...base, messages },
      ...steps.map((next) => {
        if ("messages" in next) messages = [...messages, ...next.messages];
        else {
          const last = messages.at(-1) as UserMessage;
          const more = Array.from({ length: next.texts }, (_, n) => said(`more ${n}`));
          messages = [...messages.slice(0, -1), { role: "user", content: [...last.content, ...more] }];
        }
        return { ...base, messages };
      }),
    ];
  }

  it("there are at most four marks, the request is not changed, and without marks it is what was given", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        for (const request of requestsOf(steps)) {
          const before = structuredClone(request);
          const marked = withCacheMarks(request);
          expect(request).toEqual(before);
          expect(marksOf(marked).length).toBeLessThanOrEqual(4);
          expect(JSON.parse(JSON.stringify(marked).replaceAll(',"cache_control":{"type":"ephemeral"}', ""))).toEqual(request);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("some mark of each request finds the newest mark of the one before within 20 blocks", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const newest = requestsOf(steps).map((request) => marksOf(withCacheMarks(request)));
        for (const [n, marks] of newest.entries()) {
          const former = newest[n - 1]?.at(-1);
          if (former !== undefined) expect(marks.some((position) => position >= former && position - former <= 19)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});

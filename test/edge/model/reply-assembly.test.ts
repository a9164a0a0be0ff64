import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BrokenReply, replyAssembly } from "../../../src/edge/model/reply-assembly.ts";
import { replyEvents, text, toolUse } from "../../messages-api.ts";

const content = [text("I look."), toolUse("Read", { path: "a.js", deep: { list: [1, "two"] } }), toolUse("Bash", { command: "ls" }, "t2")];
const beginnings = [0, 1, 2, 3].map((length) => content.slice(0, length));
const events = replyEvents(content);

/** The result of these events: a reply's content, undefined if incomplete, or the error. */
function assembled(data: string[]): unknown {
  const assembly = replyAssembly({ onText: () => {} });
  try {
    for (const item of data) assembly.take(item);
    return assembly.reply()?.message.content;
  } catch (error) {
    if (error instanceof BrokenReply) return "broken";
    throw error;
  }
}

it("the texts of a reply are streamed as paragraphs, and blank ones are skipped", () => {
  let streamed = "";
  const assembly = replyAssembly({
    onText(piece) {
      streamed += piece;
    },
  });
  const blocks = [text(" \n"), text("Before it."), toolUse("Read", { path: "a.js" }), text("Behind\n it.")];
  for (const event of replyEvents(blocks)) assembly.take(JSON.stringify(event));
  expect(streamed).toBe("Before it.\n\nBehind\n it.");
});

describe("the events of a reply", () => {
  it("in any other order or number are never a reply with blocks other than the first ones, complete", () => {
    const order = fc.array(fc.integer({ min: 0, max: events.length - 1 }), { maxLength: events.length * 2 });
    const mostlyRight = fc.tuple(fc.nat(events.length), fc.nat(3), order).map(([at, dropped, added]) => {
      const indices = events.map((_event, n) => n);
      return indices.toSpliced(at, dropped, ...added.slice(0, 2));
    });
    fc.assert(
      fc.property(fc.oneof(order, mostlyRight), (indices) => {
        const structural = indices.filter((n) => events[n]?.type !== "content_block_delta");
        const inOrder = events.flatMap((event, n) => (event.type === "content_block_delta" ? [n] : []));
        // every delta follows the start of its block: a stream that silently lost one cannot be told from a different stream
        const sent = structural.flatMap((n) =>
          events[n]?.type === "content_block_start" ? [n, ...inOrder.filter((d) => isDeltaOf(d, n))] : [n],
        );
        const outcome = assembled(sent.map((n) => JSON.stringify(events[n])));
        expect([undefined, "broken", ...beginnings]).toContainEqual(outcome);
      }),
      { numRuns: 500 },
    );
  });

  it("of unknown kinds and shapes never do more than break it", () => {
    const known = fc.constantFrom(...events.map(({ type }) => type), "ping", "error", "__proto__", "constructor", "toString");
    const event = fc.oneof(
      fc.json(),
      fc
        .record({
          type: known,
          index: fc.anything(),
          delta: fc.anything(),
          content_block: fc.anything(),
          message: fc.anything(),
          usage: fc.anything(),
          error: fc.anything(),
        })
        .map((value) => safeJson(value)),
    );
    fc.assert(
      fc.property(fc.array(event), (data) => {
        const outcome = assembled(data);
        expect(outcome === undefined || outcome === "broken" || Array.isArray(outcome)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

function isDeltaOf(delta: number, start: number): boolean {
  return (events[delta] as { index?: number }).index === (events[start] as { index?: number }).index;
}

function safeJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? String(item) : item));
}

import { expect, it, onTestFinished, vi } from "vitest";
import { anthropicModel } from "../../../src/edge/model/anthropic.ts";
import { attemptOnce } from "../../../src/edge/model/attempt.ts";
import { pacing } from "../../../src/edge/model/pacing.ts";
import { type Block, leastRequest, replyEvents, sse, startMessagesApi, streamed, text, toolUse } from "../../messages-api.ts";

const neverAborted = () => new AbortController().signal;

it("a long answer is read at intervals, and completely", async () => {
  const said = Array.from({ length: 400 }, (_, index) => `word ${index} `).join("");
  const api = await startMessagesApi({ reply: [streamed([text(said)], { wire: { pieceEveryMs: 80 } })] });
  onTestFinished(() => api.close());
  const reply = await anthropicModel({ apiKey: "key-1", baseURL: api.url }).attempt(leastRequest, {
    signal: neverAborted(),
    retryCount: 0,
    onText: () => {},
  });
  expect(reply).toMatchObject({ kind: "reply", message: { content: [text(said)] } });
});

function aMinuteAtEachLook(): void {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 60_000));
  onTestFinished(() => clock.mockRestore());
}

/** The types of the events that are read only after a wait, when each comes alone in an answer that has taken a minute so far. */
async function waitedFor(reply: Block[]): Promise<string[]> {
  const events = replyEvents(reply);
  const waited: string[] = [];
  aMinuteAtEachLook();
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const [n, event] of events.entries()) {
      let isLater = false;
      setImmediate(() => {
        isLater = true;
      });
      yield sse([event]);
      if (isLater) waited.push(String(events[n + 1]?.["type"] ?? "the end"));
    }
  }
  const response = { body: body() } as unknown as Response;
  const faultOf = () => ({ verdict: "fatal" as const, reason: "" });
  const outcome = await attemptOnce(
    { send: async () => ({ kind: "stream", response }), faultOf },
    { signal: neverAborted(), onText: () => {} },
  );
  expect(outcome).toMatchObject({ kind: "reply", message: { content: reply } });
  return waited;
}

it("only what is still to come of a block waits: the next block and the end of the answer are read at once", async () => {
  const waited = await waitedFor([text("I look."), toolUse("Read", { path: "a" })]);
  expect([...new Set(waited)]).toEqual(["content_block_delta", "content_block_stop"]);
});

it("a call's input is read again sooner than a text, until it is long", async () => {
  aMinuteAtEachLook();
  const ended: string[] = [];
  const waits = { text: pacing()({ kind: "text", inputLength: 0 }), call: pacing()({ kind: "tool_use", inputLength: 20 }) };
  const long = pacing()({ kind: "tool_use", inputLength: 20_000 });
  const noted = async ([name, wait]: [string, Promise<void> | undefined]) => {
    await wait;
    ended.push(name);
  };
  await Promise.all(Object.entries({ ...waits, long }).map(noted));
  expect(ended).toEqual(["call", "text", "long"]);
});

it("after each wait it takes what was read ahead, and at once what has come meanwhile", () => {
  aMinuteAtEachLook();
  const nextRead = pacing();
  const waits = Array.from({ length: 5 }, () => nextRead({ kind: "text", inputLength: 0 }) !== undefined);
  expect(waits).toEqual([true, false, true, false, true]);
});

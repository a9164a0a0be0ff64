import { expect, it, onTestFinished } from "vitest";
import { httpFetch } from "../../../src/edge/model/http-fetch.ts";
import { eventsOf } from "../../../src/edge/model/server-sent-events.ts";
import { throttle } from "../../../src/edge/model/throttle.ts";
import { leastRequest, startMessagesApi, streamed, text } from "../../messages-api.ts";

it("a long answer is read at intervals, and completely", async () => {
  const said = Array.from({ length: 400 }, (_, index) => `word ${index} `).join("");
  const api = await startMessagesApi({ reply: [streamed([text(said)], { wire: { pieceEveryMs: 80 } })] });
  onTestFinished(() => api.close());
  const { body } = await httpFetch()(`${api.url}/v1/messages`, {
    method: "POST",
    body: new TextEncoder().encode(JSON.stringify(leastRequest)),
  });
  let read = "";
  for await (const events of eventsOf(throttle(body as unknown as AsyncIterable<Uint8Array>)))
    for (const event of events) read += (JSON.parse(event) as { delta?: { text?: string } }).delta?.text ?? "";
  expect(read).toBe(said);
});

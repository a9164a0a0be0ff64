// Every known fault of a provider or of a proxy in between: each kind turns the events of a whole reply into the steps of one faulty
// answer.
import { sse } from "../messages-api.ts";
import type { Step } from "./wire.ts";

export type Whole = {
  /** The events of a whole reply. */
  events: Event[];
  random: () => number;
  /** How long the client accepts silence. */
  patienceMs: number;
};
type Event = { type: string; [field: string]: unknown };

/**
 * `harmless`: the reply counts as if nothing were wrong. `retried`: the reply is discarded and requested again. `stated`: waiting does not
 * help, and the run ends with the reason. `either`: depends on where the fault occurs.
 */
export type Kind = { means: "harmless" | "retried" | "stated" | "either"; answer: (whole: Whole) => Step[] };

const head = (status: string, headers: Record<string, string> = {}) =>
  `HTTP/1.1 ${status}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

const streamHead = head("200 OK", { "content-type": "text/event-stream", "transfer-encoding": "chunked" });
const chunk = (bytes: Buffer | string) => {
  const piece = Buffer.from(bytes);
  return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);
};
const lastChunk = "0\r\n\r\n";

/** A streamed answer whose bytes are these. */
function stream(bytes: Buffer | string): Step[] {
  return [{ send: streamHead }, { send: chunk(bytes) }, { send: lastChunk }];
}

/** The stream up to a random place, and then these steps. */
function broken({ events, random }: Whole, then: Step[]): Step[] {
  const bytes = sse(events);
  const upTo = Math.floor(random() * (lastEvent(bytes) + 1));
  return [{ send: streamHead }, ...(upTo > 0 ? [{ send: chunk(bytes.subarray(0, upTo)) }] : []), ...then];
}

/** A length at which the event that completes a reply is still cut off. */
const lastEvent = (bytes: Buffer) => bytes.length - 2;

function refused(
  status: string,
  { type = "api_error", message = "No.", headers = {} }: { type?: string; message?: string; headers?: Record<string, string> } = {},
): Step[] {
  const body = JSON.stringify({ type: "error", error: { type, message } });
  return [
    { send: head(status, { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)), ...headers }) },
    { send: body },
  ];
}

const retried = (answer: Kind["answer"]): Kind => ({ means: "retried", answer });
const stated = (answer: Kind["answer"]): Kind => ({ means: "stated", answer });
const harmless = (answer: Kind["answer"]): Kind => ({ means: "harmless", answer });
const limited = (retryAfter: string) =>
  retried(() => refused("429 Too Many Requests", { type: "rate_limit_error", headers: { "retry-after": retryAfter } }));

/** The events, changed at a random one of that type, or at any. */
function changed(change: (events: Event[], at: number) => Event[], type?: string): Kind["answer"] {
  return ({ events, random }) => {
    const places = events.flatMap((event, n) => (!type || event.type === type ? [n] : []));
    return stream(sse(change(events, places[Math.floor(random() * places.length)] ?? 0)));
  };
}

const inserted = (event: Event) => (events: Event[], at: number) => events.toSpliced(at, 0, event);

export const kinds: Record<string, Kind> = {
  "a whole reply": harmless(({ events }) => stream(sse(events))),
  "400": stated(() => refused("400 Bad Request", { type: "invalid_request_error" })),
  "401": stated(() => refused("401 Unauthorized", { type: "authentication_error" })),
  "402": stated(() => refused("402 Payment Required", { type: "billing_error" })),
  "403": stated(() => refused("403 Forbidden", { type: "permission_error" })),
  "404": stated(() => refused("404 Not Found", { type: "not_found_error" })),
  "408": retried(() => refused("408 Request Timeout")),
  "409": retried(() => refused("409 Conflict")),
  "413": stated(() => refused("413 Payload Too Large", { type: "request_too_large" })),
  "422": stated(() => refused("422 Unprocessable Entity")),
  "429": retried(() => refused("429 Too Many Requests", { type: "rate_limit_error" })),
  "429 for a spent budget": stated(() =>
    refused("429 Too Many Requests", { message: "This request would exceed your organization's monthly spend limit" }),
  ),
  "429 with a retry-after of no number": limited("soon"),
  "429 with a negative retry-after": limited("-7"),
  "429 with a huge retry-after": limited("99999999999"),
  "429 with a retry-after in the past": limited("Sat, 21 Nov 2020 08:00:30 GMT"),
  "429 with a fraction as retry-after": limited("0.25"),
  "500": retried(() => refused("500 Internal Server Error")),
  "502 with a page": retried(() => [
    { send: head("502 Bad Gateway", { "content-type": "text/html", "content-length": "5" }) },
    { send: "<h1>!" },
  ]),
  "503 with nothing": retried(() => [{ send: head("503 Service Unavailable", { "content-length": "0" }) }]),
  "504": retried(() => refused("504 Gateway Timeout")),
  "529": retried(() => refused("529 Overloaded", { type: "overloaded_error" })),
  "an error status cut in its body": retried(() => [
    { send: head("500 Oops", { "content-type": "application/json", "content-length": "500" }) },
    { send: '{"type":"er' },
    "reset",
  ]),
  "a redirect": stated(() => [{ send: head("307 Temporary Redirect", { location: "http://127.0.0.1:1/", "content-length": "0" }) }]),
  "204 without a reply": retried(() => [{ send: head("204 No Content") }]),
  "103 before the answer": harmless(({ events }) => [{ send: head("103 Early Hints", { link: "</x>" }) }, ...stream(sse(events))]),
  "a page instead of a stream": stated(() => [
    { send: head("200 OK", { "content-type": "text/html", "content-length": "6" }) },
    { send: "<h1>Hi" },
  ]),
  "a document instead of a stream": stated(() => [
    { send: head("200 OK", { "content-type": "application/json", "content-length": "2" }) },
    { send: "{}" },
  ]),
  "no content type": harmless(({ events }) => [
    { send: streamHead.replace(/content-type[^\r]*\r\n/, "") },
    ...stream(sse(events)).slice(1),
  ]),
  "no HTTP at all": retried(() => [{ send: "SSH-2.0-OpenSSH_9.2\r\n" }, "end"]),
  "a connection closed before the answer": retried(() => ["end"]),
  "a connection reset before the answer": retried(() => ["reset"]),
  "slow headers": harmless(({ events, patienceMs }) => [{ waitMs: patienceMs / 4 }, ...stream(sse(events))]),
  "no headers": retried(() => ["silence"]),
  "silence after some bytes": retried((whole) => broken(whole, ["silence"])),
  "a cut after some bytes": retried((whole) => broken(whole, ["reset"])),
  "a close after some bytes": retried((whole) => broken(whole, ["end"])),
  "an orderly end after some bytes": retried((whole) => broken(whole, [{ send: lastChunk }])),
  "a bad chunk size": retried((whole) => broken(whole, [{ send: "zz\r\nxx\r\n" }])),
  "a content length that is too long": retried(({ events }) => {
    const bytes = sse(events).subarray(0, -30);
    return [
      { send: head("200 OK", { "content-type": "text/event-stream", "content-length": String(bytes.length + 30) }) },
      { send: bytes },
      "end",
    ];
  }),
  "a content length that is too short": retried(({ events }) => {
    const bytes = sse(events);
    return [
      { send: head("200 OK", { "content-type": "text/event-stream", "content-length": String(bytes.length - 40) }) },
      { send: bytes.subarray(0, -40) },
      "end",
    ];
  }),
  "no length, ended by the close": harmless(({ events }) => [
    { send: head("200 OK", { "content-type": "text/event-stream", connection: "close" }) },
    { send: sse(events) },
    "end",
  ]),
  "a whole reply and then a reset": harmless(({ events }) => [{ send: streamHead }, { send: chunk(sse(events)) }, { waitMs: 60 }, "reset"]),
  "a whole reply and then silence": harmless(({ events }) => [{ send: streamHead }, { send: chunk(sse(events)) }, "silence"]),
  "a connection that is reset once it is idle": {
    means: "either",
    answer: ({ events }) => [...stream(sse(events)), { waitMs: 1 }, "reset"],
  },
  "one byte at a time": harmless(({ events }) => {
    const bytes = sse(events);
    return [{ send: streamHead }, { send: Buffer.concat(Array.from(bytes, (byte) => chunk(Buffer.from([byte])))) }, { send: lastChunk }];
  }),
  "CRLF, comments and a byte order mark": harmless(({ events }) =>
    stream(`\uFEFF: hello\r\n\r\n${sse(events).toString("utf8").replaceAll("\n", "\r\n")}`),
  ),
  "a storm of pings": harmless(({ events }) => stream(sse(events.flatMap((event) => [...Array<Event>(40).fill({ type: "ping" }), event])))),
  "unknown events": harmless(changed(inserted({ type: "weather_report", index: 7, delta: "sunny" }))),
  "an unknown block": harmless(({ events }) => {
    const index = events.filter(({ type }) => type === "content_block_start").length;
    const end = events.findIndex(({ type }) => type === "message_delta");
    return stream(
      sse(
        events.toSpliced(
          end,
          0,
          { type: "content_block_start", index, content_block: { type: "hologram" } },
          { type: "content_block_stop", index },
        ),
      ),
    );
  }),
  "events twice": retried(changed((events, at) => events.toSpliced(at, 0, events[at] as Event), "content_block_start")),
  "the beginning twice": retried(changed((events, at) => events.toSpliced(at, 0, events[at] as Event), "message_start")),
  "the whole reply twice": harmless(({ events }) => stream(sse([...events, ...events]))),
  "bad JSON": retried(({ events, random }) => {
    const lines = sse(events).toString("utf8").split("\n\n").slice(0, -1);
    const at = Math.floor(random() * lines.length);
    return stream(`${lines.map((line, n) => (n === at ? line.replace(/data: .*/, "data: {nonsense") : line)).join("\n\n")}\n\n`);
  }),
  "an event that is a list": retried(({ events }) => stream(`data: [1,2]\n\n${sse(events).toString("utf8")}`)),
  "an error in the stream": retried(changed(inserted({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }))),
  "no message_start": retried(changed((events, at) => events.toSpliced(at, 1), "message_start")),
  "no message_stop": retried(changed((events, at) => events.toSpliced(at, 1), "message_stop")),
  "no message_delta": retried(changed((events, at) => events.toSpliced(at, 1), "message_delta")),
  "no end of a block": retried(changed((events, at) => events.toSpliced(at, 1), "content_block_stop")),
  "a wrong index": retried(changed((events, at) => events.toSpliced(at, 1, { ...(events[at] as Event), index: 9 }), "content_block_start")),
  "a piece for another block": retried(
    changed((events, at) => events.toSpliced(at, 1, { ...(events[at] as Event), index: 5 }), "content_block_delta"),
  ),
  "a tool call without an id": {
    means: "either",
    answer: changed((events, at) => events.toSpliced(at, 1, without(events[at], "id")), "content_block_start"),
  },
  "a tool call whose input is a list": { means: "either", answer: withInput("[1,2,3]") },
  "a tool call whose input is half": { means: "either", answer: withInput('{"n": 1, "sum') },
  "a stop for a tool without a call": retried(({ events }) =>
    stream(
      sse(events.filter(({ type }) => !type.startsWith("content_block")))
        .toString("utf8")
        .replace(/"stop_reason":"\w+"/, '"stop_reason":"tool_use"'),
    ),
  ),
  "nothing in it": retried(() => stream("")),
  "an empty reply": {
    means: "either",
    answer: ({ events }) =>
      stream(
        sse(events.filter(({ type }) => !type.startsWith("content_block")))
          .toString("utf8")
          .replace('"stop_reason":"tool_use"', '"stop_reason":"end_turn"'),
      ),
  },
  "a compressed stream that nobody asked for": retried(({ events }) => [
    { send: streamHead.replace("\r\n\r\n", "\r\ncontent-encoding: gzip\r\n\r\n") },
    { send: chunk(Buffer.from(sse(events)).reverse()) },
    { send: lastChunk },
  ]),
};

function without(event: Event | undefined, field: string): Event {
  const block = { ...(event?.["content_block"] as Record<string, unknown>) };
  delete block[field];
  return { ...(event as Event), content_block: block };
}

/** Replaces the input of the tool call, if there is one. */
function withInput(json: string): Kind["answer"] {
  return ({ events }) => {
    const isInput = (event: Event) => (event["delta"] as { type?: string } | undefined)?.type === "input_json_delta";
    const first = events.findIndex(isInput);
    const kept = events.filter((event, n) => !isInput(event) || n === first);
    const at = kept.findIndex(isInput);
    return stream(sse(at < 0 ? kept : kept.with(at, { ...(kept[at] as Event), delta: { type: "input_json_delta", partial_json: json } })));
  };
}

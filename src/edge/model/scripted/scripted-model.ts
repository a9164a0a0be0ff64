// Implements the Model port with a script: for the demo, for tests and for reproducible reports. It never passes for a real model: its name
// is "scripted". Requests go through the provider's client, and only its fetch is replaced.
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Model, ModelOutcome, ModelRequest } from "../../../agent/ports/model.ts";
import { anthropicModel } from "../anthropic.ts";
import { plainResponse } from "../http-fetch.ts";
import { type Fault, parseScript, type Script } from "./file.ts";
import { fingerprint, nextReply, type ScriptedReply } from "./replay.ts";
import { ScriptError } from "./source.ts";
import { type Frame, framesOf, oddPieces, usageOf } from "./stream.ts";

export type ScriptedOptions = {
  /** The source of the text, for messages. */
  file: string;
  /** The script: YAML as in fixtures/README.md. */
  text: string;
  /** The agents that will play; each must be in the script. */
  agents?: string[];
  /** `script`: at the speed that the script sets for viewers. */
  pace?: "none" | "script";
};

/** Throws ScriptError, with file and line, if the script is invalid. Later errors are returned as fatal faults. */
export function scriptedModel({ file, text, agents = [], pace = "none" }: ScriptedOptions): Model {
  const script = parseScript(file, text);
  const missing = agents.filter((name) => !script.agents.includes(name));
  const known = script.agents.length === 1 ? `its agent is ${script.agents[0]}` : `its agents are ${script.agents.join(", ")}`;
  if (missing.length > 0) throw new ScriptError(`${file}: has no agent ${missing.join(" or ")}; ${known}`);
  const model = anthropicModel({
    apiKey: "scripted",
    baseURL: "http://scripted.invalid",
    fetch: (_url, init) => answer(pace === "script" ? script : { ...script, pace: undefined }, init ?? {}),
  });
  return { attempt: async (request, options) => inOwnWords(await model.attempt(request, options)) };
}

/** A mistake in the script is not a refusal of a provider. */
function inOwnWords(outcome: ModelOutcome): ModelOutcome {
  if (outcome.kind !== "fault") return outcome;
  const reason = outcome.fault.reason.replace(/^Request refused \(400\): (?=script )/, "Cannot continue with the ");
  return { ...outcome, fault: { ...outcome.fault, reason } };
}

/** The provider's answer to this request. Rejects like fetch if it is aborted. */
async function answer(script: Script, { body, headers, signal }: RequestInit): Promise<Response> {
  if (!(body instanceof Uint8Array)) throw new TypeError("the client sends its body as bytes");
  const request = JSON.parse(Buffer.from(body).toString("utf8")) as ModelRequest;
  const attempt = Number(new Headers(headers).get("x-stainless-retry-count") ?? 0);
  const planned = plan(script, request);
  if (!planned.ok) return refusal(400, planned.reason);
  const { reply } = planned;
  await sleep(reply.pauseMs + (script.pace?.firstMs ?? 0), undefined, { signal: signal ?? undefined });
  const fault = reply.fault?.attempts.includes(attempt) ? reply.fault : undefined;
  if (fault?.kind === "status") return refusal(fault.status, "as the script has it", fault.retryAfter);
  const frames = framesOf(reply, {
    id: `msg_${fingerprint(request.messages)}`,
    usage: usageOf(request, reply),
    charactersPerSecond: script.pace?.charactersPerSecond,
  });
  const stream = streamed(frames, { fault, signal: signal ?? undefined, paced: script.pace !== undefined });
  return plainResponse({ status: 200, headers: new Headers({ "content-type": "text/event-stream" }), body: stream });
}

function plan(script: Script, request: ModelRequest): { ok: true; reply: ScriptedReply } | { ok: false; reason: string } {
  try {
    return { ok: true, reply: nextReply(script, request) };
  } catch (error) {
    if (error instanceof ScriptError) return { ok: false, reason: error.message };
    throw error;
  }
}

function refusal(status: number, message: string, retryAfter?: string): Response {
  const type =
    { 401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error" }[status] ??
    (status < 500 ? "invalid_request_error" : "api_error");
  const headers = new Headers({ "content-type": "application/json", ...(retryAfter !== undefined && { "retry-after": retryAfter }) });
  const text = JSON.stringify({ type: "error", error: { type, message } });
  return plainResponse({ status, headers, body: Readable.from([Buffer.from(text)]) });
}

/** For viewers, a long reply is delivered once per frame of the screen: odd pieces would take many times as long. */
async function* streamed(
  frames: Frame[],
  { fault, signal, paced }: { fault: Fault | undefined; signal: AbortSignal | undefined; paced: boolean },
): AsyncGenerator<Uint8Array> {
  const whole = frames.reduce((sum, { bytes }) => sum + bytes.length, 0);
  // Waits by the clock rather than per piece: on a busy machine each piece is late, and the whole would take many times as long.
  const startedMs = performance.now();
  let dueMs = 0;
  // a reply that is to be cut never arrives whole, even if the script says a later position
  let left = fault?.kind === "cut" ? Math.min(fault.afterBytes, whole - 1) : whole;
  for (const { bytes, waitMs } of joined(frames)) {
    signal?.throwIfAborted(); // a reader that is slower than the pace never waits below
    for (const piece of paced ? [bytes] : oddPieces(bytes)) {
      yield piece.subarray(0, left);
      left -= piece.length;
      if (left < 0) throw new TypeError("cut, as the script has it");
    }
    dueMs += waitMs;
    const early = startedMs + dueMs - performance.now();
    if (waitMs > 0 && early > 0) await sleep(early, undefined, { signal });
  }
}

/** Joins frames without a wait between them, so that their boundaries do not show on the wire. */
function* joined(frames: Frame[]): Generator<Frame> {
  let together: Buffer[] = [];
  for (const { bytes, waitMs } of frames) {
    together.push(bytes);
    if (waitMs === 0) continue;
    yield { bytes: Buffer.concat(together), waitMs };
    together = [];
  }
  yield { bytes: Buffer.concat(together), waitMs: 0 };
}

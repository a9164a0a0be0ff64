// The official SDK: sends one request and returns one answer, or the reason why there is none. Loaded with the first request. Uses only the
// client's base class: the chunk is a quarter of what it is with all resources of the SDK.
import { BaseAnthropic } from "@anthropic-ai/sdk/client";
import { APIConnectionError, APIError } from "@anthropic-ai/sdk/error";
import type { ModelRequest } from "../../agent/ports/model.ts";
import type { Answer } from "./attempt.ts";
import { httpFetch } from "./http-fetch.ts";
import { requestEncoder } from "./request-body.ts";

export type Key = { kind: "apiKey" | "authToken"; value: string; variable: string };

export type ClientOptions = {
  key: Key;
  baseURL: string;
  /** For servers with an older API, which expects the key in another header. */
  apiVersion?: string;
  fetch?: typeof fetch;
};

export type Send = (request: ModelRequest, options: { signal: AbortSignal; retryCount: number }) => Promise<Answer>;

/** Sends once, with the SDK's headers, address and encoding: src/agent/requests/retry.ts decides about retries. Never throws. */
export function messagesClient({ key, baseURL, apiVersion, fetch }: ClientOptions): Send {
  const client = new BaseAnthropic({
    [key.kind]: key.value,
    baseURL,
    fetch: fetch ?? httpFetch(),
    defaultHeaders: apiVersion === undefined ? undefined : olderHeaders(key, apiVersion),
    ...quietOnce,
  });
  const encode = requestEncoder();
  const whole = (pieces: Buffer[]) => (fetch ? Buffer.concat(pieces) : pieces);
  return async (request, options) => answerTo(client, { body: whole(encode(request)), ...options });
}

/** For every client: the terminal belongs to the screen, and a conversation must not be logged. */
export const quietOnce = { maxRetries: 0, logLevel: "off", openTelemetry: false } as const;

/** Pieces are for `httpFetch` alone. */
type Sent = { body: Uint8Array | Buffer[] | string; signal: AbortSignal; retryCount: number };

/** Posts the body as a message, through a client of any provider. Never throws. */
export async function answerTo(client: BaseAnthropic, { body, signal, retryCount }: Sent): Promise<Answer> {
  const headers = { "x-stainless-retry-count": String(retryCount), "content-type": "application/json" };
  try {
    // as an option for fetch, pieces are passed on as they are
    const sent = Array.isArray(body) ? { fetchOptions: { body } as object } : { body };
    const response = await client.post("/v1/messages", { ...sent, headers, signal }).asResponse();
    const contentType = response.headers.get("content-type") ?? "";
    return /^(?:text\/html|application\/json)\b/i.test(contentType) ? { kind: "no_stream", contentType } : { kind: "stream", response };
  } catch (error) {
    return answerOf(error);
  }
}

function olderHeaders(key: Key, version: string): Record<string, string | null> {
  const older = { "anthropic-version": version };
  return key.kind === "apiKey" ? { ...older, "x-api-key": key.value, authorization: null } : older;
}

function answerOf(error: unknown): Answer {
  if (error instanceof APIConnectionError) return { kind: "unreachable", ...reasonOf(error) };
  if (error instanceof APIError && error.status && error.headers) {
    return { kind: "refused", status: error.status, headers: error.headers, body: error.error };
  }
  return { kind: "unsent", message: error instanceof Error ? error.message.replace(/\.$/, "") : String(error) };
}

/** The SDK only says "Connection error"; the reason is further down the chain of causes. */
function reasonOf(error: Error): { code: string; proxy?: string } {
  let at: Error & { proxy?: string } = error;
  while (at.cause instanceof Error && !("code" in at)) at = at.cause;
  const code = "code" in at ? String(at.code) : at.message.replace(/\.$/, "");
  return { code, ...(at.proxy !== undefined && { proxy: at.proxy }) };
}

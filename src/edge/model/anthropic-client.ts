// The official SDK: one request out, one answer in, or the reason why there is none. Loaded when the first request is made.
// Only the client's base class is taken: the chunk is a quarter of what it is with all resources of the SDK.
import { BaseAnthropic } from "@anthropic-ai/sdk/client";
import { APIConnectionError, APIError } from "@anthropic-ai/sdk/error";
import type { ModelRequest } from "../../agent/model.ts";
import type { Refusal } from "./api-faults.ts";
import { httpFetch } from "./http-fetch.ts";
import { requestEncoder } from "./request-body.ts";

export type Key = { kind: "apiKey" | "authToken"; value: string; variable: string };

export type ClientOptions = {
  key: Key;
  baseURL: string;
  /** Of an older API, which has the key in another header. */
  apiVersion?: string;
  fetch?: typeof fetch;
};

export type Answer =
  | { kind: "stream"; response: Response }
  | ({ kind: "refused" } & Refusal)
  /** `code` is the system's, such as ECONNREFUSED. */
  | { kind: "unreachable"; code: string }
  /** A page or a document where a stream of events was asked for: hardly the Messages API. */
  | { kind: "no_stream"; contentType: string }
  | { kind: "unsent"; message: string };

export type Send = (request: ModelRequest, options: { signal: AbortSignal; retryCount: number }) => Promise<Answer>;

/**
 * Sends with the SDK's headers, address and encoding, once: whether to try again is decided by src/agent/requests/retry.ts. Never throws.
 */
export function messagesClient({ key, baseURL, apiVersion, fetch }: ClientOptions): Send {
  const client = new BaseAnthropic({
    [key.kind]: key.value,
    baseURL,
    fetch: fetch ?? httpFetch(),
    maxRetries: 0,
    defaultHeaders: apiVersion === undefined ? undefined : olderHeaders(key, apiVersion),
    // the terminal belongs to the screen, and a conversation does not belong in somebody's traces
    logLevel: "off",
    openTelemetry: false,
  });
  const encode = requestEncoder();
  return async (request, { signal, retryCount }) => {
    const headers = { "x-stainless-retry-count": String(retryCount), "content-type": "application/json" };
    try {
      const response = await client.post("/v1/messages", { body: encode(request), headers, signal }).asResponse();
      const contentType = response.headers.get("content-type") ?? "";
      return /^(?:text\/html|application\/json)\b/i.test(contentType) ? { kind: "no_stream", contentType } : { kind: "stream", response };
    } catch (error) {
      return answerOf(error);
    }
  };
}

function olderHeaders(key: Key, version: string): Record<string, string | null> {
  const older = { "anthropic-version": version };
  return key.kind === "apiKey" ? { ...older, "x-api-key": key.value, authorization: null } : older;
}

function answerOf(error: unknown): Answer {
  if (error instanceof APIConnectionError) return { kind: "unreachable", code: codeOf(error) };
  if (error instanceof APIError && error.status && error.headers) {
    return { kind: "refused", status: error.status, headers: error.headers, body: error.error };
  }
  return { kind: "unsent", message: error instanceof Error ? error.message.replace(/\.$/, "") : String(error) };
}

/** The client says only "Connection error"; the reason is some causes further down. */
function codeOf(error: Error): string {
  let at: Error = error;
  while (at.cause instanceof Error && !("code" in at)) at = at.cause;
  return "code" in at ? String(at.code) : at.message.replace(/\.$/, "");
}

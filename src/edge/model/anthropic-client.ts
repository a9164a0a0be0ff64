// The official SDK: sends one request and returns one answer, or the reason why there is none. Loaded with the first request. Uses only the
// client's base class: the chunk is a quarter of what it is with all resources of the SDK.
import { BaseAnthropic } from "@anthropic-ai/sdk/client";
import { APIConnectionError, APIError } from "@anthropic-ai/sdk/error";
import type { ModelRequest } from "../../agent/ports/model.ts";
import type { Refusal } from "./api-faults.ts";
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

export type Answer =
  | { kind: "stream"; response: Response }
  | ({ kind: "refused" } & Refusal)
  /** `code` is the system's, such as ECONNREFUSED. */
  | { kind: "unreachable"; code: string }
  /** A page or document instead of a stream of events: probably not the Messages API. */
  | { kind: "no_stream"; contentType: string }
  | { kind: "unsent"; message: string };

export type Send = (request: ModelRequest, options: { signal: AbortSignal; retryCount: number }) => Promise<Answer>;

/** Sends once, with the SDK's headers, address and encoding: src/agent/requests/retry.ts decides about retries. Never throws. */
export function messagesClient({ key, baseURL, apiVersion, fetch }: ClientOptions): Send {
  const client = new BaseAnthropic({
    [key.kind]: key.value,
    baseURL,
    fetch: fetch ?? httpFetch(),
    maxRetries: 0,
    defaultHeaders: apiVersion === undefined ? undefined : olderHeaders(key, apiVersion),
    // the terminal belongs to the screen, and a conversation must not be logged
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

/** The SDK only says "Connection error"; the reason is further down the chain of causes. */
function codeOf(error: Error): string {
  let at: Error = error;
  while (at.cause instanceof Error && !("code" in at)) at = at.cause;
  return "code" in at ? String(at.code) : at.message.replace(/\.$/, "");
}

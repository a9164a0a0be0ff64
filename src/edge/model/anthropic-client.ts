// The official SDK: sends one request and returns one answer, or the reason why there is none. Loaded with the first request. Uses only the
// client's base class: the chunk is a quarter of what it is with all resources of the SDK.
import { BaseAnthropic } from "@anthropic-ai/sdk/client";
import { APIConnectionError, APIError } from "@anthropic-ai/sdk/error";
import type { ModelRequest } from "../../agent/ports/model.ts";
import { ifPossible } from "../system-error.ts";
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

/**
 * Sends once, with the SDK's address and headers: src/agent/requests/retry.ts decides about retries. Never throws. The SDK is asked for these once for
 * each number of retries, since its whole way through a request takes a tenth of the time from a reply to the next request.
 */
export function messagesClient({ key, baseURL, apiVersion, fetch }: ClientOptions): Send {
  const client = new BaseAnthropic({
    [key.kind]: key.value,
    baseURL,
    defaultHeaders: apiVersion === undefined ? undefined : olderHeaders(key, apiVersion),
    ...quietOnce,
  });
  const send = fetch ?? httpFetch();
  const encode = requestEncoder();
  const heads = new Map<number, Promise<Head>>();
  const headOf = (retryCount: number) => {
    const head = heads.get(retryCount) ?? headBy(client, retryCount);
    heads.set(retryCount, head);
    return head;
  };
  return async (request, { signal, retryCount }) => {
    try {
      const { url, headers } = await headOf(retryCount);
      const pieces = encode(request);
      const body = fetch ? Buffer.concat(pieces) : (pieces as unknown as Uint8Array); // pieces are for `httpFetch` alone
      const response = await send(url, { method: "POST", headers, body, signal }).catch(unreachable);
      if ("kind" in response) return response;
      return response.ok ? streamOf(response) : await refusalOf(response);
    } catch (error) {
      return answerOf(error);
    }
  };
}

/** What is the same for every request of this key. */
type Head = { url: URL; headers: Record<string, string> };

async function headBy(client: BaseAnthropic, retryCount: number): Promise<Head> {
  const { req, url } = await client.buildRequest({ method: "post", ...messages(retryCount) }, { retryCount });
  return { url: new URL(url), headers: Object.fromEntries(req.headers) };
}

/** For every client: the terminal belongs to the screen, and a conversation must not be logged. */
export const quietOnce = { maxRetries: 0, logLevel: "off", openTelemetry: false } as const;

type Sent = { body: Uint8Array | string; signal: AbortSignal; retryCount: number };

/** Posts the body as a message, through a client of a cloud, which signs it. Never throws. */
export async function answerTo(client: BaseAnthropic, { body, signal, retryCount }: Sent): Promise<Answer> {
  const { path, headers } = messages(retryCount);
  try {
    return streamOf(await client.post(path, { body, headers, signal }).asResponse());
  } catch (error) {
    return answerOf(error);
  }
}

const messages = (retryCount: number) => ({
  path: "/v1/messages",
  headers: { "x-stainless-retry-count": String(retryCount), "content-type": "application/json" },
});

function streamOf(response: Response): Answer {
  const contentType = response.headers.get("content-type") ?? "";
  return /^(?:text\/html|application\/json)\b/i.test(contentType) ? { kind: "no_stream", contentType } : { kind: "stream", response };
}

async function refusalOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text().catch(() => ""); // cut off, it is an error status all the same
  return { kind: "refused", status, headers, body: ifPossible(() => JSON.parse(text) as unknown) };
}

function olderHeaders(key: Key, version: string): Record<string, string | null> {
  const older = { "anthropic-version": version };
  return key.kind === "apiKey" ? { ...older, "x-api-key": key.value, authorization: null } : older;
}

function answerOf(error: unknown): Answer {
  if (error instanceof APIConnectionError) return unreachable(error);
  if (error instanceof APIError && error.status && error.headers) {
    return { kind: "refused", status: error.status, headers: error.headers, body: error.error };
  }
  return { kind: "unsent", message: error instanceof Error ? error.message.replace(/\.$/, "") : String(error) };
}

/** The SDK only says "Connection error"; the reason is further down the chain of causes. */
function unreachable(error: Error): Extract<Answer, { kind: "unreachable" }> {
  let at: Error & { proxy?: string } = error;
  while (at.cause instanceof Error && !("code" in at)) at = at.cause;
  const code = "code" in at ? String(at.code) : at.message.replace(/\.$/, "");
  return { kind: "unreachable", code, ...(at.proxy !== undefined && { proxy: at.proxy }) };
}

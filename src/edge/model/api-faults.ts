// Turns error answers of the provider into a verdict and a sentence. Status codes and error codes:
// https://platform.claude.com/docs/en/api/errors
import { z } from "zod";
import type { ModelFault } from "../../agent/ports/model.ts";

/** An answer whose status is not 2xx. `body` is its parsed JSON, or nothing. */
export type Refusal = { status: number; headers: Headers; body: unknown };

/** Decides by error code first, then by status, then by the beginning of the message. `server` and `keyVariable` are named to the user. */
export function faultOfRefusal(
  refusal: Refusal,
  { server, keyVariable, now }: { server: string; keyVariable: string; now: Date },
): ModelFault {
  const { status, headers } = refusal;
  const { message, type, code } = errorOf(refusal.body);
  const fault = (verdict: ModelFault["verdict"], title: string, advice = ""): ModelFault => ({
    verdict,
    reason: [sentence(`${title} (${status})${message && `: ${message}`}`), advice].filter(Boolean).join(" "),
    status,
  });

  if (isSpent({ status, message, type, code })) return fault("spent", "Budget spent at the provider", "Raise its limit, or buy more.");
  const isTooMuch = overflowMessage.test(message) || overfullMessage.test(message);
  if (status === 413 || (status === 400 && isTooMuch)) return fault("overflow", "Conversation too long for the model");
  if (retryTitles[status] || status >= 500) {
    const retryAfterMs = parseRetryAfter(headers, now);
    const retry = fault("retry", retryTitles[status] ?? "Server error at the provider");
    return retryAfterMs === undefined ? retry : { ...retry, retryAfterMs };
  }
  if (status === 401) return fault("fatal", "Key refused", `The key came from ${keyVariable}.`);
  if (status === 403) return fault("fatal", "Not allowed", `The key came from ${keyVariable}.`);
  if (status === 404) return fault("fatal", "Not found", "Check the model's name and ANTHROPIC_BASE_URL.");
  if (status >= 300 && status < 400) {
    const target = headers.get("location") ?? "another address";
    return fault("fatal", "Redirected", `${server} points to ${target}. If that is right, set ANTHROPIC_BASE_URL to it.`);
  }
  return fault("fatal", "Request refused");
}

/** The connection failed before an answer arrived. `code` is the system's, such as ECONNREFUSED. */
export function faultOfConnection(code: string, server: string): ModelFault {
  if (untrustedCertificate.has(code)) {
    const advice = "If a proxy of your own signs for it, set NODE_EXTRA_CA_CERTS to its certificate.";
    return { verdict: "fatal", reason: `The certificate of ${server} is not trusted (${code}). ${advice}` };
  }
  return { verdict: "retry", reason: `No connection to ${server} (${code}).` };
}

/**
 * Milliseconds, from `retry-after-ms` or `retry-after` (seconds or an HTTP date; RFC 9110, 10.2.3). Undefined when absent, negative,
 * past or not a number.
 */
export function parseRetryAfter(headers: Headers, now: Date): number | undefined {
  const inMs = decimal(headers.get("retry-after-ms"));
  if (inMs !== undefined) return inMs;
  const value = headers.get("retry-after");
  const inSeconds = decimal(value);
  if (inSeconds !== undefined) return Math.round(inSeconds * 1000);
  const untilMs = /[a-z]{3},? /i.test(value ?? "") ? Date.parse(value ?? "") - now.getTime() : Number.NaN;
  return untilMs > 0 ? untilMs : undefined;
}

const retryTitles: Record<number, string> = {
  408: "Request timed out",
  409: "Conflict at the provider",
  429: "Rate limit",
  529: "Provider overloaded",
};

const spentCodes = new Set([
  "contract_spend_limit_reached",
  "enforced_spend_limit_reached",
  "linked_organization_spend_limit_reached",
  "linked_organization_billing_unavailable",
]);

/** Only beginnings: later in the message there may be quotes of the conversation. */
const spentMessage =
  /^(?:your credit balance is too low|you have reached your (?:\S+ ){0,3}(?:usage|spend(?:ing)?) limits?|(?:this|your) (?:request|organization|workspace|account)[^.]{0,100} (?:spend(?:ing)? limit|budget)|insufficient (?:credits?|balance|funds|quota)|you exceeded your current quota)/i;

/** Errors about too many images or documents, which a summary without them solves. */
const overfullMessage = /many-image requests|too many images|maximum of \d+ (?:images|PDF pages)/i;

/** The provider's own messages, then those of vLLM, llama.cpp and other servers with the same API. */
const overflowMessage =
  /^(?:prompt is too long|input is too long|input length and `?max_tokens`? exceed|this model's maximum context length|the request exceeds the available context size|request \(\d+ tokens\) exceeds)/i;

const untrustedCertificate = new Set([
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

const longestMessage = 600;

type ErrorFields = { message: string; type: string; code: string };

const text = z.string().catch("");
const noDetails = { error_code: "" };
/** Servers that imitate the provider leave parts out, or answer with plain text. */
const errorBody = z.object({
  error: z.union([
    z.object({ message: text, type: text, details: z.object({ error_code: text }).catch(noDetails) }),
    z.string().transform((message) => ({ message, type: "", details: noDetails })),
  ]),
});

function isSpent({ status, message, type, code }: ErrorFields & { status: number }): boolean {
  if (status === 402 || type === "billing_error" || spentCodes.has(code)) return true;
  return [400, 403, 429].includes(status) && spentMessage.test(message);
}

function errorOf(body: unknown): ErrorFields {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return { message: "", type: "", code: "" };
  const { message, type, details } = parsed.data.error;
  return { message: oneLine(message), type, code: details.error_code };
}

function oneLine(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
}

function sentence(line: string): string {
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

function decimal(value: string | null): number | undefined {
  return value !== null && /^\s*\d{1,12}(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

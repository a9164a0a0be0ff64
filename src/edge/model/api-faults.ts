// Turns error answers of the provider into a verdict and a sentence. Status codes and error codes:
// https://platform.claude.com/docs/en/api/errors
import { z } from "zod";
import type { ModelFault } from "../../agent/ports/model.ts";
import type { NoStream } from "./attempt.ts";

/** An answer whose status is not 2xx. `body` is its parsed JSON, or nothing. */
export type Refusal = { status: number; headers: Headers; body: unknown };

/** Who was asked, as it is named to the person. */
export type Asked = {
  server: string;
  /** Where the key comes from. */
  keyVariable: string;
  /** The setting of the address; ANTHROPIC_BASE_URL by default. */
  addressFrom?: string | undefined;
  now: Date;
  /** What this provider's users can do about a refusal; undefined for what is usual. */
  advice?: (refused: Refused) => string | undefined;
};

export type Refused = { status: number; type: string; message: string };

export function faultOfAnswer(answer: NoStream, asked: Asked): ModelFault {
  const { server, addressFrom = usualAddressFrom } = asked;
  switch (answer.kind) {
    case "refused":
      return faultOfRefusal(answer, asked);
    case "unreachable":
      return faultOfConnection(answer, server);
    case "no_stream":
      return {
        verdict: "fatal",
        reason: `${server} answered with ${answer.contentType}, not with a stream of events. Check ${addressFrom}.`,
      };
    case "unsent":
      return { verdict: "fatal", reason: `The request could not be sent: ${answer.message}.` };
    case "no_credentials":
      return { verdict: "fatal", reason: answer.reason };
  }
}

const usualAddressFrom = "ANTHROPIC_BASE_URL";

/** The address without its path, for sentences. */
export function serverOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).origin : baseURL;
}

/** Decides by error code first, then by status, then by the beginning of the message. */
function faultOfRefusal(refusal: Refusal, { now, ...asked }: Asked): ModelFault {
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
  const advice = asked.advice?.({ status, type, message }) ?? usualAdvice(refusal, asked);
  return fault("fatal", status >= 300 && status < 400 ? "Redirected" : (fatalTitles[status] ?? "Request refused"), advice);
}

const fatalTitles: Record<number, string> = { 401: "Key refused", 403: "Not allowed", 404: "Not found" };

function usualAdvice({ status, headers }: Refusal, { server, keyVariable, addressFrom = usualAddressFrom }: Omit<Asked, "now">): string {
  if (status === 401 || status === 403) return `The key came from ${keyVariable}.`;
  if (status === 404) return `Check the model's name and ${addressFrom}.`;
  if (status < 300 || status >= 400) return "";
  return `${server} points to ${headers.get("location") ?? "another address"}. If that is right, set ${addressFrom} to it.`;
}

/** The connection failed before an answer arrived. */
export function faultOfConnection({ code, proxy }: { code: string; proxy?: string }, server: string): ModelFault {
  if (untrustedCertificate.has(code)) {
    const advice = "If a proxy of your own signs for it, set NODE_EXTRA_CA_CERTS to its certificate.";
    return { verdict: "fatal", reason: `The certificate of ${server} is not trusted (${code}). ${advice}` };
  }
  if (proxy === undefined) return { verdict: "retry", reason: `No connection to ${server} (${code}).` };
  if (code.startsWith("is not "))
    return { verdict: "fatal", reason: `The proxy ${proxy} ${code}. Name one in HTTPS_PROXY or ALL_PROXY, or the server in NO_PROXY.` };
  const advice =
    code === "407"
      ? "It wants a name and a password: http://name:password@host in HTTPS_PROXY."
      : "Check HTTPS_PROXY, or name the server in NO_PROXY.";
  const isRefused = /^4\d\d$/.test(code);
  return { verdict: isRefused ? "fatal" : "retry", reason: `No connection to ${server} through the proxy ${proxy} (${code}). ${advice}` };
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
  424: "The model failed",
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
  if (!parsed.success) return { message: detailOf(body), type: "", code: "" };
  const { message, type, details } = parsed.data.error;
  return { message: oneLine(message), type, code: details.error_code };
}

/** As frameworks of web servers describe what is wrong with a request. */
function detailOf(body: unknown): string {
  const parsed = z.object({ detail: z.unknown() }).safeParse(body);
  const detail = parsed.data?.detail;
  return detail === undefined ? "" : oneLine(typeof detail === "string" ? detail : JSON.stringify(detail));
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

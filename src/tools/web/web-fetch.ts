// WebFetch: one page, as text. A redirect is a new request and is judged like the first.

import { z } from "zod";
import { errorText } from "../../wording/error-text.ts";
import { plural } from "../../wording/figures.ts";
import { done, refused } from "../answer.ts";
import type { Aliases } from "../arguments.ts";
import { type TimeLimit, withTimeLimit } from "../time-limit.ts";
import type { Tool, ToolResult } from "../tool.ts";
import type { Address, GetOrder, GetOutcome, JudgeUrl, Web } from "./web.ts";
import { pageText } from "./web-text.ts";

const input = z.strictObject({ url: z.string() });
type WebFetchInput = z.infer<typeof input>;

/** Other tools answer a question about the page; here the model reads it. */
const aliases: Aliases = { prompt: { ignored: true }, uri: "url" };

/** What each request sends and receives, however it ends. */
type RecordTraffic = (url: URL, carried: Parameters<GetOrder["onTraffic"]>[0]) => void;

/** The first address was judged before the call; `judge` is called for every further host, and for names that turn out to be private. */
export function webFetchTool(web: Web, judge: JudgeUrl, record: RecordTraffic): Tool<WebFetchInput> {
  return {
    name: "WebFetch",
    description: "Get a web page or text file by http(s) as text. GET only, without cookies or credentials.",
    input,
    aliases,
    readOnly: true,
    subject: ({ url }) => url,
    async run({ url }, context) {
      const { signal } = context;
      let askedMs = 0;
      const counted: JudgeUrl = async (asked) => {
        const verdict = await judge(asked, signal);
        askedMs += verdict.askedMs ?? 0;
        return verdict;
      };
      const limit = { current: withTimeLimit(signal, maxMs) };
      try {
        const result = await fetchPage(url, { web, judge: counted, record, signal, limit });
        return askedMs > 0 ? { ...result, askedMs } : result;
      } catch (error) {
        if (signal.aborted) return refused(`Cannot get "${url}": it was interrupted`, "interrupted");
        if (error instanceof Error && error.name === "TimeoutError")
          return refused(`Cannot get "${url}": it took longer than ${maxMs / 1000} s`, "timed out");
        throw error;
      } finally {
        limit.current.release();
      }
    },
  };
}

/** The time limit is for servers: it restarts after `judge`, which may have waited for the user. */
type Way = { web: Web; judge: JudgeUrl; record: RecordTraffic; signal: AbortSignal; limit: { current: TimeLimit } };

async function fetchPage(first: string, way: Way): Promise<ToolResult> {
  let text = first;
  let judged: string | undefined;
  for (let step = 0; step <= maxRedirects; step++) {
    const cannot = (reason: string, summary = "refused") =>
      refused(`Cannot get "${first}"${step > 0 ? `, which leads to "${text}"` : ""}: ${reason}`, summary);
    const parsed = parseUrl(text);
    if (!parsed.ok) return cannot(parsed.reason);
    const { url } = parsed;
    const outcome = await getJudged(url, judged === undefined || judged === url.host, way);
    judged = url.host;
    switch (outcome.kind) {
      case "denied":
        return { ...cannot(outcome.reason, "denied"), denied: [{ tool: "WebFetch", subject: outcome.url, reason: outcome.reason }] };
      case "failed":
        return cannot(outcome.reason, "failed");
      case "redirect":
        text = URL.canParse(outcome.location, url.href) ? new URL(outcome.location, url).href : outcome.location;
        break;
      case "answer":
        return page(url, outcome);
    }
  }
  return refused(`Cannot get "${first}": it redirects more than ${maxRedirects} times`, "too many redirects");
}

const maxRedirects = 5;
const maxMs = 30_000;
const maxBytes = 5 * 1024 * 1024;
const maxText = 30 * 1024;

/** WHATWG URLs normalize every notation of an address (decimal, octal, short). */
function parseUrl(text: string): { ok: true; url: URL } | { ok: false; reason: string } {
  if (!URL.canParse(text)) return { ok: false, reason: "it is not a complete URL. Write https://host/path" };
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { ok: false, reason: `only http and https are fetched, not ${url.protocol}` };
  if (url.username || url.password) return { ok: false, reason: "it has a user name or password in it" };
  return { ok: true, url };
}

type Judged = GetOutcome | { kind: "denied"; url: string; reason: string };

/** Names are resolved once: the connection uses the addresses that were judged. */
async function getJudged(url: URL, known: boolean, { web, judge, record, signal, limit }: Way): Promise<Judged> {
  let addresses: Address[];
  try {
    addresses = await abortable(web.addresses(url.hostname.replace(/^\[(.*)\]$/, "$1")), limit.current.signal);
  } catch (error) {
    limit.current.signal.throwIfAborted();
    return { kind: "failed", reason: `the host ${url.hostname} is not known (${errorText(error)})` };
  }
  for (const asked of [...(known ? [] : [url.href]), ...behindName(url, addresses)]) {
    const verdict = await judge(asked, signal);
    if (!verdict.allowed) return { kind: "denied", url: asked, reason: verdict.reason };
    limit.current.release();
    limit.current = withTimeLimit(signal, maxMs);
  }
  const onTraffic: GetOrder["onTraffic"] = (carried) => record(url, carried);
  const outcome = await web.get({ url, addresses, maxBytes, signal: limit.current.signal, onTraffic });
  limit.current.signal.throwIfAborted();
  return outcome;
}

/** Private addresses behind a public name. An address or name that is itself private was judged as such before. */
function behindName(url: URL, addresses: Address[]): string[] {
  const address = addresses.find(({ reach }) => reach === "private")?.address;
  if (address === undefined || url.hostname === "localhost" || /^\[|^[\d.]+$/.test(url.hostname)) return [];
  const asked = new URL(url.href);
  asked.hostname = address.includes(":") ? `[${address}]` : address;
  return [asked.href];
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    if (signal.aborted) stop();
  });
}

async function page(url: URL, answer: Extract<GetOutcome, { kind: "answer" }>): Promise<ToolResult> {
  const read = await pageText(answer.bytes, answer.contentType);
  if (!read.ok) return refused(`Cannot read "${url.href}": ${read.reason}`, "not text");
  const text = read.text.trim();
  const shown = text.slice(0, maxText);
  const rest = text.length - shown.length;
  const cut = rest > 0 || answer.cut ? `\n[cut here${rest > 0 ? `: ${plural(rest, "more character")}` : ""}]` : "";
  const failed = answer.status >= 400;
  const head = `${url.href} answered ${answer.status}:\n`;
  return {
    ...done(`${head}${shown || "(nothing)"}${cut}`, failed ? `status ${answer.status}` : plural(text.length, "character")),
    isError: failed,
  };
}

// The Messages API over HTTP, as the Model port. Every error is an answer with a verdict; a partial reply never leaves this file.
import type { AttemptOptions, CallPiece, Model, ModelFault, ModelOutcome, ModelReply, PartialReply } from "../../agent/ports/model.ts";
import type { Answer, ClientOptions, Key } from "./anthropic-client.ts";
import { faultOfConnection, faultOfRefusal } from "./api-faults.ts";
import { watchIdle } from "./idle-timeout.ts";
import type { KeyHelper } from "./key-helper.ts";
import { BrokenReply, replyAssembly } from "./reply-assembly.ts";
import { eventsOf } from "./server-sent-events.ts";
import type { StoredKey } from "./stored-key.ts";
import { throttle } from "./throttle.ts";

export type AnthropicOptions = {
  /** From ANTHROPIC_API_KEY. Takes precedence over `authToken`. */
  apiKey?: string;
  /** From ANTHROPIC_AUTH_TOKEN: for gateways that issue their own tokens. */
  authToken?: string;
  /** A key that the person has given to the program, for this address; used without the two above. */
  storedKey?: StoredKey & { file: string };
  /** A program that prints the key; replaces the three above. */
  keyHelper?: KeyHelper;
  /** Any server that speaks the Messages API. */
  baseURL?: string;
  /** The setting that the user is told to change; ANTHROPIC_BASE_URL by default. */
  baseURLFrom?: string;
  /**
   * From TOOL_API_VERSION, for servers that do not support the current API: requests this version, and sends the key as `x-api-key` instead
   * of as a bearer token.
   */
  apiVersion?: string;
  /** An attempt fails after this long without a byte; 120 s by default. */
  idleTimeoutMs?: number;
  fetch?: typeof fetch;
};

/**
 * A model at the given address and with the given key. Errors in those are reported by each attempt, or beforehand by `connectionProblem`.
 */
export function anthropicModel(options: AnthropicOptions): Model {
  const idleMs = options.idleTimeoutMs ?? 120_000;
  const baseURL = options.baseURL?.trim() || defaultBaseURL;
  let opened: { key: string; client: ReturnType<typeof openClient> } | undefined;
  const clientOf = (key: Key) => {
    if (opened?.key !== key.value) {
      const apiVersion = options.apiVersion?.trim() || undefined;
      opened = { key: key.value, client: openClient({ key, baseURL, apiVersion, fetch: options.fetch }) };
    }
    return opened.client;
  };

  return {
    async attempt(request, { signal, retryCount, ...listeners }) {
      const problem = connectionProblem(options);
      if (problem) return fault({ verdict: "fatal", reason: problem });
      const found = await unlessAborted(keyNow(options), signal);
      if (!found) return { kind: "aborted" };
      if (!found.ok) return fault({ verdict: "fatal", reason: found.reason });
      let { key } = found;
      const watch = watchIdle(signal, idleMs);
      const received = receiver(listeners);
      const interrupted = (): ModelOutcome => ({ kind: "aborted", ...received.partial() });
      const broken = (what: ModelFault): ModelOutcome => ({ kind: "fault", fault: what, ...received.partial() });
      try {
        let answer = await (await clientOf(key))(request, { signal: watch.signal, retryCount });
        const other = isRefusedKey(answer) ? await otherKey(options, key) : undefined;
        if (other && !signal.aborted) {
          key = other;
          answer = await (await clientOf(key))(request, { signal: watch.signal, retryCount });
        }
        if (signal.aborted) return { kind: "aborted" };
        if (watch.silent()) return fault(silence(idleMs));
        if (answer.kind !== "stream") return fault(withoutKey(faultOf(answer, { server: serverOf(baseURL), key }), key));
        const onWhole = () => watch.expectEnd(endAfterReplyMs);
        const reply = await received.all(eventsOf(throttle(watch.through(answer.response))), onWhole);
        return signal.aborted ? interrupted() : reply;
      } catch (error) {
        if (signal.aborted) return interrupted();
        return broken(watch.silent() ? silence(idleMs) : lost(error));
      } finally {
        watch.end();
      }
    },
  };
}

/** One sentence if these options cannot reach a model: what is missing or malformed, and which variable sets it. */
export function connectionProblem(options: AnthropicOptions): string | undefined {
  const key = keyOf(options);
  if (!key && !options.keyHelper) return missingKey(options);
  if (key && !options.keyHelper && !/^[\x21-\x7e]+$/.test(key.value))
    return `The key in ${key.variable} contains characters that keys do not have. Set it again, without quotes or line breaks.`;
  const baseURL = options.baseURL?.trim();
  if (baseURL && !/^https?:/.test(serverOf(baseURL)))
    return `${options.baseURLFrom ?? "ANTHROPIC_BASE_URL"} is "${baseURL}", which is not an http or https address.`;
  const version = options.apiVersion?.trim();
  if (version && !/^\d{4}-\d\d-\d\d$/.test(version))
    return `TOOL_API_VERSION is "${version}", which is not a version such as ${olderVersion}. Leave it unset for the current one.`;
  return undefined;
}

const olderVersion = "2023-06-01";

export const defaultBaseURL = "https://api.anthropic.com";

/** Says which ways there are. */
const noKey =
  "No key for the model provider. Start a session on a terminal to be asked for one, set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN for a gateway with tokens of its own), or name a command that prints it as apiKeyHelper in your settings. ANTHROPIC_BASE_URL names another server.";

function missingKey({ storedKey, baseURL }: Pick<AnthropicOptions, "storedKey" | "baseURL">): string {
  if (!storedKey) return noKey;
  return `The key in ${storedKey.file} is for ${serverOf(storedKey.address)}, and is not sent to ${serverOf(baseURL?.trim() || defaultBaseURL)}. ${noKey}`;
}

/** A server closes the answer after its last event. If it does not, we do after this long. */
const endAfterReplyMs = 500;

type KeyOptions = Pick<AnthropicOptions, "apiKey" | "authToken" | "storedKey" | "baseURL">;

function keyOf({ apiKey, authToken, storedKey, baseURL }: KeyOptions): Key | undefined {
  const [own, token] = [apiKey?.trim(), authToken?.trim()];
  if (own) return { kind: "apiKey", value: own, variable: "ANTHROPIC_API_KEY" };
  if (token) return { kind: "authToken", value: token, variable: "ANTHROPIC_AUTH_TOKEN" };
  const isItsServer = storedKey && serverOf(storedKey.address) === serverOf(baseURL?.trim() || defaultBaseURL);
  return isItsServer ? { kind: "apiKey", value: storedKey.key, variable: storedKey.file } : undefined;
}

/** Where the key comes from, never its text; undefined if there is none. */
export function keySource(options: AnthropicOptions): string | undefined {
  return options.keyHelper ? "apiKeyHelper of the settings" : keyOf(options)?.variable;
}

type FoundKey = { ok: true; key: Key } | { ok: false; reason: string };

async function keyNow(options: AnthropicOptions): Promise<FoundKey> {
  if (!options.keyHelper) {
    const key = keyOf(options);
    return key ? { ok: true, key } : { ok: false, reason: missingKey(options) };
  }
  const printed = await options.keyHelper.key();
  return printed.ok ? { ok: true, key: helpersKey(printed.key) } : printed;
}

/** A program that prints a key may take long. Undefined if the signal aborts first; its listener is always removed. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let leave = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** The key that the program prints now, if it differs from the refused one. */
async function otherKey({ keyHelper }: AnthropicOptions, refused: Key): Promise<Key | undefined> {
  const printed = await keyHelper?.renew(refused.value);
  return printed?.ok && printed.key !== refused.value ? helpersKey(printed.key) : undefined;
}

function helpersKey(value: string): Key {
  return { kind: "apiKey", value, variable: "apiKeyHelper of the settings" };
}

function isRefusedKey(answer: Answer): boolean {
  return answer.kind === "refused" && answer.status === 401;
}

async function openClient(options: ClientOptions) {
  const { messagesClient } = await import("./anthropic-client.ts");
  return messagesClient(options);
}

type Receiver = {
  /** Reads to the end, so that the connection can be reused. Throws if the stream ends or breaks before the reply is complete. */
  all(events: AsyncIterable<string[]>, onWhole: () => void): Promise<ModelReply>;
  /** Empty before the provider has begun to answer. */
  partial(): { partial?: PartialReply };
};

/** Gathers what comes in one read, so that a listener is called once for it. */
function receiver({ onText, onThought, onCallText }: Omit<AttemptOptions, "signal" | "retryCount">): Receiver {
  let [said, thought] = ["", ""];
  let calls: CallPiece[] = [];
  const assembly = replyAssembly({
    onText(text) {
      said += text;
    },
    onThought(text) {
      thought += text;
    },
    onCallText(piece) {
      const last = calls.at(-1);
      if (last && !piece.begins) last.text += piece.text;
      else calls.push({ ...piece });
    },
  });
  const tell = () => {
    if (thought) onThought?.(thought);
    if (said) onText(said);
    for (const piece of calls) onCallText?.(piece);
    [said, thought, calls] = ["", "", []];
  };
  return {
    async all(events, onWhole) {
      try {
        for await (const gathered of events) {
          try {
            for (const data of gathered) assembly.take(data);
          } finally {
            tell(); // text before an error was received
          }
          if (assembly.reply()) onWhole();
        }
      } catch (error) {
        if (!assembly.reply()) throw error; // how a connection ends after a complete reply does not matter
      }
      const reply = assembly.reply();
      if (!reply) throw new BrokenReply("the connection closed before its end");
      return reply;
    },
    partial() {
      const partial = assembly.partial();
      return partial ? { partial } : {};
    },
  };
}

function faultOf(answer: Exclude<Answer, { kind: "stream" }>, { server, key }: { server: string; key: Key }): ModelFault {
  switch (answer.kind) {
    case "refused":
      return faultOfRefusal(answer, { server, keyVariable: key.variable, now: new Date() });
    case "unreachable":
      return faultOfConnection(answer.code, server);
    case "no_stream":
      return {
        verdict: "fatal",
        reason: `${server} answered with ${answer.contentType}, not with a stream of events. Check ANTHROPIC_BASE_URL.`,
      };
    case "unsent":
      return { verdict: "fatal", reason: `The request could not be sent: ${answer.message}.` };
  }
}

/** Some servers repeat the key in their error messages. */
function withoutKey(refused: ModelFault, key: Key): ModelFault {
  return { ...refused, reason: refused.reason.replaceAll(key.value, "(the key)") };
}

function silence(idleMs: number): ModelFault {
  return { verdict: "retry", reason: `Nothing came from the provider for ${idleMs / 1000} s.` };
}

function lost(error: unknown): ModelFault {
  const broke = error instanceof Error ? `the connection broke (${error.message})` : "the connection broke";
  const { message, status } = error instanceof BrokenReply ? error : { message: broke };
  return { verdict: "retry", reason: `The reply was lost: ${message}.`, ...(status !== undefined && { status }) };
}

function fault(what: ModelFault): ModelOutcome {
  return { kind: "fault", fault: what };
}

function serverOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).origin : baseURL;
}

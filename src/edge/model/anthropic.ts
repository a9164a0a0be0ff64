// The provider's own Messages API, as the Model port: with its key, from wherever the person keeps it.
import type { Model, ModelFault, ModelOutcome } from "../../agent/ports/model.ts";
import type { ClientOptions, Key } from "./anthropic-client.ts";
import { faultOfAnswer, serverOf } from "./api-faults.ts";
import { type Answer, attemptOnce, unlessAborted } from "./attempt.ts";
import type { KeyHelper } from "./key-helper.ts";
import type { StoredKey } from "./stored-key.ts";

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
  const baseURL = serverBase(options.baseURL?.trim() || defaultBaseURL);
  let problem: { found: string | undefined } | undefined;
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
      problem ??= { found: connectionProblem(options) };
      if (problem.found) return fault({ verdict: "fatal", reason: problem.found });
      const found = await unlessAborted(keyNow(options), signal);
      if (!found) return { kind: "aborted" };
      if (!found.ok) return fault({ verdict: "fatal", reason: found.reason });
      let { key } = found;
      const send = async (sending: AbortSignal) => {
        const answer = await (await clientOf(key))(request, { signal: sending, retryCount });
        const other = isRefusedKey(answer) ? await otherKey(options, key) : undefined;
        if (!other || signal.aborted) return answer;
        key = other;
        return (await clientOf(key))(request, { signal: sending, retryCount });
      };
      const asked = () => ({ server: serverOf(baseURL), keyVariable: key.variable, addressFrom: options.baseURLFrom, now: new Date() });
      return attemptOnce(
        { send, faultOf: (answer) => withoutKey(faultOfAnswer(answer, asked()), key), idleMs: options.idleTimeoutMs },
        { signal, ...listeners },
      );
    },
  };
}

/** The client adds `/v1/messages`; other programs want addresses that end in it, or in a part of it. */
const serverBase = (address: string) => address.replace(/\/+$/, "").replace(/\/v1(?:\/messages)?$/, "");

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

/** Some servers repeat the key in their error messages. One that is a short word, for a server that takes any, may be a part of other words. */
function withoutKey(refused: ModelFault, { value }: Key): ModelFault {
  const parts = refused.reason.split(value);
  const isWord = (at: number) => value.length >= shortestSecret || (!/\w$/.test(parts[at - 1]!) && !/^\w/.test(parts[at]!));
  return { ...refused, reason: parts.reduce((before, part, at) => `${before}${isWord(at) ? "(the key)" : value}${part}`) };
}

const shortestSecret = 8;

function fault(what: ModelFault): ModelOutcome {
  return { kind: "fault", fault: what };
}

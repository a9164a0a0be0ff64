// Amazon's clients, loaded with the first request: credentials from wherever AWS's own programs find them, signatures, and AWS's frames turned
// into events.

import { AnthropicBedrock } from "@anthropic-ai/bedrock-sdk/client";
import { fromNodeProviderChain } from "@aws-sdk/credential-providers";
import type { ModelRequest } from "../../../agent/ports/model.ts";
import { errorText } from "../../../wording/error-text.ts";
import { answerTo, quietOnce } from "../anthropic-client.ts";
import type { Answer } from "../attempt.ts";
import { httpFetch } from "../http-fetch.ts";
import { proxies } from "../proxy.ts";
import { requestEncoder } from "../request-body.ts";
import { awsFiles } from "./aws-profile.ts";
import type { CloudOptions } from "./cloud.ts";
import { versioned } from "./versioned.ts";

type Sending = { version: string | undefined; signal: AbortSignal; retryCount: number };

/** Never throws. */
export type BedrockClient = (request: ModelRequest, sending: Sending) => Promise<Answer>;

type Place = Pick<CloudOptions, "env"> & { region: string; baseURL: string };

export function bedrockClient({ env, region, baseURL }: Place): BedrockClient {
  const apiKey = env["AWS_BEARER_TOKEN_BEDROCK"]?.trim() || null;
  const credentials = credentialsOf(env);
  let held: Credentials = { accessKeyId: "", secretAccessKey: "" };
  const client = new AnthropicBedrock({
    awsRegion: region,
    baseURL,
    apiKey,
    providerChainResolver: async () => async () => held,
    fetch: httpFetch(),
    ...quietOnce,
  });
  const encode = requestEncoder();
  return async (request, { version, ...sending }) => {
    const body = versioned(Buffer.concat(encode(request)), version);
    if (apiKey) return answerTo(client, { body, ...sending });
    const found = await credentials.now();
    if (!found.ok) return { kind: "no_credentials", reason: found.reason };
    held = found.credentials;
    const answer = await answerTo(client, { body, ...sending });
    if (!isExpired(answer)) return answer;
    const newer = await credentials.renew();
    if (!newer.ok || newer.credentials.accessKeyId === held.accessKeyId || sending.signal.aborted) return answer;
    held = newer.credentials;
    return answerTo(client, { body, ...sending });
  };
}

type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
type Found = { ok: true; credentials: Credentials } | { ok: false; reason: string };

/** Variables come first, as for AWS's own programs; then profiles, sign-ons and the machine's role, each until they expire. */
function credentialsOf(env: CloudOptions["env"]): { now: () => Promise<Found>; renew: () => Promise<Found> } {
  const profile = env["AWS_PROFILE"]?.trim();
  const chain = async () => {
    const through = await proxies({ keepAlive: false })(new URL("https://sts.amazonaws.com"));
    const clientConfig = through && { requestHandler: { httpsAgent: through.agent } };
    return fromNodeProviderChain({
      ...awsFiles(env),
      ...(profile && { profile }),
      ignoreCache: true,
      ...(clientConfig && { clientConfig }),
    });
  };
  let provider: ReturnType<typeof chain> | undefined;
  const found = async (): Promise<Found> => {
    const [accessKeyId, secretAccessKey] = [env["AWS_ACCESS_KEY_ID"]?.trim(), env["AWS_SECRET_ACCESS_KEY"]?.trim()];
    const sessionToken = env["AWS_SESSION_TOKEN"]?.trim();
    if (accessKeyId && secretAccessKey)
      return { ok: true, credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } };
    try {
      provider ??= chain();
      return { ok: true, credentials: await (await provider)() };
    } catch (error) {
      const named = profile ? ` AWS_PROFILE is "${profile}".` : "";
      return { ok: false, reason: `${noCredentials}${named} AWS says: ${errorText(error)}` };
    }
  };
  return {
    now: found,
    renew() {
      provider = undefined;
      return found();
    },
  };
}

const noCredentials =
  "No AWS credentials for Amazon Bedrock. Sign in (aws sso login), set AWS_PROFILE, AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, or AWS_BEARER_TOKEN_BEDROCK.";

function isExpired(answer: Answer): boolean {
  return answer.kind === "refused" && answer.status === 403 && /Expired/.test(answer.headers.get("x-amzn-errortype") ?? "");
}

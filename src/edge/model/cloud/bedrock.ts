// Models of Amazon Bedrock, as the Model port: addressed by region, signed with the person's AWS credentials, streamed in AWS's frames.
import type { Model, ModelFault } from "../../../agent/ports/model.ts";
import { faultOfAnswer, type Refused, serverOf } from "../api-faults.ts";
import { attemptOnce, type NoStream } from "../attempt.ts";
import type { BedrockClient } from "./bedrock-client.ts";
import { addressProblem, type CloudOptions, firstOf, fromPlace, namedIn } from "./cloud.ts";
import { bedrockName, bedrockPlace, isOlder } from "./cloud-names.ts";

export function bedrockModel(options: CloudOptions): Model {
  let opened: Promise<BedrockClient> | undefined;
  return {
    async attempt(request, { signal, retryCount, ...listeners }) {
      const region = await regionOf(options.env);
      const problem = problemAt(options, region);
      if (problem || !region) return { kind: "fault", fault: { verdict: "fatal", reason: problem ?? noRegion } };
      const baseURL = addressOf(options, region);
      opened ??= import("./bedrock-client.ts").then(({ bedrockClient }) => bedrockClient({ env: options.env, region, baseURL }));
      const client = await opened;
      const id = bedrockName(request.model);
      const version = options.apiVersion || isOlder(id) ? olderVersion : undefined;
      const asked = { id, region, server: serverOf(baseURL), addressFrom: options.baseURLFrom, source: bedrockSource(options) };
      const outcome = await attemptOnce(
        {
          send: (sending) => client({ ...request, model: id }, { version, signal: sending, retryCount }),
          faultOf: (answer) => bedrockFault(answer, asked),
          idleMs: options.idleTimeoutMs,
        },
        { signal, ...listeners },
      );
      return fromPlace(outcome, bedrockPlace(id, region));
    },
  };
}

/** One sentence if these options cannot reach Bedrock. Whether there are credentials is found out by the first request. */
export async function bedrockProblem(options: CloudOptions): Promise<string | undefined> {
  return problemAt(options, await regionOf(options.env));
}

/** Where the credentials come from, never their text, and what they are for. */
export async function bedrockAccess(options: CloudOptions): Promise<string> {
  const region = (await regionOf(options.env)) ?? "";
  const server = options.baseURL?.trim() ? `, through ${serverOf(options.baseURL.trim())}` : "";
  return `${bedrockSource(options)}, for Amazon Bedrock in ${region}${server}`;
}

/** The version that Bedrock had before it took those of the provider. */
const olderVersion = "bedrock-2023-05-31";

const noRegion =
  "No region for Amazon Bedrock. Set AWS_REGION, such as us-east-1, or region in the profile of AWS_PROFILE in your AWS configuration.";

function problemAt(options: CloudOptions, region: string | undefined): string | undefined {
  if (!region) return noRegion;
  if (!/^[a-z0-9-]+$/.test(region)) return `The AWS region is "${region}", which is no region's name. Set AWS_REGION, such as us-east-1.`;
  return addressProblem(options);
}

function addressOf({ baseURL }: CloudOptions, region: string): string {
  return baseURL?.trim() || `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

async function regionOf(env: CloudOptions["env"]): Promise<string | undefined> {
  const named = firstOf(env, ["AWS_REGION", "AWS_DEFAULT_REGION"]);
  if (named) return named;
  const { regionOfProfile } = await import("./aws-profile.ts");
  return regionOfProfile(env);
}

function bedrockSource({ env }: CloudOptions): string {
  const named = namedIn(env, ["AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID"]);
  return named ?? `the AWS profile "${env["AWS_PROFILE"]?.trim() || "default"}" or the machine's role`;
}

type Asked = { id: string; region: string; server: string; addressFrom: string; source: string };

/** Error types of the InvokeModel API: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html */
function bedrockFault(answer: NoStream, asked: Asked): ModelFault {
  const at = {
    server: asked.server,
    keyVariable: asked.source,
    addressFrom: asked.addressFrom,
    now: new Date(),
    advice: (refused: Refused) => adviceOn(refused, asked),
  };
  const fault = faultOfAnswer(answer.kind === "refused" ? { ...answer, body: bodyOf(answer) } : answer, at);
  if (answer.kind !== "unreachable" || answer.code !== "ENOTFOUND") return fault;
  return { ...fault, reason: `${fault.reason} Is "${asked.region}" a region where Bedrock is?` };
}

/** The type of an AWS error stands in a header, and its message is the whole body. */
function bodyOf({ headers, body }: { headers: Headers; body: unknown }): unknown {
  const { message, Message } = Object(body) as Record<string, unknown>;
  const said = message ?? Message;
  return typeof said === "string" ? { error: { message: said, type: headers.get("x-amzn-errortype")?.split(":")[0] ?? "" } } : body;
}

function adviceOn({ status, type, message }: Refused, { id, region, source }: Asked): string | undefined {
  if (/Expired/.test(type) || /token\b.*\bexpired/i.test(message))
    return `The AWS credentials have expired; they came from ${source}. Sign in again (aws sso login), or set newer ones.`;
  if (/UnrecognizedClient|Signature|InvalidClientTokenId|MissingAuthenticationToken/.test(type) || status === 401)
    return `The AWS credentials came from ${source}. Is the clock right? "aws sts get-caller-identity" tries them.`;
  if (status === 403)
    return `The AWS credentials came from ${source}. They need bedrock:InvokeModelWithResponseStream, and the account access to "${id}" in ${region}: see the console of Amazon Bedrock.`;
  if (status === 404 || /model identifier|on-demand throughput|model ID/i.test(message))
    return `"${id}" was asked for in ${region}. Check the model's name and AWS_REGION; "aws bedrock list-inference-profiles" lists names.`;
  return undefined;
}

// Amazon Bedrock on loopback: every request's signature is checked by the server with code of its own.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ModelOutcome, ModelRequest } from "../../../../src/agent/ports/model.ts";
import { bedrockModel, bedrockProblem } from "../../../../src/edge/model/cloud/bedrock.ts";
import { amazonRefusal, type CloudAnswer, chunkFrame, exceptionFrame, saidByBedrock, startClouds } from "../../../loopback-clouds.ts";
import { replyEvents, text, toolUse } from "../../../messages-api.ts";
import { scratchFolder } from "../../../scratch.ts";

const keys = { AKIAOWN: { secret: "own+/secret" }, ASIATEMP: { secret: "temp", sessionToken: "session==" } };
const own = { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "AKIAOWN", AWS_SECRET_ACCESS_KEY: "own+/secret" };

const request: ModelRequest = {
  model: "claude-sonnet-5-5",
  max_tokens: 100,
  system: [{ type: "text", text: "You are ada." }],
  tools: [],
  messages: [{ role: "user", content: [{ type: "text", text: "Grüße 👋" }] }],
};

async function clouds(reply: CloudAnswer[], more: { bearer?: string } = {}) {
  const api = await startClouds({ keys, reply, ...more });
  onTestFinished(api.close);
  return api;
}

type Env = Record<string, string | undefined>;

/** One attempt, at Bedrock on loopback; the home of AWS's files is empty unless `env` says otherwise. */
function attempt(url: string, env: Env, more: { model?: string; onText?: (text: string) => void } = {}): Promise<ModelOutcome> {
  const model = bedrockModel({ env: { HOME: scratchFolder(), ...env }, baseURL: url, baseURLFrom: "ANTHROPIC_BEDROCK_BASE_URL" });
  const { onText = () => {}, model: name = request.model } = more;
  return model.attempt({ ...request, model: name }, { signal: new AbortController().signal, retryCount: 2, onText });
}

const faultOf = (outcome: ModelOutcome) => (outcome.kind === "fault" ? outcome.fault : outcome);

describe("a request to Bedrock", () => {
  it("is signed, names the model in its path alone, and its frames are a reply with text as it comes", async () => {
    const api = await clouds([saidByBedrock("It is the größte of all."), saidByBedrock("again")]);
    const said: string[] = [];
    const outcome = await attempt(api.url, own, { onText: (piece) => said.push(piece) });
    expect(outcome).toEqual({
      kind: "reply",
      message: { role: "assistant", content: [text("It is the größte of all.")] },
      stop_reason: "end_turn",
      usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      model: "claude-sonnet-5-5",
    });
    expect(said.join("")).toBe("It is the größte of all.");
    const { path, body, headers } = api.requests[0]!;
    const { model: _, ...rest } = request;
    expect(path).toBe("/model/global.anthropic.claude-sonnet-5-5/invoke-with-response-stream");
    expect(body).toEqual({ ...rest, anthropic_version: "2026-10-21" });
    expect([headers["x-stainless-retry-count"], headers["x-api-key"], headers["anthropic-version"]]).toEqual(["2", undefined, undefined]);
  });

  it("asks older models under their dated names with the older version, and calls a model that answers in one place by it", async () => {
    const api = await clouds([
      saidByBedrock("a", { model: "claude-haiku-4-5-20251001" }),
      saidByBedrock("b", { model: "claude-opus-5-5" }),
    ]);
    const [older, inEurope] = [
      await attempt(api.url, own, { model: "claude-haiku-4-5" }),
      await attempt(api.url, own, { model: "eu.anthropic.claude-opus-5-5" }),
    ];
    expect(api.requests.map(({ path, body }) => [path.split("/")[2], body.anthropic_version])).toEqual([
      ["global.anthropic.claude-haiku-4-5-20251001-v1:0", "bedrock-2023-05-31"],
      ["eu.anthropic.claude-opus-5-5", "2026-10-21"],
    ]);
    expect([older, inEurope]).toMatchObject([{ model: "claude-haiku-4-5-20251001" }, { model: "eu.claude-opus-5-5" }]);
  });

  it("takes calls of tools, and a reply that an exception or the end of the bytes breaks is none", async () => {
    const events = replyEvents([text("Look."), toolUse("Read", { path: "größe.js" })]);
    const whole = events.map(chunkFrame);
    const half = Buffer.concat(whole).subarray(0, Buffer.concat(whole).length - 40);
    const thrown = Buffer.concat([...whole.slice(0, 4), exceptionFrame("throttlingException", "Too many tokens, please wait.")]);
    const api = await clouds([Buffer.concat(whole), thrown, half]);
    expect(await attempt(api.url, own)).toMatchObject({
      message: { content: [text("Look."), { name: "Read", input: { path: "größe.js" } }] },
    });
    expect(faultOf(await attempt(api.url, own))).toEqual({
      verdict: "retry",
      reason: "The reply was lost: throttlingException: Too many tokens, please wait..",
    });
    expect(faultOf(await attempt(api.url, own))).toMatchObject({
      verdict: "retry",
      reason: expect.stringMatching(/^The reply was lost: /),
    });
  });
});

describe("credentials for Bedrock", () => {
  /** A home with AWS's files. */
  function homeWith(files: { credentials?: string; config?: string }): string {
    const home = scratchFolder();
    mkdirSync(join(home, ".aws"));
    for (const [name, body] of Object.entries(files)) writeFileSync(join(home, ".aws", name), body);
    return home;
  }

  it("are a Bedrock key, variables, a profile or a program's, in this order, with a session token signed", async () => {
    const api = await clouds(
      [1, 2, 3, 4].map((n) => saidByBedrock(String(n))),
      { bearer: "ABSKown" },
    );
    const printed = JSON.stringify({ Version: 1, AccessKeyId: "ASIATEMP", SecretAccessKey: "temp", SessionToken: "session==" });
    const profile = "[own]\naws_access_key_id = AKIAOWN\naws_secret_access_key = own+/secret\n";
    const config = `[profile own]\nregion = eu-west-1\n[profile printed]\nregion = eu-west-1\ncredential_process = echo '${printed}'\n`;
    const HOME = homeWith({ credentials: profile, config });
    const temporary = { ...own, AWS_ACCESS_KEY_ID: "ASIATEMP", AWS_SECRET_ACCESS_KEY: "temp", AWS_SESSION_TOKEN: "session==" };
    const asked = [
      await attempt(api.url, { ...own, AWS_BEARER_TOKEN_BEDROCK: "ABSKown", AWS_ACCESS_KEY_ID: "AKIAOTHER" }),
      await attempt(api.url, { ...temporary, AWS_PROFILE: "own" }),
      await attempt(api.url, { HOME, AWS_PROFILE: "own" }),
      await attempt(api.url, { HOME, AWS_PROFILE: "printed" }),
    ];
    expect(asked.map((outcome) => (outcome.kind === "reply" ? outcome.message.content : outcome))).toEqual(
      ["1", "2", "3", "4"].map((said) => [text(said)]),
    );
    const used = api.requests.map(({ headers }) => /^Bearer \w+|(?<=Credential=)\w+/.exec(headers.authorization ?? "")?.[0]);
    expect(used).toEqual(["Bearer ABSKown", "ASIATEMP", "AKIAOWN", "ASIATEMP"]);
  });

  it("that have expired are read again once, because the person may have signed in since", async () => {
    const expired = amazonRefusal(403, "ExpiredTokenException", "The security token included in the request is expired");
    const api = await clouds([saidByBedrock("first"), expired, saidByBedrock("second"), expired]);
    const HOME = homeWith({ credentials: "[default]\naws_access_key_id = AKIAOWN\naws_secret_access_key = own+/secret\n" });
    const model = bedrockModel({ env: { HOME, AWS_REGION: "eu-west-1" }, baseURL: api.url, baseURLFrom: "" });
    const ask = () => model.attempt(request, { signal: new AbortController().signal, retryCount: 0, onText: () => {} });
    await ask();
    const newer = "[default]\naws_access_key_id = ASIATEMP\naws_secret_access_key = temp\naws_session_token = session==\n";
    writeFileSync(join(HOME, ".aws/credentials"), newer);
    expect(await ask()).toMatchObject({ message: { content: [text("second")] } });
    expect(faultOf(await ask())).toEqual({
      verdict: "fatal",
      status: 403,
      reason:
        'Not allowed (403): The security token included in the request is expired. The AWS credentials have expired; they came from the AWS profile "default" or the machine\'s role. Sign in again (aws sso login), or set newer ones.',
    });
    expect(api.requests).toHaveLength(4);
  });

  it("that are missing are said with the ways to get them, and nothing is sent", async () => {
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    onTestFinished(() => void vi.unstubAllEnvs());
    const api = await clouds([]);
    expect(faultOf(await attempt(api.url, { AWS_REGION: "eu-west-1" }))).toEqual({
      verdict: "fatal",
      reason:
        "No AWS credentials for Amazon Bedrock. Sign in (aws sso login), set AWS_PROFILE, AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, or AWS_BEARER_TOKEN_BEDROCK. AWS says: Could not load credentials from any providers",
    });
    expect(api.requests).toEqual([]);
  });
});

describe("what Bedrock refuses", () => {
  const at = "eu-west-1";
  const id = "global.anthropic.claude-sonnet-5-5";
  it.each([
    [
      amazonRefusal(403, "AccessDeniedException", "You don't have access to the model with the specified model ID."),
      {
        verdict: "fatal",
        reason: `Not allowed (403): You don't have access to the model with the specified model ID. The AWS credentials came from AWS_ACCESS_KEY_ID. They need bedrock:InvokeModelWithResponseStream, and the account access to "${id}" in ${at}: see the console of Amazon Bedrock.`,
      },
    ],
    [
      amazonRefusal(400, "ValidationException", "The provided model identifier is invalid."),
      {
        verdict: "fatal",
        reason: `Request refused (400): The provided model identifier is invalid. "${id}" was asked for in ${at}. Check the model's name and AWS_REGION; "aws bedrock list-inference-profiles" lists names.`,
      },
    ],
    [
      amazonRefusal(429, "ThrottlingException", "Too many requests, please wait before trying again."),
      { verdict: "retry", reason: "Rate limit (429): Too many requests, please wait before trying again." },
    ],
    [
      amazonRefusal(400, "ValidationException", "Input is too long for requested model."),
      { verdict: "overflow", reason: "Conversation too long for the model (400): Input is too long for requested model." },
    ],
    [
      amazonRefusal(424, "ModelErrorException", "The request failed due to an error while processing the model."),
      { verdict: "retry", reason: "The model failed (424): The request failed due to an error while processing the model." },
    ],
    [
      amazonRefusal(503, "ServiceUnavailableException", "Try again later."),
      { verdict: "retry", reason: "Server error at the provider (503): Try again later." },
    ],
  ])("is said with what to do (%#)", async (refusal, fault) => {
    const api = await clouds([refusal]);
    expect(faultOf(await attempt(api.url, own))).toMatchObject(fault);
  });

  it("a wrong secret, an unknown key, a region that is none", async () => {
    const api = await clouds([]);
    const reasons = [
      faultOf(await attempt(api.url, { ...own, AWS_SECRET_ACCESS_KEY: "wrong" })),
      faultOf(await attempt(api.url, { ...own, AWS_ACCESS_KEY_ID: "AKIANONE" })),
      faultOf(await attempt(api.url, { ...own, AWS_REGION: "us-east-1" })),
    ];
    const sayWhose = expect.stringMatching(
      /^Not allowed \(403\): .* The AWS credentials came from AWS_ACCESS_KEY_ID\. Is the clock right\?/,
    );
    expect(reasons).toMatchObject([1, 2, 3].map(() => ({ verdict: "fatal", reason: sayWhose })));
    const none = bedrockModel({ env: { ...own, AWS_REGION: "mars-1" }, baseURL: "http://bedrock-runtime.mars-1.invalid", baseURLFrom: "" });
    const outcome = await none.attempt(request, { signal: new AbortController().signal, retryCount: 0, onText: () => {} });
    expect(faultOf(outcome)).toMatchObject({ verdict: "retry", reason: expect.stringMatching(/Is "mars-1" a region where Bedrock is\?$/) });
  });
});

it("needs a region and an address that are some", async () => {
  const problem = (env: Env, baseURL?: string) =>
    bedrockProblem({ env: { HOME: scratchFolder(), ...env }, baseURL, baseURLFrom: "ANTHROPIC_BEDROCK_BASE_URL" });
  expect([
    await problem(own),
    await problem({ AWS_DEFAULT_REGION: "eu-west-1" }),
    await problem({}),
    await problem({ AWS_REGION: "x.example/#" }),
    await problem(own, "localhost:1"),
  ]).toEqual([
    undefined,
    undefined,
    "No region for Amazon Bedrock. Set AWS_REGION, such as us-east-1, or region in the profile of AWS_PROFILE in your AWS configuration.",
    'The AWS region is "x.example/#", which is no region\'s name. Set AWS_REGION, such as us-east-1.',
    'ANTHROPIC_BEDROCK_BASE_URL is "localhost:1", which is not an http or https address.',
  ]);
});

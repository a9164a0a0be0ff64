// Vertex AI on loopback, with Google's sign-in: workload identity from a file, whose tokens the server checks.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ModelOutcome, ModelRequest } from "../../../../src/agent/ports/model.ts";
import { vertexModel, vertexProblem } from "../../../../src/edge/model/cloud/vertex.ts";
import { type CloudAnswer, googleRefusal, saidByVertex, startClouds } from "../../../loopback-clouds.ts";
import { text } from "../../../messages-api.ts";
import { scratchFolder } from "../../../scratch.ts";

const request: ModelRequest = {
  model: "claude-sonnet-5-5",
  max_tokens: 100,
  system: [{ type: "text", text: "You are ada." }],
  tools: [],
  messages: [{ role: "user", content: [{ type: "text", text: "Grüße 👋" }] }],
};

/** A cloud, and a person's sign-in at it. */
async function signedIn(reply: CloudAnswer[], { subject = "ada" } = {}) {
  const api = await startClouds({ reply, refusesSubject: "mallory" });
  onTestFinished(api.close);
  const folder = scratchFolder();
  const credentials = {
    type: "external_account",
    audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: `${api.url}/token`,
    credential_source: { file: join(folder, "subject") },
  };
  writeFileSync(join(folder, "subject"), subject);
  writeFileSync(join(folder, "credentials.json"), JSON.stringify(credentials));
  const env = {
    CLOUD_ML_REGION: "global",
    ANTHROPIC_VERTEX_PROJECT_ID: "own-project",
    GOOGLE_APPLICATION_CREDENTIALS: join(folder, "credentials.json"),
  };
  return { api, env };
}

const modelAt = (url: string, env: Record<string, string | undefined>) =>
  vertexModel({ env, baseURL: `${url}/v1`, baseURLFrom: "ANTHROPIC_VERTEX_BASE_URL" });

const ask = (model: ReturnType<typeof vertexModel>, name = request.model): Promise<ModelOutcome> =>
  model.attempt({ ...request, model: name }, { signal: new AbortController().signal, retryCount: 0, onText: () => {} });

const faultOf = (outcome: ModelOutcome) => (outcome.kind === "fault" ? outcome.fault : outcome);

describe("a request to Vertex AI", () => {
  it("carries a token of the person's sign-in, which is fetched once, and names the model in its path alone", async () => {
    const { api, env } = await signedIn([saidByVertex("Größe"), saidByVertex("again", "claude-haiku-4-5@20251001")]);
    const model = modelAt(api.url, env);
    expect(await ask(model)).toMatchObject({ message: { content: [text("Größe")] }, model: "claude-sonnet-5-5" });
    expect(await ask(model, "claude-haiku-4-5")).toMatchObject({ message: { content: [text("again")] } });
    const { model: _, ...rest } = request;
    expect(api.requests.map(({ path, body }) => ({ path, body }))).toEqual([
      {
        path: "/v1/projects/own-project/locations/global/publishers/anthropic/models/claude-sonnet-5-5:streamRawPredict",
        body: { ...rest, stream: true, anthropic_version: "2026-10-21" },
      },
      {
        path: "/v1/projects/own-project/locations/global/publishers/anthropic/models/claude-haiku-4-5@20251001:streamRawPredict",
        body: { ...rest, stream: true, anthropic_version: "vertex-2023-10-16" },
      },
    ]);
    expect([api.tokens(), api.requests.map(({ headers }) => headers["x-api-key"])]).toEqual([1, [undefined, undefined]]);
  });

  it("to one region has a reply that is called by the region", async () => {
    const { api, env } = await signedIn([saidByVertex("a")]);
    expect(await ask(modelAt(api.url, { ...env, CLOUD_ML_REGION: "europe-west1" }))).toMatchObject({
      model: "europe-west1.claude-sonnet-5-5",
    });
    expect(api.requests[0]?.path).toContain("/locations/europe-west1/");
  });
});

describe("what Vertex AI refuses", () => {
  it.each([
    [
      googleRefusal(403, "PERMISSION_DENIED", "Permission 'aiplatform.endpoints.predict' denied on resource."),
      {
        verdict: "fatal",
        reason:
          "Not allowed (403): Permission 'aiplatform.endpoints.predict' denied on resource. The account needs the role Vertex AI User (aiplatform.endpoints.predict) in that project. ANTHROPIC_VERTEX_PROJECT_ID names another one.",
      },
    ],
    [
      googleRefusal(404, "NOT_FOUND", "Publisher Model `claude-sonnet-5-5` was not found."),
      {
        verdict: "fatal",
        reason:
          'Not found (404): Publisher Model `claude-sonnet-5-5` was not found. "claude-sonnet-5-5" was asked for in global. Check the model\'s name and CLOUD_ML_REGION, and switch the model on in the Model Garden of Vertex AI.',
      },
    ],
    [
      googleRefusal(429, "RESOURCE_EXHAUSTED", "Quota exceeded for aiplatform.googleapis.com/online_prediction_requests_per_base_model."),
      { verdict: "retry", reason: expect.stringMatching(/^Rate limit \(429\): Quota exceeded/) },
    ],
  ])("is said with what to do (%#)", async (refusal, fault) => {
    const { api, env } = await signedIn([refusal]);
    expect(faultOf(await ask(modelAt(api.url, env)))).toMatchObject(fault);
  });

  it("a sign-in that was withdrawn or is not there is said with the way back, and nothing is sent", async () => {
    const { api, env } = await signedIn([], { subject: "mallory" });
    const missing = join(scratchFolder(), "none.json");
    const reasons = [
      faultOf(await ask(modelAt(api.url, env))),
      faultOf(await ask(modelAt(api.url, { ...env, GOOGLE_APPLICATION_CREDENTIALS: missing }))),
    ];
    const ways =
      "Sign in with gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS to the file of a service account.";
    expect(reasons).toEqual([
      {
        verdict: "fatal",
        reason: expect.stringMatching(
          new RegExp(`^The Google credentials have expired or were withdrawn \\(.*invalid_grant.*\\)\\. ${ways}$`),
        ),
      },
      { verdict: "fatal", reason: expect.stringMatching(new RegExp(`^No Google credentials for Vertex AI: .*${missing}.* ${ways}$`)) },
    ]);
    expect(api.requests).toEqual([]);
  });

  it("a request without a project, which the sign-in does not name either", async () => {
    const { api, env } = await signedIn([]);
    expect(faultOf(await ask(modelAt(api.url, { ...env, ANTHROPIC_VERTEX_PROJECT_ID: undefined })))).toEqual({
      verdict: "fatal",
      reason: "No project for Vertex AI. Set ANTHROPIC_VERTEX_PROJECT_ID or GOOGLE_CLOUD_PROJECT to its id.",
    });
  });
});

it("needs a region that is one", () => {
  const problem = (CLOUD_ML_REGION?: string) => vertexProblem({ env: { CLOUD_ML_REGION }, baseURLFrom: "ANTHROPIC_VERTEX_BASE_URL" });
  expect([problem("us-east5"), problem(), problem("x.example/")]).toEqual([
    undefined,
    "No region for Vertex AI. Set CLOUD_ML_REGION to one, such as europe-west1, or to global.",
    'CLOUD_ML_REGION is "x.example/", which is no region\'s name. Set one such as europe-west1, or global.',
  ]);
});

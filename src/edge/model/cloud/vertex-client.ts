// Google's clients, loaded with the first request: credentials from wherever gcloud keeps them, and the translation of requests.
import { AnthropicVertex } from "@anthropic-ai/vertex-sdk/client";
import { type AuthClient, GoogleAuth } from "google-auth-library";
import type { ModelRequest } from "../../../agent/ports/model.ts";
import { errorText } from "../../../wording/error-text.ts";
import { answerTo, quietOnce } from "../anthropic-client.ts";
import type { Answer } from "../attempt.ts";
import { httpFetch } from "../http-fetch.ts";
import { requestEncoder } from "../request-body.ts";
import type { CloudOptions } from "./cloud.ts";
import { versioned } from "./versioned.ts";

type Sending = { version: string | undefined; signal: AbortSignal; retryCount: number };

/** Never throws. */
export type VertexClient = (request: ModelRequest, sending: Sending) => Promise<Answer>;

type Place = Pick<CloudOptions, "env"> & { region: string; baseURL: string; projectId: string | undefined };

export function vertexClient(place: Place): VertexClient {
  let signedIn: Promise<{ client: AnthropicVertex; authClient: AuthClient }> | undefined;
  const encode = requestEncoder();
  return async (request, { version, ...sending }) => {
    try {
      signedIn ??= signIn(place);
      await (await signedIn).authClient.getRequestHeaders(); // a token that is still good is kept
    } catch (error) {
      signedIn = undefined;
      return withoutToken(error);
    }
    const { client } = await signedIn;
    if (!client.projectId) return { kind: "no_credentials", reason: noProject };
    return answerTo(client, { body: versioned(Buffer.concat(encode(request)), version), ...sending });
  };
}

async function signIn({ env, region, baseURL, projectId }: Place) {
  const keyFilename = env["GOOGLE_APPLICATION_CREDENTIALS"]?.trim();
  const auth = new GoogleAuth({ scopes: "https://www.googleapis.com/auth/cloud-platform", ...(keyFilename && { keyFilename }) });
  const authClient = await auth.getClient();
  const project = projectId ?? authClient.projectId ?? authClient.quotaProjectId ?? null;
  const client = new AnthropicVertex({ region, baseURL, projectId: project, authClient, fetch: httpFetch(), ...quietOnce });
  return { client, authClient };
}

const noProject = "No project for Vertex AI. Set ANTHROPIC_VERTEX_PROJECT_ID or GOOGLE_CLOUD_PROJECT to its id.";

const ways = "Sign in with gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS to the file of a service account.";

function withoutToken(error: unknown): Answer {
  const said = errorText(error);
  if (/Could not load the default credentials/.test(said))
    return { kind: "no_credentials", reason: `No Google credentials for Vertex AI. ${ways}` };
  if (/invalid_grant|invalid_rapt|reauth/i.test(said))
    return { kind: "no_credentials", reason: `The Google credentials have expired or were withdrawn (${said}). ${ways}` };
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" && /^[A-Z]+$/.test(error.code) ? error.code : undefined;
  return code && code !== "ENOENT"
    ? { kind: "unreachable", code }
    : { kind: "no_credentials", reason: `No Google credentials for Vertex AI: ${said}. ${ways}` };
}

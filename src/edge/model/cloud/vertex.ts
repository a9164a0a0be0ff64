// Models of Google's Vertex AI, as the Model port: addressed by project and region, with the person's Google credentials.
import type { Model, ModelFault } from "../../../agent/ports/model.ts";
import { faultOfAnswer, type Refused, serverOf } from "../api-faults.ts";
import { attemptOnce, type NoStream } from "../attempt.ts";
import { addressProblem, type CloudOptions, firstOf, fromPlace, namedIn } from "./cloud.ts";
import { isOlder, vertexName } from "./cloud-names.ts";
import type { VertexClient } from "./vertex-client.ts";

export function vertexModel(options: CloudOptions): Model {
  let opened: Promise<VertexClient> | undefined;
  return {
    async attempt(request, { signal, retryCount, ...listeners }) {
      const problem = vertexProblem(options);
      if (problem) return { kind: "fault", fault: { verdict: "fatal", reason: problem } };
      const region = regionOf(options.env);
      const baseURL = addressOf(options, region);
      opened ??= import("./vertex-client.ts").then(({ vertexClient }) =>
        vertexClient({ env: options.env, region, baseURL, projectId: firstOf(options.env, projectVariables) }),
      );
      const client = await opened;
      const id = vertexName(request.model);
      const version = options.apiVersion || isOlder(id) ? olderVersion : undefined;
      const asked = { id, region, server: serverOf(baseURL), addressFrom: options.baseURLFrom };
      const outcome = await attemptOnce(
        {
          send: (sending) => client({ ...request, model: id }, { version, signal: sending, retryCount }),
          faultOf: (answer) => vertexFault(answer, asked),
          idleMs: options.idleTimeoutMs,
        },
        { signal, ...listeners },
      );
      return fromPlace(outcome, region === "global" ? undefined : region);
    },
  };
}

/** One sentence if these options cannot reach Vertex AI. Whether there are credentials is found out by the first request. */
export function vertexProblem(options: CloudOptions): string | undefined {
  const region = regionOf(options.env);
  if (region === "") return "No region for Vertex AI. Set CLOUD_ML_REGION to one, such as europe-west1, or to global.";
  if (!/^[a-z0-9-]+$/.test(region))
    return `CLOUD_ML_REGION is "${region}", which is no region's name. Set one such as europe-west1, or global.`;
  return addressProblem(options);
}

/** Where the credentials come from, never their text, and what they are for. */
export function vertexAccess(options: CloudOptions): string {
  const source = options.env["GOOGLE_APPLICATION_CREDENTIALS"]?.trim()
    ? "GOOGLE_APPLICATION_CREDENTIALS"
    : "gcloud or the machine's account";
  const project = namedIn(options.env, projectVariables);
  const server = options.baseURL?.trim() ? `, through ${serverOf(options.baseURL.trim())}` : "";
  const whose = project ? `project ${options.env[project]}` : "their own project";
  return `${source}, for Vertex AI in ${regionOf(options.env)} and ${whose}${server}`;
}

/** The version that Vertex AI had before it took those of the provider. */
const olderVersion = "vertex-2023-10-16";

const projectVariables = ["ANTHROPIC_VERTEX_PROJECT_ID", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT"];

const regionOf = (env: CloudOptions["env"]) => firstOf(env, ["CLOUD_ML_REGION", "GOOGLE_CLOUD_LOCATION"]) ?? "";

function addressOf({ baseURL }: CloudOptions, region: string): string {
  const hosts: Record<string, string> = {
    global: "aiplatform.googleapis.com",
    us: "aiplatform.us.rep.googleapis.com",
    eu: "aiplatform.eu.rep.googleapis.com",
  };
  return baseURL?.trim() || `https://${hosts[region] ?? `${region}-aiplatform.googleapis.com`}/v1`;
}

type Asked = { id: string; region: string; server: string; addressFrom: string };

function vertexFault(answer: NoStream, asked: Asked): ModelFault {
  const at = {
    server: asked.server,
    keyVariable: "Google's sign-in",
    addressFrom: asked.addressFrom,
    now: new Date(),
    advice: (refused: Refused) => adviceOn(refused, asked),
  };
  const fault = faultOfAnswer(answer.kind === "refused" ? { ...answer, body: bodyOf(answer.body) } : answer, at);
  if (answer.kind !== "unreachable" || answer.code !== "ENOTFOUND") return fault;
  return { ...fault, reason: `${fault.reason} Is "${asked.region}" a region of Vertex AI?` };
}

/** Google puts the error of a stream into a list: https://google.aip.dev/193 */
function bodyOf(body: unknown): unknown {
  return Array.isArray(body) ? body[0] : body;
}

function adviceOn({ status, message }: Refused, { id, region }: Asked): string | undefined {
  if (status === 401) return `Google refuses the credentials. Sign in again: gcloud auth application-default login`;
  if (status === 403 && /has not been used|disabled/i.test(message)) return "Switch the API aiplatform.googleapis.com on in that project.";
  if (status === 403)
    return "The account needs the role Vertex AI User (aiplatform.endpoints.predict) in that project. ANTHROPIC_VERTEX_PROJECT_ID names another one.";
  if (status === 404)
    return `"${id}" was asked for in ${region}. Check the model's name and CLOUD_ML_REGION, and switch the model on in the Model Garden of Vertex AI.`;
  return undefined;
}

// A local forge for the demo and the tests: the parts of GitHub's REST API that batches and `gh api` use, and git over HTTP, in front of a
// bare repository. It reads that repository and refuses what GitHub refuses.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { serveGit } from "./loopback-git.ts";
import { type LoopbackPull, pullRequests } from "./loopback-pulls.ts";

export type LoopbackOptions = {
  owner: string;
  repository: string;
  /** The bare repository. */
  folder: string;
  token: string;
  /** If set, serves https. */
  tls?: { key: string; cert: string };
};

/** `lost`: the request is carried out, but the answer does not arrive. */
export type LoopbackFault = { status: number; headers?: Record<string, string>; message: string } | { kind: "silent" | "lost" };

export type LoopbackForge = {
  /** For GITHUB_API_URL. */
  api: string;
  /** The address for the remote. */
  remote: string;
  /** `127.0.0.1:1234`; with https `localhost:1234`. */
  host: string;
  pulls: () => LoopbackPull[];
  /** Every request to the API, in order: `POST /repos/acme/app/pulls`. */
  requests: () => string[];
  /** Answers the next API request whose method and path begin with `request` with this fault. */
  failNext: (request: string, fault: LoopbackFault) => void;
  close: () => Promise<void>;
};

export async function loopbackForge(options: LoopbackOptions): Promise<LoopbackForge> {
  const { owner, repository, tls } = options;
  const requests: string[] = [];
  const faults: { request: string; fault: LoopbackFault }[] = [];
  const rules = pullRequests(options, () => base);
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    serve(request, response, { options, requests, faults, rules }).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  const server: Server = tls ? createSecureServer(tls, (...pair) => void answer(...pair)) : createServer((...pair) => void answer(...pair));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const host = tls ? `localhost:${port}` : `127.0.0.1:${port}`;
  const base = `${tls ? "https" : "http"}://${host}`;
  return {
    api: `${base}/api/v3`,
    remote: `${base}/${owner}/${repository}.git`,
    host,
    pulls: rules.all,
    requests: () => requests,
    failNext: (request, fault) => void faults.push({ request, fault }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Inside = {
  options: LoopbackOptions;
  requests: string[];
  faults: { request: string; fault: LoopbackFault }[];
  rules: ReturnType<typeof pullRequests>;
};

async function serve(request: IncomingMessage, response: ServerResponse, { options, requests, faults, rules }: Inside): Promise<void> {
  const url = new URL(request.url ?? "/", "http://loopback");
  const { owner, repository } = options;
  if (url.pathname.startsWith(`/${owner}/${repository}.git/`)) return serveGit(request, response, options);
  const path = url.pathname.replace(/^\/api\/v3(?=\/)/, "");
  const name = `${request.method} ${path}`;
  requests.push(name);
  const at = faults.findIndex((each) => name.startsWith(each.request));
  const fault = at === -1 ? undefined : faults.splice(at, 1)[0]!.fault;
  if (fault && "kind" in fault && fault.kind === "silent") return void request.resume(); // never answered
  if (fault && "status" in fault) return send(response, fault.status, { message: fault.message }, fault.headers);
  if (!isAuthorized(request, options)) return send(response, 401, { message: "Bad credentials" });
  const result = await answerTo(
    { method: request.method ?? "GET", path, query: url.searchParams, body: await bodyOf(request) },
    options,
    rules,
  );
  if (fault) return void response.destroy();
  send(response, result.status, result.body);
}

const isAuthorized = ({ headers }: IncomingMessage, { token }: LoopbackOptions) =>
  [`Bearer ${token}`, `token ${token}`].includes(headers.authorization ?? "");

type Asked = { method: string; path: string; query: URLSearchParams; body: Record<string, unknown> };
export type Answered = { status: number; body: unknown };

async function answerTo({ method, path, query, body }: Asked, options: LoopbackOptions, rules: Inside["rules"]): Promise<Answered> {
  const full = `${options.owner}/${options.repository}`;
  const branches = `/repos/${full}/branches/`;
  if (method === "GET" && path.startsWith(branches)) return rules.branch(decodeURIComponent(path.slice(branches.length)));
  const labelled = new RegExp(`^/repos/${full}/issues/(\\d+)/labels$`).exec(path)?.[1];
  if (method === "POST" && labelled) return rules.label(Number(labelled), body);
  switch (`${method} ${path}`) {
    case "GET /user":
      return { status: 200, body: { login: "demo" } };
    case `GET /repos/${full}`:
      return { status: 200, body: { full_name: full, archived: false, permissions: { push: true } } };
    case `GET /repos/${full}/pulls`:
      return rules.list(query);
    case `POST /repos/${full}/pulls`:
      return rules.open(body);
    default:
      return { status: 404, body: { message: "Not Found" } };
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // a GET has no body
  }
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
  response.end(JSON.stringify(body));
}

// A remote MCP server that wants a login, with its authorization server, both on one port of loopback, as strict as the standards: PKCE is checked, a code
// works once and for the registered address only, a refresh token works once.
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type Told = { path: string; authorization: string | undefined; body: string };

export type LoginServer = {
  url: string;
  /** Everything that it was sent, in order. */
  told: Told[];
  /** No access token that it has given counts any longer. */
  expire(): void;
  /** No refresh token counts any longer. */
  revoke(): void;
  /** From now on answers at this path send on to that address. */
  sendOn(path: string, to: string): void;
  /** What the person says on its page: without it they agree. */
  refusal?: string;
  /** How it refuses to register clients. */
  registration?: "none" | "refused";
  /** Another authorization server, which it names instead of its own. */
  authority?: string;
};

type Grant = { redirect: string; challenge: string };

export async function loginServer(): Promise<LoginServer> {
  const access = new Set<string>();
  const refresh = new Set<string>();
  const grants = new Map<string, Grant>();
  const clients = new Map<string, string[]>();
  const elsewhere = new Map<string, string>();
  const told: Told[] = [];
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: LoginServer = {
    url: `${base}/mcp`,
    told,
    expire: () => access.clear(),
    revoke: () => refresh.clear(),
    sendOn: (path, to) => void elsewhere.set(path, to),
  };
  const json = (response: ServerResponse, status: number, value: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  const tokens = () => {
    const [one, two] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    access.add(one);
    refresh.add(two);
    return { access_token: one, refresh_token: two, token_type: "Bearer", expires_in: 3_600 };
  };
  const granted = (form: URLSearchParams): boolean => {
    if (form.get("grant_type") === "refresh_token") return refresh.delete(form.get("refresh_token") ?? "");
    const grant = grants.get(form.get("code") ?? "");
    grants.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    return grant?.challenge === challenge && grant.redirect === form.get("redirect_uri");
  };
  const authorize = ({ searchParams: asked }: URL, response: ServerResponse) => {
    const redirect = asked.get("redirect_uri") ?? "";
    if (!clients.get(asked.get("client_id") ?? "")?.includes(redirect))
      return response.writeHead(400).end("This address is not registered.");
    const back = new URL(redirect);
    back.searchParams.set("state", asked.get("state") ?? "");
    if (server.refusal !== undefined) back.searchParams.set("error", server.refusal);
    else {
      const code = randomUUID();
      grants.set(code, { redirect, challenge: asked.get("code_challenge") ?? "" });
      back.searchParams.set("code", code);
    }
    response.writeHead(302, { location: back.href }).end();
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", base);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString("utf8");
    const { authorization } = request.headers;
    told.push({ path: url.pathname, authorization, body });
    const to = elsewhere.get(url.pathname);
    if (to !== undefined) return response.writeHead(307, { location: to }).end();
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return json(response, 200, { resource: server.url, authorization_servers: [server.authority ?? base] });
      case "/.well-known/oauth-authorization-server":
        return json(response, 200, { ...metadata(base), ...(server.registration === "none" && { registration_endpoint: undefined }) });
      case "/register": {
        if (server.registration === "refused") return json(response, 403, { error: "access_denied" });
        const client = { ...(JSON.parse(body) as { redirect_uris: string[] }), client_id: randomUUID() };
        clients.set(client.client_id, client.redirect_uris);
        return json(response, 201, client);
      }
      case "/authorize":
        return authorize(url, response);
      case "/token":
        return granted(new URLSearchParams(body)) ? json(response, 200, tokens()) : json(response, 400, { error: "invalid_grant" });
      case "/mcp": {
        if (access.has((authorization ?? "").replace("Bearer ", ""))) return mcp(body, response, json);
        const challenge = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
        return response.writeHead(401, { "www-authenticate": challenge }).end();
      }
      default:
        return response.writeHead(404).end();
    }
  };
  return server;
}

const metadata = (base: string) => ({
  issuer: base,
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${base}/token`,
  registration_endpoint: `${base}/register`,
  response_types_supported: ["code"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
});

type Request = { id?: number; method?: string; params?: Record<string, unknown> };

function mcp(body: string, response: ServerResponse, json: (response: ServerResponse, status: number, value: unknown) => unknown): unknown {
  const { id, method, params } = JSON.parse(body === "" ? "{}" : body) as Request;
  if (id === undefined) return response.writeHead(202).end();
  const results: Record<string, unknown> = {
    initialize: { protocolVersion: params?.["protocolVersion"], capabilities: { tools: {} }, serverInfo: { name: "remote", version: "1" } },
    "tools/list": { tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "seen" }] },
  };
  const result = results[method ?? ""];
  json(response, 200, { jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32_601, message: "no" } }) });
}

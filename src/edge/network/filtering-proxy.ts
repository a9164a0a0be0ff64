// The only way out of the commands' network namespace: an HTTP proxy that asks about each host, and looks at what the client then says.
import { type ClientRequest, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, isIP, type Socket, type TcpNetConnectOpts } from "node:net";
import type { Duplex } from "node:stream";
import type { NetworkRequest } from "../../agent/ports/network-port.ts";
import { errorText } from "../../wording/error-text.ts";
import { type AddressesOf, bySystem, connectionProblem, onlyTo } from "../resolver.ts";
import { kindOf } from "../web-address.ts";
import { metered } from "./metered.ts";
import { readGreeting } from "./tls-greeting.ts";

type Options = NetworkRequest & { addressesOf: AddressesOf };

/** Not listening: connections are handed to it. */
export function filteringProxy(requests: NetworkRequest, addressesOf = bySystem): Server {
  const options: Options = { ...requests, addressesOf };
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing, options));
  server.on("connect", (incoming, client, head) => void tunnel({ incoming, client, head }, options));
  server.on("upgrade", (_, client) => refuse(client, "only requests and TLS pass this proxy"));
  server.on("clientError", (_, client) => client.destroy());
  return server;
}

type Place = { host: string; port: number };
type Reached = { ok: true; way: Pick<TcpNetConnectOpts, "host" | "lookup"> } | { ok: false; reason: string };

/** Where a connection may go: all addresses are looked at, once, and the first of those that answers is connected to. */
async function reach(place: Place, { decide, decideAddresses, onFailed, addressesOf }: Options): Promise<Reached> {
  const verdict = await decide(place);
  if (!verdict.allowed) return { ok: false, reason: verdict.reason };
  const found = await addressesOf(place.host).catch((error: unknown) => `${place.host} cannot be resolved: ${errorText(error)}`);
  if (typeof found === "string" || found.length === 0) {
    const reason = typeof found === "string" ? found : `${place.host} has no address`;
    onFailed(place, reason);
    return { ok: false, reason };
  }
  const there = await decideAddresses(
    place,
    found.map((one) => ({ address: one, kind: kindOf(one) })),
  );
  return there.allowed ? { ok: true, way: { host: place.host, lookup: onlyTo(found) } } : { ok: false, reason: there.reason };
}

async function tunnel(
  { incoming, client, head }: { incoming: IncomingMessage; client: Duplex; head: Buffer },
  options: Options,
): Promise<void> {
  client.on("error", () => client.destroy());
  const place = placeOf(`https://${incoming.url ?? ""}`, 443);
  if (!place || !/^(?:[^/@?#]+|\[[^\]]*\]):\d+$/.test(incoming.url ?? ""))
    return refuse(client, `"${incoming.url}" is no host with a port`, 400);
  const reached = await reach(place, options);
  if (!reached.ok) return refuse(client, reached.reason);
  if (client.destroyed) return;
  const server = connect({ ...reached.way, port: place.port, timeout: connectMs });
  server.once("timeout", () => server.destroy(new Error(`${place.host} does not answer`)));
  let isOpen = false;
  server.once("error", (error) => {
    if (isOpen) return client.destroy();
    options.onFailed(place, connectionProblem(error));
    refuse(client, connectionProblem(error), 502);
  });
  server.once("connect", () => {
    isOpen = true;
    server.setTimeout(0);
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) client.unshift(head);
    greeted(client, place.host, (problem, bytes) => {
      if (problem !== undefined) {
        options.onRefused(place, problem);
        client.destroy();
        server.destroy();
        return;
      }
      metered(server, (carried) => options.onTraffic({ ...place, ...carried }));
      server.write(bytes);
      joined(client, server);
    });
  });
  client.once("close", () => server.destroy());
}

const connectMs = 30_000;
const greetingMs = 30_000;
/** Each piece is read from the beginning; a greeting comes in a few. */
const mostPieces = 100;

/** Holds what the client sends first until it is known to ask for that host in TLS. */
function greeted(client: Duplex, host: string, then: (problem: string | undefined, bytes: Buffer) => void): void {
  let bytes = Buffer.alloc(0);
  let pieces = 0;
  const late = setTimeout(() => end("it said nothing"), greetingMs);
  const end = (problem: string | undefined) => {
    clearTimeout(late);
    client.off("data", onData).off("close", onClose);
    client.pause();
    then(problem, bytes);
  };
  const onClose = () => end("it closed the connection");
  const onData = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const greeting = readGreeting(bytes);
    if (greeting.kind === "partial" && ++pieces < mostPieces) return;
    if (greeting.kind === "hidden") end("it may ask there for another name, which it encrypts (ECH)");
    else if (greeting.kind !== "greeting") end("it does not speak TLS");
    else if (greeting.name !== undefined || !isIP(host))
      end(greeting.name === host ? undefined : `it asks there for ${greeting.name ?? "no name"}`);
    else end(undefined);
  };
  client.on("data", onData).once("close", onClose);
}

/** Pipes both ways until both have ended. */
function joined(client: Duplex, server: Socket): void {
  client.pipe(server);
  server.pipe(client);
  server.once("error", () => client.destroy());
  server.once("close", () => client.destroy());
}

/** A plain request, with the whole address in its first line. */
async function forward(incoming: IncomingMessage, outgoing: ServerResponse, options: Options): Promise<void> {
  const place = incoming.url?.startsWith("http://") ? placeOf(incoming.url, 80) : undefined;
  if (!place) return answer(outgoing, 400, `"${incoming.url}" is no address of a plain HTTP request`);
  const reached = await reach(place, options);
  if (!reached.ok) return answer(outgoing, 403, reached.reason);
  const { pathname, search, host } = new URL(incoming.url!);
  const headers = { ...incoming.headers, host };
  for (const name of Object.keys(headers)) if (ofOneHop.test(name)) delete headers[name as keyof typeof headers];
  // Else node sends the body of a GET without a length, and the server reads a second request in it.
  if (incoming.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  const { method } = incoming;
  const passed: ClientRequest = request({
    ...reached.way,
    port: place.port,
    method,
    path: `${pathname}${search}`,
    headers,
    agent: false,
  });
  let counted = () => {};
  passed.once("socket", (socket) => {
    counted = metered(socket, (carried) => options.onTraffic({ ...place, ...carried }));
  });
  passed.once("error", (error) => {
    if (outgoing.headersSent || outgoing.destroyed) return outgoing.destroy();
    options.onFailed(place, connectionProblem(error));
    answer(outgoing, 502, connectionProblem(error));
  });
  passed.once("response", (response) => {
    for (const name of Object.keys(response.headers)) if (ofOneHop.test(name)) delete response.headers[name];
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  outgoing.once("close", () => {
    counted();
    passed.destroy();
  });
  incoming.pipe(passed);
}

const ofOneHop = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

/** A host as URLs have it: lower case, ASCII, a number as an address, without final dots, which a resolver ignores; of IPv6 without its brackets. */
function placeOf(url: string, otherwise: number): Place | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  const bare = `http://${hostname.replace(/\.+$/, "")}/`; // `127.1..` is a name to a URL, and an address without its dots
  if (!URL.canParse(bare)) return undefined;
  return { host: new URL(bare).hostname.replace(/^\[|\]$/g, ""), port: port === "" ? otherwise : Number(port) };
}

function refuse(client: Duplex, reason: string, code = 403): void {
  const body = `${sentence(reason)}\n`;
  client.end(
    `HTTP/1.1 ${code} ${code === 403 ? "Forbidden" : "Failed"}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function answer(outgoing: ServerResponse, code: number, reason: string): void {
  outgoing.writeHead(code, { "content-type": "text/plain" }).end(`${sentence(reason)}\n`);
}

const sentence = (reason: string) => `The sandbox's proxy refused this: ${reason.replace(/\.$/, "")}.`;

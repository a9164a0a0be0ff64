// Commands in the network namespace of a session, with real processes, servers and TLS: what gets out, and what does not.
import { spawn } from "node:child_process";
import { createServer as createHttpServer, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { FoundAddress, HostPlace, HostVerdict, Traffic } from "../../../src/agent/ports/network-port.ts";
import { byHost } from "../../../src/agent/traffic.ts";
import { sessionNamespace } from "../../../src/edge/network/session-namespace.ts";
import { beginning, tryBwrap } from "../../../src/edge/shell/sandbox/bwrap.ts";
import { lacks } from "../../needs.ts";
import { eventually } from "../../scratch.ts";
import { localhostCertificate } from "../forge/certificate.ts";

const noSandbox = await lacks("sandbox");

async function listening<S extends Server>(server: S): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const open: HostVerdict = { allowed: true };

async function network(
  decide: (place: HostPlace) => HostVerdict,
  {
    named = [],
    decideAddresses = () => open,
  }: { named?: string[]; decideAddresses?: (place: HostPlace, found: FoundAddress[]) => HostVerdict } = {},
) {
  const bwrap = await tryBwrap();
  if (bwrap.kind !== "works") throw new Error(bwrap.why);
  const [traffic, refused, failed]: [Traffic[], string[], string[]] = [[], [], []];
  const made = await sessionNamespace(bwrap.base, {
    decide: async (place) => decide(place),
    decideAddresses: async (place, found) => decideAddresses(place, found),
    isNamed: (host) => named.includes(host),
    onFailed: ({ host }, reason) => failed.push(`${host}: ${reason}`),
    onTraffic: (one) => traffic.push(one),
    onRefused: ({ host }, problem) => refused.push(`${host}: ${problem}`),
  });
  if (!made) throw new Error("There is no namespace");
  onTestFinished(made.close);
  /** Runs code of Node inside, with the proxy's variables. */
  const inside = (code: string) =>
    new Promise<string>((resolve) => {
      const [program, ...args] = [...beginning(bwrap.base, made), process.execPath, "-e", code];
      const child = spawn(program, args, { env: made.env(), stdio: ["ignore", "pipe", "pipe"] });
      let said = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (bytes: Buffer) => {
          said += bytes.toString();
        });
      child.once("close", () => resolve(said.trim()));
    });
  return { inside, traffic, refused, failed };
}

/** A request through the proxy, as curl sends one. */
const plain = (url: string) => `
const proxy = new URL(process.env.HTTP_PROXY);
require("http").get({ host: proxy.hostname, port: proxy.port, path: "${url}", headers: { host: new URL("${url}").host } }, (answer) => {
  let text = ""; answer.on("data", (part) => (text += part)); answer.on("end", () => console.log(answer.statusCode, text.trim()));
}).on("error", (error) => console.log(error.message));`;

/** A tunnel to that place, and in it TLS for that name, or these bytes. */
const tunnel = (place: string, name: string | undefined, bytes = "") => `
const proxy = new URL(process.env.HTTPS_PROXY);
const request = require("http").request({ host: proxy.hostname, port: proxy.port, method: "CONNECT", path: "${place}" });
request.on("connect", (answer, socket, head) => {
  if (answer.statusCode !== 200) { let text = String(head); socket.on("data", (part) => (text += part)); socket.on("close", () => console.log(answer.statusCode, text.trim())); return; }
  socket.on("close", () => console.log("closed"));
  ${
    name === undefined
      ? `socket.on("data", (part) => console.log(String(part))); socket.write("${bytes}");`
      : `const inner = require("tls").connect({ socket, servername: "${name}", rejectUnauthorized: false }, () => inner.write("GET / HTTP/1.0\\r\\n\\r\\n"));
  inner.on("data", (part) => console.log(String(part).split("\\r\\n").at(-1))); inner.on("error", (error) => console.log(error.message));`
  }
});
request.on("error", (error) => console.log(error.message));
request.end();`;

const answers: RequestListener = (request, response) => response.end(`${request.method} ${request.url} for ${request.headers.host}`);

it.skipIf(noSandbox)("lets out what is allowed, counts it, and refuses the rest with its reason", async () => {
  const port = await listening(createHttpServer(answers));
  const { inside, traffic } = await network(({ host }) =>
    host === "127.0.0.1" ? open : { allowed: false, reason: `no rule allows ${host}` },
  );
  expect(await inside(plain(`http://127.0.0.1:${port}/a?b`))).toBe(`200 GET /a?b for 127.0.0.1:${port}`);
  expect(await inside(plain("http://example.org/"))).toBe("403 The sandbox's proxy refused this: no rule allows example.org.");
  await eventually(() => traffic.length > 1);
  expect(traffic[0]).toEqual({ host: "127.0.0.1", port, sent: 0, received: 0 }); // before anything is sent
  const [all] = byHost(traffic);
  expect(all).toMatchObject({ host: "127.0.0.1", connections: 1 });
  expect(all!.sent).toBeGreaterThan("GET /a?b HTTP/1.1\r\n".length);
  expect(all!.received).toBeGreaterThan("HTTP/1.1 200 OK\r\n".length);
});

it.skipIf(noSandbox)("has recorded what a connection carries before it ends, since the program may be killed", async () => {
  const held: ServerResponse[] = [];
  const hold: RequestListener = (_, response) => {
    response.write("first");
    held.push(response);
  };
  const { cert, key } = localhostCertificate();
  const [port, secure] = [await listening(createHttpServer(hold)), await listening(createHttpsServer({ cert, key }, hold))];
  const { inside, traffic } = await network(() => open);
  const ends = [inside(plain(`http://127.0.0.1:${port}/`)), inside(tunnel(`localhost:${secure}`, "localhost"))];
  const carried = () => byHost(traffic).filter(({ sent, received }) => sent > 0 && received > 0);
  await eventually(() => held.length === 2 && carried().length === 2);
  for (const response of held) response.end();
  await Promise.all(ends);
  expect(carried().map(({ connections }) => connections)).toEqual([1, 1]);
});

it.skipIf(noSandbox)("passes no second request in the body of one, and takes a name with final dots for the same host", async () => {
  const heard: string[] = [];
  const server = createHttpServer((request, response) => {
    heard.push(request.url ?? "");
    request.resume().on("end", () => response.end("ok"));
  });
  const port = await listening(server.on("clientError", () => heard.push("nonsense")));
  const { inside } = await network(({ host }) => (host === "127.0.0.1" ? open : { allowed: false, reason: `no rule allows ${host}` }));
  const hidden = "GET /hidden HTTP/1.1\\r\\nHost: elsewhere.example\\r\\n\\r\\n";
  const said = await inside(`
const proxy = new URL(process.env.HTTP_PROXY);
const socket = require("net").connect(proxy.port, proxy.hostname).on("data", (part) => console.log(String(part))).on("close", () => process.exit());
socket.write("GET http://127.0.0.1:${port}/a HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n31\\r\\n${hidden}\\r\\n0\\r\\n\\r\\n")`);
  expect([said.split("\n")[0]?.trim(), heard]).toEqual(["HTTP/1.1 200 OK", ["/a"]]);
  expect(await inside(plain("http://Elsewhere.Example../"))).toBe(
    "403 The sandbox's proxy refused this: no rule allows elsewhere.example.",
  );
});

it.skipIf(noSandbox)("has no other way out: no address, no resolver, no server of this machine", async () => {
  const port = await listening(createHttpServer(answers));
  const refuses = ({ host }: HostPlace, found: FoundAddress[]): HostVerdict => ({
    allowed: false,
    reason: `${host} leads to ${found[0]?.address}, an address of ${found[0]?.kind}`,
  });
  const { inside } = await network(() => open, { decideAddresses: refuses });
  expect(await inside(`fetch("http://127.0.0.1:${port}/").catch((error) => console.log(error.cause.code))`)).toBe("ECONNREFUSED");
  expect(await inside(`require("dns").lookup("example.org", (error) => console.log(error.code))`)).toMatch(/EAI_AGAIN|ENOTFOUND/);
  expect(await inside(`require("net").connect(80, "192.0.2.1").on("error", (error) => console.log(error.code))`)).toBe("ENETUNREACH");
  expect(await inside(plain(`http://localhost:${port}/`))).toMatch(
    /^403 .*localhost leads to (?:127\.0\.0\.1|::1), an address of this machine/,
  );
  expect(await inside(plain(`http://127.0.0.1:${port}/`))).toMatch(/^403 .*127\.0\.0\.1 leads to 127\.0\.0\.1/);
});

it.skipIf(noSandbox)("reaches an address of this machine that was answered for, and says what did not come about", async () => {
  const port = await listening(createHttpServer(answers));
  const { inside, failed } = await network(() => open);
  expect(await inside(plain(`http://localhost:${port}/`))).toMatch(/^200 GET/);
  expect(await inside(tunnel("localhost:1", "localhost"))).toMatch(/^502 .*ECONNREFUSED/);
  expect(await inside(plain("http://nowhere.invalid/"))).toMatch(/^403 .*nowhere\.invalid cannot be resolved/);
  expect(failed).toEqual([
    expect.stringMatching(/^localhost: connect ECONNREFUSED/),
    expect.stringMatching(/^nowhere\.invalid: nowhere\.invalid cannot be resolved/),
  ]);
});

it.skipIf(noSandbox)("passes TLS to the host that was allowed, and nothing else on such a connection", async () => {
  const { cert, key } = localhostCertificate();
  const port = await listening(createHttpsServer({ cert, key }, answers));
  const { inside, refused, traffic } = await network(() => open);
  expect(await inside(tunnel(`localhost:${port}`, "localhost"))).toBe("GET / for undefined\nclosed");
  expect(await inside(tunnel(`localhost:${port}`, "elsewhere.example"))).toContain("closed");
  expect(await inside(tunnel(`localhost:${port}`, undefined, "SSH-2.0-x\\r\\n"))).toBe("closed");
  expect(refused).toEqual(["localhost: it asks there for elsewhere.example", "localhost: it does not speak TLS"]);
  expect(byHost(traffic).map(({ host, connections }) => [host, connections])).toEqual([["localhost", 1]]);
});

it.skipIf(noSandbox)("is one network for all commands of the session", async () => {
  const { inside } = await network(() => ({ allowed: false, reason: "no" }));
  const server = inside(
    `const server = require("net").createServer((socket) => socket.end("hello", () => server.close())).listen(4321, "127.0.0.1")`,
  );
  const client = `const again = () => require("net").connect(4321, "127.0.0.1").on("data", (text) => console.log(String(text))).on("error", () => setTimeout(again, 50)); again()`;
  expect(await inside(client)).toBe("hello");
  await server;
});

it.skipIf(noSandbox)("answers nonsense with a reason and goes on", async () => {
  const echo = await listening(createTcpServer((socket) => socket.pipe(socket)));
  const { inside } = await network(() => open);
  expect(await inside(tunnel("nonsense", "x"))).toMatch(/^400 .*"nonsense" is no host with a port/);
  expect(await inside(tunnel(`127.0.0.1:${echo}`, undefined, "GET / HTTP/1.0\\r\\n\\r\\n"))).toBe("closed");
  expect(await inside(plain("http://127.0.0.1:1/"))).toMatch(/^502 .*ECONNREFUSED/);
});

import { execFileSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { web } from "../../../src/edge/web.ts";
import { reachOf } from "../../../src/edge/web-address.ts";
import type { ToolResult } from "../../../src/tools/tool.ts";
import type { GetOrder, JudgeUrl } from "../../../src/tools/web/web.ts";
import { webFetchTool } from "../../../src/tools/web/web-fetch.ts";
import { lacks } from "../../needs.ts";
import { eventually } from "../../scratch.ts";
import { tree } from "../tree.ts";

// One server on loopback; `public.test` and `other.test` are names for it that the address check must resolve.
let server: Server;
let port: number;
let requests: { method?: string; url?: string; headers: string[] }[];
let asked: string[];
let traffic: (Parameters<GetOrder["onTraffic"]>[0] & { hostname: string })[];
const no = new Set<string>();

const pages: Record<string, RequestListener> = {
  "/text": (_, response) => response.setHeader("content-type", "text/plain; charset=iso-8859-1").end(Buffer.from("caf\xe9", "latin1")),
  "/html": (_, response) =>
    response
      .setHeader("content-type", "text/html")
      .end("<title>t</title><script>evil()</script><h1>Head</h1><p>One <a href='/x'>link</a> &amp; two<table><tr><td>a<td>b</table>"),
  "/json": (_, response) => response.setHeader("content-type", "application/json").end('{"a":1}'),
  "/image": (_, response) => response.setHeader("content-type", "image/png").end("x"),
  "/hidden-binary": (_, response) => response.setHeader("content-type", "text/plain").end("a\0b"),
  "/missing": (_, response) => response.writeHead(404, { "content-type": "text/plain" }).end("nothing here"),
  "/gzip": (_, response) => response.setHeader("content-encoding", "gzip").setHeader("content-type", "text/plain").end(gzipSync("packed")),
  "/brotli": (_, response) =>
    response.setHeader("content-encoding", "br").setHeader("content-type", "text/plain").end(brotliCompressSync("packed")),
  "/unknown-coding": (_, response) => response.setHeader("content-encoding", "zstd2").end("x"),
  "/bomb": (_, response) =>
    response
      .setHeader("content-encoding", "gzip")
      .setHeader("content-type", "text/plain")
      .end(gzipSync(Buffer.alloc(200 * 1024 * 1024, "x"))),
  "/endless": (_, response) => {
    response.setHeader("content-type", "text/plain");
    const write = () => {
      while (!response.destroyed && response.write("y".repeat(65_536)));
    };
    response.on("drain", write);
    write();
  },
  "/silent": () => {},
  "/torn": (_, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
    response.write("part", () => response.destroy());
  },
  "/deep": (_, response) => response.setHeader("content-type", "text/html").end(`${"<div>".repeat(100_000)}deep`),
  "/long": (_, response) => response.setHeader("content-type", "text/plain").end("z".repeat(40_000)),
  "/cookie": (_, response) => response.writeHead(302, { location: "/text", "set-cookie": "session=1" }).end(),
  "/ring": (_, response) => response.writeHead(302, { location: "/ring" }).end(),
  "/to-file": (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/to-credentials": (_, response) => response.writeHead(302, { location: `http://me:pw@127.0.0.1:${port}/text` }).end(),
  "/to-other": (_, response) => response.writeHead(307, { location: `http://other.test:${port}/text` }).end(),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, headers: Object.keys(request.headers).sort() });
    pages[request.url ?? ""]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
  asked = [];
  traffic = [];
  no.clear();
});

const names: Record<string, string[]> = { "public.test": ["127.0.0.1"], "other.test": ["127.0.0.1"], "mapped.test": ["::ffff:127.0.0.1"] };
const addressesOf = async (name: string) => names[name] ?? (/^[\d.:a-f]+$/.test(name) ? [name] : Promise.reject(new Error("no such name")));

async function get(
  url: string,
  { ca, signal = new AbortController().signal }: { ca?: string; signal?: AbortSignal } = {},
): Promise<ToolResult> {
  const judge: JudgeUrl = async (one, asking) => {
    asked.push(one);
    // The user may take any time; the time limit applies to servers only.
    expect(asking).toBe(signal);
    return no.has(one) ? { allowed: false, reason: "the person said no" } : { allowed: true, askedMs: 7 };
  };
  const tool = webFetchTool(web({ addressesOf, ca }), judge, ({ hostname }, carried) => traffic.push({ hostname, ...carried }));
  return tool.run({ url }, { signal });
}

const at = (path: string, host = "127.0.0.1") => `http://${host}:${port}${path}`;

it("gives text, HTML as text, and JSON as it is", async () => {
  expect([(await get(at("/text"))).text, (await get(at("/html"))).text, (await get(at("/json"))).text]).toEqual([
    `${at("/text")} answered 200:\ncafé`,
    `${at("/html")} answered 200:\nt\n\nHead\n\nOne link [/x] & two\n\nab`,
    `${at("/json")} answered 200:\n{"a":1}`,
  ]);
});

it("sends a GET without cookies or credentials, also after a redirect that sets some", async () => {
  expect(await get(at("/cookie"))).toMatchObject({ isError: false });
  const headers = ["accept", "accept-encoding", "connection", "host", "user-agent"];
  expect(requests).toEqual([
    { method: "GET", url: "/cookie", headers },
    { method: "GET", url: "/text", headers },
  ]);
});

it("refuses by type what is not text, and reports the status of a failure", async () => {
  expect(
    await Promise.all(["/image", "/hidden-binary", "/missing", "/unknown-coding"].map(async (path) => (await get(at(path))).text)),
  ).toEqual([
    `Cannot read "${at("/image")}": it is image/png, not text. Download it with a command, if that is allowed.`,
    `Cannot read "${at("/hidden-binary")}": it is a binary file.`,
    `${at("/missing")} answered 404:\nnothing here`,
    `Cannot get "${at("/unknown-coding")}": its content encoding zstd2 is not understood.`,
  ]);
  expect(await get(at("/missing"))).toMatchObject({ isError: true, summary: "status 404" });
});

it.each([
  ["ftp://example.com/x", "only http and https are fetched, not ftp:."],
  ["file:///etc/passwd", "only http and https are fetched, not file:."],
  ["http://me:pw@example.com/", "it has a user name or password in it."],
  ["example.com", "it is not a complete URL. Write https://host/path."],
  ["http://nowhere.test/", "the host nowhere.test is not known (no such name)."],
])("refuses %s", async (url, reason) => {
  expect(await get(url)).toEqual({ text: `Cannot get "${url}": ${reason}`, isError: true, summary: expect.any(String) });
  expect(requests).toEqual([]);
});

it("decompresses, and stops at the limit however small the compressed answer is", async () => {
  expect((await get(at("/gzip"))).text).toContain("packed");
  expect((await get(at("/brotli"))).text).toContain("packed");
  for (const path of ["/bomb", "/endless"]) {
    const { text } = await get(at(path));
    expect(text.slice(-70)).toContain("[cut here: 5212160 more characters]");
    expect(text.length).toBeLessThan(31_000);
  }
  expect((await get(at("/long"))).text).toContain("[cut here: 9280 more characters]");
});

it("is not blocked by a page of nested elements, a silent server or a torn answer", async () => {
  expect(await get(at("/deep"))).toMatchObject({ isError: false });
  const abort = new AbortController();
  const silent = get(at("/silent"), { signal: abort.signal });
  setTimeout(() => abort.abort(), 50);
  expect(await silent).toMatchObject({ isError: true, summary: "interrupted" });
  expect(await get(at("/torn"))).toMatchObject({ isError: true, summary: "failed" });
});

describe("the judge", () => {
  it("is not asked again for the address that the call named", async () => {
    await get(at("/text"));
    await get(at("/cookie"));
    expect(asked).toEqual([]);
  });

  it("is asked for each further host, and for the private address behind a public name", async () => {
    expect(await get(at("/to-other"))).toMatchObject({ isError: false, askedMs: 14 });
    expect(asked).toEqual([at("/text", "other.test"), at("/text")]);
  });

  it("stops a request that it does not allow, before anything is sent", async () => {
    no.add(at("/text", "127.0.0.1"));
    expect(await get(at("/text", "public.test"))).toMatchObject({
      isError: true,
      summary: "denied",
      denied: [{ tool: "WebFetch", subject: at("/text"), reason: "the person said no" }],
    });
    no.add(at("/text", "other.test"));
    expect((await get(at("/to-other"))).text).toBe(
      `Cannot get "${at("/to-other")}", which leads to "${at("/text", "other.test")}": the person said no.`,
    );
    expect(requests.map(({ url }) => url)).toEqual(["/to-other"]);
  });

  it("recognizes an IPv4 address inside an IPv6 address", async () => {
    no.add(`http://[::ffff:7f00:1]:${port}/text`);
    expect(await get(at("/text", "mapped.test"))).toMatchObject({ summary: "denied" });
  });

  it("refuses a redirect to another scheme, to credentials or in a circle", async () => {
    expect((await get(at("/to-file"))).text).toContain("only http and https are fetched, not file:");
    expect((await get(at("/to-credentials"))).text).toContain("it has a user name or password in it");
    expect((await get(at("/ring"))).text).toContain("it redirects more than 5 times");
    expect(requests.length).toBe(8);
  });

  it("decides about the address that is connected to: a name that resolves differently afterwards changes nothing", async () => {
    let looks = 0;
    const turning = web({ addressesOf: async () => [looks++ === 0 ? "127.0.0.1" : "127.0.0.2"] });
    const seen: string[] = [];
    const judge = async (url: string) => {
      seen.push(url);
      return { allowed: true } as const;
    };
    const result = await webFetchTool(turning, judge, () => {}).run(
      { url: at("/text", "turning.test") },
      { signal: new AbortController().signal },
    );
    expect([looks, seen, result.isError]).toEqual([1, [at("/text")], false]);
  });
});

it("reports what a request sends and receives, when it opens and when it has ended", async () => {
  await get(at("/text", "public.test"));
  await eventually(() => traffic.some(({ received }) => received > 0));
  expect(traffic[0]).toEqual({ hostname: "public.test", sent: 0, received: 0 });
  const further = traffic.slice(1);
  expect(further.every(({ more }) => more)).toBe(true);
  expect(further.reduce((sum, { sent }) => sum + sent, 0)).toBeGreaterThan("GET /text HTTP/1.1".length);
  expect(further.reduce((sum, { received }) => sum + received, 0)).toBeGreaterThan("HTTP/1.1 200 OK".length);
});

it("normalizes the notations of an address", async () => {
  for (const form of ["2130706433", "0x7f.1", "017700000001", "127.1"])
    expect(await get(at("/text", form))).toMatchObject({ isError: false });
  expect(asked).toEqual([]);
  expect(
    ["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"].map(reachOf),
  ).toEqual(Array(8).fill("private"));
  expect(
    ["::1", "::", "fe80::1", "fd00::1", "fd00:ec2::254", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::", "2001:0:1::", "x"].map(
      reachOf,
    ),
  ).toEqual(Array(10).fill("private"));
  const ofThisMachine = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => reachOf(address)) ?? []);
  expect(new Set([...["168.63.129.16", "::ffff:10.0.0.1", "fe80::1", "fd00::5", "not an address"].map(reachOf), ...ofThisMachine])).toEqual(
    new Set(["private"]),
  );
  expect(["1.1.1.1", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"].map(reachOf)).toEqual(Array(4).fill("public"));
});

it.skipIf(await lacks("openssl"))("checks certificates, against the name and not the address", async () => {
  const folder = tree();
  const subject = ["-subj", "/CN=public.test", "-addext", "subjectAltName=DNS:public.test"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder.at("k"), "-out", folder.at("c"), "-days", "2", ...subject],
    {
      stdio: "ignore",
    },
  );
  const [key, cert] = [folder.text("k"), folder.text("c")];
  folder.remove();
  const secure = createSecureServer({ key, cert }, (_, response) => response.setHeader("content-type", "text/plain").end("secure"));
  await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
  const url = (host: string) => `https://${host}:${(secure.address() as AddressInfo).port}/`;
  try {
    expect((await get(url("public.test"), { ca: cert })).text).toContain("secure");
    expect((await get(url("other.test"), { ca: cert })).text).toContain("does not match");
    expect((await get(url("public.test"))).text).toContain("self-signed certificate");
  } finally {
    secure.closeAllConnections();
    secure.close();
  }
});

it("leaves no listener on the signal of its call, however often it is used", async () => {
  const call = new AbortController();
  for (let count = 0; count < 12; count++)
    await webFetchTool(
      web({ addressesOf }),
      async () => ({ allowed: true }),
      () => {},
    ).run({ url: `http://127.0.0.1:${port}/text` }, { signal: call.signal, onOutput() {} });
  expect(getEventListeners(call.signal, "abort")).toEqual([]);
});

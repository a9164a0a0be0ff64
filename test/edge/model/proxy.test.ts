import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { anthropicModel } from "../../../src/edge/model/anthropic.ts";
import { proxies } from "../../../src/edge/model/proxy.ts";
import { startProxy } from "../../loopback-proxy.ts";
import { leastRequest, startMessagesApi, text } from "../../messages-api.ts";

afterEach(() => void vi.unstubAllEnvs());

/** The proxy for each of these addresses. */
async function through(variables: Record<string, string>, urls: string[]) {
  for (const name of ["http_proxy", "https_proxy", "all_proxy", "no_proxy"])
    for (const either of [name, name.toUpperCase()]) vi.stubEnv(either, variables[either]);
  const proxyFor = proxies({});
  return Promise.all(urls.map(async (url) => (await proxyFor(new URL(url)))?.proxy));
}

it("a proxy is the one that the variables name for the address, and none leads back to this machine", async () => {
  const urls = [
    "https://api.example",
    "http://api.example",
    "https://in.corp.example",
    "http://localhost:8080",
    "https://127.0.0.1",
    "http://[::1]:1",
  ];
  expect([
    await through({}, urls),
    await through({ HTTPS_PROXY: "http://ada:secret@proxy:3128", NO_PROXY: ".corp.example" }, urls),
    await through({ https_proxy: "proxy:3128", http_proxy: "https://other" }, urls),
    await through({ ALL_PROXY: "http://all", no_proxy: "*" }, urls),
  ]).toEqual([
    urls.map(() => undefined),
    ["http://proxy:3128", ...urls.slice(1).map(() => undefined)],
    ["http://proxy:3128", "https://other", "http://proxy:3128", undefined, undefined, undefined],
    urls.map(() => undefined),
  ]);
  await expect(through({ HTTPS_PROXY: "socks5://proxy" }, ["https://api.example"])).rejects.toMatchObject({
    code: "is not an http address",
  });
});

it("a plain server is asked through it, and a proxy that is not there is named without its password", async () => {
  const api = await startMessagesApi({ reply: [text("Hello.")] });
  const way = await startProxy({ host: "models.test", to: api.url });
  onTestFinished(async () => void (await Promise.all([api.close(), way.close()])));
  const ask = () =>
    anthropicModel({ apiKey: "sk-own", baseURL: "http://models.test" }).attempt(leastRequest, {
      signal: new AbortController().signal,
      retryCount: 0,
      onText: () => {},
    });
  vi.stubEnv("HTTP_PROXY", way.url);
  expect(await ask()).toMatchObject({ kind: "reply", message: { content: [text("Hello.")] } });
  expect(way.asked).toEqual(["models.test"]);
  vi.stubEnv("HTTP_PROXY", "http://ada:secret@127.0.0.1:1");
  expect(await ask()).toMatchObject({
    fault: {
      verdict: "retry",
      reason:
        "No connection to http://models.test through the proxy http://127.0.0.1:1 (ECONNREFUSED). Check HTTPS_PROXY, or name the server in NO_PROXY.",
    },
  });
});

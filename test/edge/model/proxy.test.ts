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
    proxy: "socks5://proxy",
  });
});

it.each([
  ["corp.example", "https://corp.example https://in.corp.example", "https://notcorp.example"],
  [".corp.example", "https://corp.example https://in.corp.example", "https://corp.example.org"],
  ["*.corp.example", "https://in.corp.example", "https://example"],
  ["a.example:8443  B.example", "https://a.example:8443 https://b.example:1", "https://a.example"],
  ["a.example:443", "https://a.example", "http://a.example https://a.example:8443"],
  ["10.0.0.0/8,192.168.1.7", "https://10.1.2.3 https://192.168.1.7:8443", "https://11.1.2.3 https://192.168.1.70 https://10.example"],
  ["fd00::/8, 2001:db8::1", "https://[fd12::1] https://[2001:db8::1]", "https://[fe80::1] https://[2001:db8::12]"],
  ["10.0.0.0/99, 10.0.0.0/x, /, :, 1.2.3", "", "https://10.1.2.3 https://1.2.3.4 https://a.example"],
])("NO_PROXY=%s exempts %s and not %s", async (list, exempt, others) => {
  const both = (urls: string) => urls.split(" ").filter(Boolean);
  const variables = { HTTPS_PROXY: "http://proxy", HTTP_PROXY: "http://proxy", NO_PROXY: list };
  expect([await through(variables, both(exempt)), await through(variables, both(others))]).toEqual([
    both(exempt).map(() => undefined),
    both(others).map(() => "http://proxy"),
  ]);
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

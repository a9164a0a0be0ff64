// A remote server behind a proxy: what is sent and what comes back are the same as without one.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { limitedFetch } from "../../../src/edge/mcp/limited-fetch.ts";
import { startProxy } from "../../loopback-proxy.ts";

afterEach(() => void vi.unstubAllEnvs());

/** Behind a proxy that knows it as mcp.test. */
async function place() {
  const told: unknown[] = [];
  const http = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => {
      body += piece.toString();
    });
    request.on("end", () => {
      const { method, url, headers } = request;
      told.push({ method, url, body, type: headers["content-type"], length: headers["content-length"] });
      if (url === "/moved") response.writeHead(307, { location: "http://elsewhere.test/" }).end();
      else if (url === "/none") response.writeHead(202).end();
      else response.writeHead(200, { "content-type": "text/event-stream", "mcp-session-id": "s" }).end("data: größe\n\n");
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const way = await startProxy({
    host: "mcp.test",
    to: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    password: "ann:secret",
  });
  onTestFinished(async () => {
    http.closeAllConnections();
    http.close();
    await way.close();
  });
  for (const name of ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"])
    vi.stubEnv(name, undefined);
  return { told, way, proxy: way.url.replace("://", "://ann:secret@") };
}

it("a remote server is asked through the person's proxy", async () => {
  const { told, way, proxy } = await place();
  vi.stubEnv("HTTP_PROXY", proxy);
  const fetched = limitedFetch();
  const headers = { "content-type": "application/json" };
  const answer = await fetched("http://mcp.test/mcp?x=1", { method: "POST", headers, body: '{"größe":1}' });
  expect([answer.status, answer.ok, answer.url, answer.headers.get("mcp-session-id"), await answer.text()]).toEqual([
    200,
    true,
    "http://mcp.test/mcp?x=1",
    "s",
    "data: größe\n\n",
  ]);
  expect(told).toEqual([{ method: "POST", url: "/mcp", body: '{"größe":1}', type: "application/json", length: "13" }]);
  expect((await fetched("http://mcp.test/none")).status).toBe(202);
  expect((await fetched("http://mcp.test/moved", { redirect: "manual" })).headers.get("location")).toBe("http://elsewhere.test/");
  await expect(fetched("http://mcp.test/moved", { method: "POST", body: "code", redirect: "error" })).rejects.toThrow("fetch failed");
  expect(way.asked).toEqual(["mcp.test", "mcp.test", "mcp.test", "mcp.test"]);
});

it("a proxy that is not there is named without its password", async () => {
  await place();
  vi.stubEnv("HTTP_PROXY", "http://ann:secret@127.0.0.1:1");
  const failed = limitedFetch()("http://mcp.test/mcp");
  await expect(failed).rejects.toThrow("fetch failed through the proxy http://127.0.0.1:1");
  await expect(failed).rejects.not.toThrow("secret");
});

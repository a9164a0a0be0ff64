// `fetch` through a proxy of the person's, which Node's own does not know in all versions that we run on.
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { proxyError, type ThroughProxy } from "../model/proxy.ts";

/** A redirect is an answer; with `redirect: "error"` it is an error. Rejects as `fetch` does, with the error of the connection as its cause. */
export async function proxiedFetch(url: URL, init: RequestInit, through: ThroughProxy): Promise<Response> {
  const body = init.body === undefined || init.body === null ? undefined : Buffer.from(await new Response(init.body).arrayBuffer());
  const headers = { ...(init.headers as Record<string, string>), ...(body && { "content-length": String(body.length) }) };
  const start = url.protocol === "https:" ? httpsRequest : httpRequest;
  const options = { method: init.method ?? "GET", headers, agent: through.agent, ...(init.signal && { signal: init.signal }) };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const fail = (cause: Error) => reject(Object.assign(new TypeError(`fetch failed through the proxy ${through.proxy}`, { cause })));
    const sent = start(url, options, resolve);
    sent.on("error", fail);
    sent.on("proxyConnect", ({ statusCode }) => statusCode === 200 || sent.destroy(proxyError(`it answered ${statusCode}`, through.proxy)));
    sent.end(body);
  });
  if (init.redirect === "error" && answer.headers.location !== undefined) {
    answer.destroy();
    throw new TypeError("fetch failed", { cause: new Error("unexpected redirect") });
  }
  return responseOf(answer, url);
}

function responseOf(answer: IncomingMessage, url: URL): Response {
  const status = answer.statusCode ?? 0;
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((one): [string, string] => [name, one]),
  );
  const hasBody = ![204, 205, 304].includes(status);
  if (!hasBody) answer.resume();
  const response = new Response(hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null, {
    status,
    statusText: answer.statusMessage ?? "",
    headers,
  });
  return Object.defineProperty(response, "url", { value: url.href });
}

// The `fetch` under the model provider's client, over Node's own HTTP client: it copies a long conversation once where the global fetch
// copies it three times, and takes a third of its time for each request. It asks for no compression, and follows
// no redirect: followed, one would hand the conversation to a server that nobody named.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** Like `fetch`, for a request with a body of bytes or none. The body of its response is to be read as an async iterable. */
export function httpFetch(): typeof fetch {
  // connections are kept for the next turn, and do not keep the process; nothing is read before it is asked for (paced.ts)
  const options = { keepAlive: true, highWaterMark: 1 };
  const agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };
  return async (input, init = {}) => {
    const url = new URL(typeof input === "object" && "url" in input ? input.url : input);
    if (url.protocol !== "http:" && url.protocol !== "https:") throw new TypeError(`${url.protocol} is not an address for HTTP`);
    const body = init.body instanceof Uint8Array ? init.body : undefined;
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...(body && { "content-length": String(body.length) }) };
    const start = url.protocol === "http:" ? httpRequest : httpsRequest;
    const options = { method: init.method, headers, signal: init.signal ?? undefined, agent: agents[url.protocol] };
    return new Promise((resolve, reject) => {
      const sent = start(url, options, (message) => resolve(responseOf(message)));
      sent.on("error", reject);
      sent.end(body);
    });
  };
}

/** Of an answer that is no stream: an error, or a count of tokens. */
const longestText = 256 * 1024;

/** As much of a Response as the client uses. */
function responseOf(message: IncomingMessage): Response {
  message.on("error", () => {}); // who reads the body is told; an answer that nobody reads may break as it likes
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headersDistinct)) for (const one of value ?? []) headers.append(name, one);
  const response = {
    status,
    statusText: message.statusMessage ?? "",
    ok: status >= 200 && status < 300,
    headers,
    body: message,
    async text() {
      const pieces: Buffer[] = [];
      let size = 0;
      for await (const piece of message) {
        pieces.push(piece);
        size += piece.length;
        if (size > longestText) break; // what is said in so many bytes is no message of the provider's
      }
      return Buffer.concat(pieces).subarray(0, longestText).toString("utf8");
    },
    async json() {
      return JSON.parse(await response.text());
    },
  };
  return response as unknown as Response;
}

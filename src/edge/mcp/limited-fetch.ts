// The `fetch` for remote servers: what they send is counted, and no redirect leads a token or a code elsewhere.
import { proxies } from "../model/proxy.ts";
import { proxiedFetch } from "./proxied-fetch.ts";
import { mostBytes } from "./stdio.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A stream of events may go on for ever: only the one that is coming in counts. */
export function limitedFetch(): Fetch {
  const proxyFor = proxies({ keepAlive: true });
  return async (url, init = {}) => {
    // In the bundle `Headers` is a class of ours, which Node's fetch does not know.
    const headers = Object.fromEntries(new Headers(init.headers as Record<string, string>));
    const through = await proxyFor(new URL(url));
    const request = { ...init, headers };
    const response = await (through ? proxiedFetch(new URL(url), request, through) : fetch(url, request));
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    if (!response.body || response.status === 204 || response.status === 304) return response;
    let bytes = 0;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, out) {
        bytes += piece.length;
        if (bytes > mostBytes) out.error(new Error(`sent a message of more than ${mostBytes / 1024 / 1024} MiB`));
        else out.enqueue(piece);
        if (isStream && Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).includes("\n\n")) bytes = 0;
      },
    });
    const limited = new Response(response.body.pipeThrough(counting), response);
    return Object.defineProperty(limited, "url", { value: response.url });
  };
}

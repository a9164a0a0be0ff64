// The network under the WebFetch tool: one request at a time, to an address that was judged. Not through fetch(), which resolves the name
// again when it connects, follows redirects by itself and decompresses without a limit.
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { GetOrder, GetOutcome, Web } from "../tools/web/web.ts";
import { metered } from "./network/metered.ts";
import { type AddressesOf, bySystem, connectionProblem, onlyTo } from "./resolver.ts";
import { reachOf } from "./web-address.ts";

export type WebOptions = {
  /** How names are resolved; by the system by default. */
  addressesOf?: AddressesOf;
  /** A certificate authority in addition to the known ones. */
  ca?: string;
};

export function web({ addressesOf = bySystem, ca }: WebOptions = {}): Web {
  return {
    addresses: async (hostname) => (await addressesOf(hostname)).map((address) => ({ address, reach: reachOf(address) })),
    get: (order) => get(order, ca),
  };
}

function get({ url, addresses, maxBytes, signal, onTraffic }: GetOrder, ca: string | undefined): Promise<GetOutcome> {
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ kind: "failed", reason: connectionProblem(error) });
    const call = (url.protocol === "https:" ? requestSecure : requestPlain)(url, {
      method: "GET",
      agent: false,
      signal,
      ca,
      headers: {
        "user-agent": "tool",
        accept: "text/html, text/*, application/json;q=0.9, */*;q=0.1",
        "accept-encoding": "gzip, deflate, br",
      },
      lookup: onlyTo(addresses.map(({ address }) => address)),
    });
    call.on("error", fail);
    call.once("socket", (socket) => {
      const counted = metered(socket, onTraffic);
      call.once("close", counted);
    });
    call.on("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      if (status >= 300 && status < 400 && headers.location !== undefined) {
        response.destroy();
        resolve({ kind: "redirect", location: headers.location });
        return;
      }
      body(response, maxBytes).then(
        ({ bytes, cut }) => resolve({ kind: "answer", status, contentType: headers["content-type"] ?? "", bytes, cut }),
        fail,
      );
    });
    call.end();
  });
}

/** Stops at the limit, counted after decompression: a small answer may decompress to very much. */
async function body(response: IncomingMessage, maxBytes: number): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unpacked(response)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), cut: true };
    }
    return { bytes: Buffer.concat(chunks), cut: false };
  } finally {
    response.destroy();
  }
}

function unpacked(response: IncomingMessage): Readable {
  const unpack = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const coding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  const make = Object.hasOwn(unpack, coding) ? unpack[coding as keyof typeof unpack] : undefined;
  if (!make) {
    if (coding !== "identity") throw new Error(`its content encoding ${coding} is not understood`);
    return response;
  }
  const stream = make();
  response.on("error", (error) => stream.destroy(error));
  response.on("aborted", () => stream.destroy(new Error("the connection ended in the middle")));
  return response.pipe(stream);
}

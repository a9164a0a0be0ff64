// Amazon Bedrock, Vertex AI and Google's sign-in on loopback: they refuse what the real ones refuse, by their documents, and check every
// signature and token with code of their own.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { crc32 } from "node:zlib";
import type { ModelRequest } from "../src/agent/ports/model.ts";
import { type Block, type ReplyOptions, replyEvents, sse, text } from "./messages-api.ts";

export type CloudRequest = {
  path: string;
  headers: IncomingMessage["headers"];
  /** Without the model, which stands in the path. */
  body: Omit<ModelRequest, "model"> & { anthropic_version?: string };
};

/** Bytes are the body of a stream. */
export type CloudAnswer = Buffer | { status: number; headers?: Record<string, string>; body: unknown };

export type Clouds = {
  url: string;
  requests: CloudRequest[];
  /** How many tokens Google's sign-in has issued. */
  tokens(): number;
  close(): Promise<void>;
};

type Kept = {
  /** By access key: its secret, and the session token that has to come with it. */
  keys?: Record<string, { secret: string; sessionToken?: string }>;
  region?: string;
  bearer?: string;
  /** Google's tokens say that they are of this subject. */
  refusesSubject?: string;
  /** For requests that are signed as they should be, in order or by what they say. */
  reply: CloudAnswer[] | ((request: CloudRequest) => CloudAnswer);
};

export async function startClouds({ keys = {}, region = "eu-west-1", bearer, refusesSubject, reply }: Kept): Promise<Clouds> {
  const requests: CloudRequest[] = [];
  const sockets = new Set<Socket>();
  let tokens = 0;
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const path = incoming.url ?? "";
    if (path === "/token") {
      const isRefused = bytes.toString().includes(encodeURIComponent(refusesSubject ?? "\n"));
      const refused = { error: "invalid_grant", error_description: "Token has been expired or revoked." };
      const token = { access_token: `ya29.${++tokens}`, token_type: "Bearer", expires_in: 3600, issued_token_type: "urn:x" };
      return send(response, { status: isRefused ? 400 : 200, body: isRefused ? refused : token });
    }
    const request = { path, headers: incoming.headers, body: JSON.parse(bytes.toString()) };
    requests.push(request);
    const isAmazon = path.startsWith("/model/");
    const refused = isAmazon ? refusalOfAmazon({ incoming, bytes }, { keys, region, bearer }) : refusalOfGoogle(incoming);
    const next = () => (Array.isArray(reply) ? reply.shift() : reply(request)) ?? { status: 500, body: { message: "no answer left" } };
    send(response, refused ?? next(), isAmazon ? "application/vnd.amazon.eventstream" : "text/event-stream");
  };
  const server = createServer((incoming, response) => void answer(incoming, response));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    tokens: () => tokens,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function send(response: ServerResponse, answer: CloudAnswer, contentType = ""): void {
  if (Buffer.isBuffer(answer)) response.writeHead(200, { "content-type": contentType }).end(answer);
  else response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(JSON.stringify(answer.body));
}

/** An error of AWS: its type in a header, and its message alone in the body. */
export function amazonRefusal(status: number, type: string, message: string): CloudAnswer {
  return { status, headers: { "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` }, body: { message } };
}

/** An error of Google, in a list as its streams have it. */
export function googleRefusal(code: number, status: string, message: string): CloudAnswer {
  return { status: code, body: [{ error: { code, message, status, details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo" }] } }] };
}

/** A whole reply as a cloud streams it. */
export const saidByVertex = (said: string, model = "claude-sonnet-5-5") => sse(replyEvents([text(said)], { model }));

export function saidByBedrock(said: string | Block[], options: ReplyOptions = {}): Buffer {
  const content = typeof said === "string" ? [text(said)] : said;
  return Buffer.concat(replyEvents(content, { model: "claude-sonnet-5-5", ...options }).map(chunkFrame));
}

/** An event of the Messages API in a frame of AWS, padded as Bedrock pads. */
export function chunkFrame(event: unknown): Buffer {
  const payload = { bytes: Buffer.from(JSON.stringify(event)).toString("base64"), p: "abcdefghijk" };
  return frame({ ":event-type": "chunk", ":content-type": "application/json", ":message-type": "event" }, payload);
}

export const exceptionFrame = (type: string, message: string) =>
  frame({ ":exception-type": type, ":content-type": "application/json", ":message-type": "exception" }, { message });

/** https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html: lengths, their checksum, headers, payload, checksum of all. */
function frame(headers: Record<string, string>, payload: unknown): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(3);
      length[0] = 7; // a string
      length.writeUInt16BE(Buffer.byteLength(value), 1);
      return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), length, Buffer.from(value)]);
    }),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(16 + head.length + body.length, 0);
  lengths.writeUInt32BE(head.length, 4);
  const before = Buffer.concat([lengths, checksum(lengths), head, body]);
  return Buffer.concat([before, checksum(before)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

type Received = { incoming: IncomingMessage; bytes: Buffer };

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
function refusalOfAmazon(
  { incoming, bytes }: Received,
  { keys, region, bearer }: Required<Pick<Kept, "keys" | "region">> & Pick<Kept, "bearer">,
): CloudAnswer | undefined {
  const authorization = incoming.headers.authorization ?? "";
  if (bearer !== undefined && authorization === `Bearer ${bearer}`) return undefined;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/bedrock\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
  const [, id = "", day = "", signedRegion = "", names = "", signature = ""] = parts.exec(authorization) ?? [];
  if (id === "") return amazonRefusal(403, "MissingAuthenticationTokenException", "Missing Authentication Token");
  const key = keys[id];
  if (!key) return amazonRefusal(403, "UnrecognizedClientException", "The security token included in the request is invalid.");
  const at = String(incoming.headers["x-amz-date"]);
  const signed = names.split(";");
  const mismatch = (why: string) => amazonRefusal(403, "InvalidSignatureException", `The request signature does not match: ${why}`);
  if (signedRegion !== region) return mismatch(`Credential should be scoped to region ${region}`);
  if (!at.startsWith(day) || Math.abs(Date.now() - Date.parse(readable(at))) > 300_000) return mismatch("the date");
  if (!["host", "x-amz-date"].every((name) => signed.includes(name))) return mismatch("headers that must be signed");
  if (incoming.headers["x-amz-security-token"] !== key.sessionToken) return mismatch("the session token");
  if (key.sessionToken !== undefined && !signed.includes("x-amz-security-token")) return mismatch("the session token is not signed");
  const path = (incoming.url ?? "").split("/").map(encoded).join("/");
  const lines = signed
    .map(
      (name) =>
        `${name}:${String(incoming.headers[name] ?? "")
          .trim()
          .replace(/ +/g, " ")}\n`,
    )
    .join("");
  const canonical = [incoming.method, path, "", lines, names, hash(bytes)].join("\n");
  const scope = `${day}/${region}/bedrock/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", at, scope, hash(canonical)].join("\n");
  const signingKey = [day, region, "bedrock", "aws4_request"].reduce<string | Buffer>(
    (with_, part) => mac(with_, part),
    `AWS4${key.secret}`,
  );
  return timingSafeEqual(mac(signingKey, toSign), Buffer.from(signature, "hex")) ? undefined : mismatch("the signature");
}

const hash = (what: string | Buffer) => createHash("sha256").update(what).digest("hex");
const mac = (key: string | Buffer, what: string) => createHmac("sha256", key).update(what).digest();
/** RFC 3986, where encodeURIComponent leaves more as it is. */
const encoded = (part: string) =>
  encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const readable = (at: string) => at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z");

function refusalOfGoogle({ headers }: IncomingMessage): CloudAnswer | undefined {
  if (/^Bearer ya29\.\d+$/.test(headers.authorization ?? "")) return undefined;
  return googleRefusal(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.");
}

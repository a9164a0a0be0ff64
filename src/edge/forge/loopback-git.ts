// git over HTTP for the local forge, as in gitprotocol-http(5), with basic authentication: the password is the token.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createGunzip } from "node:zlib";
import { servingGit } from "../git/own-git.ts";
import type { LoopbackOptions } from "./loopback-forge.ts";

export async function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, token }: Pick<LoopbackOptions, "folder" | "token">,
): Promise<void> {
  const password = Buffer.from(request.headers.authorization?.replace(/^Basic /, "") ?? "", "base64")
    .toString("utf8")
    .split(":")[1];
  if (password !== token) return void response.writeHead(401, { "www-authenticate": 'Basic realm="loopback"' }).end();
  const url = new URL(request.url ?? "/", "http://loopback");
  const service = url.searchParams.get("service") ?? /\/(git-(?:receive|upload)-pack)$/.exec(url.pathname)?.[1];
  if (service !== "git-receive-pack" && service !== "git-upload-pack") return void response.writeHead(404).end();
  const isAdvertisement = url.pathname.endsWith("/info/refs");
  const child = servingGit(service, ["--stateless-rpc", ...(isAdvertisement ? ["--http-backend-info-refs"] : []), folder]);
  if (!child) return void response.writeHead(404).end();
  const kind = isAdvertisement ? "advertisement" : "result";
  response.writeHead(200, { "content-type": `application/x-${service}-${kind}`, "cache-control": "no-cache" });
  if (isAdvertisement) {
    const line = `# service=${service}\n`;
    response.write(`${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`);
  }
  child.stdin.on("error", () => {}); // git ends without reading the rest when it has seen enough
  const input = request.headers["content-encoding"] === "gzip" ? request.pipe(createGunzip()) : request;
  input.pipe(child.stdin);
  child.stdout.pipe(response);
}

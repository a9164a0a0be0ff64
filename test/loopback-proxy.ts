// A proxy on loopback that leads to one server: a tunnel to it, with TLS at its end or without, or its requests passed on.
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";

export type LoopbackProxy = {
  url: string;
  /** Hosts that were let through, by CONNECT or by a whole address. */
  asked: string[];
  close(): Promise<void>;
};

/** `host`: the only one that it knows; `to`: the address of the plain server behind it. */
export async function startProxy(way: {
  host: string;
  to: string;
  tls?: { key: string; cert: string };
  /** `name:password`. */
  password?: string;
}): Promise<LoopbackProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const { port } = new URL(way.to);
  const behind = way.tls && createSecureServer(way.tls, (socket) => join(socket, connect(Number(port), "127.0.0.1")));
  const isKnown = ({ headers }: IncomingMessage) =>
    way.password === undefined || headers["proxy-authorization"] === `Basic ${Buffer.from(way.password).toString("base64")}`;
  const proxy = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? "");
    if (url.host !== way.host || !isKnown(incoming)) return void response.writeHead(isKnown(incoming) ? 502 : 407).end();
    asked.push(url.host);
    const passed = request({ port, path: url.pathname, method: incoming.method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(passed);
  });
  proxy.on("connect", (incoming, socket: Socket) => {
    if (!isKnown(incoming)) return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
    if (incoming.url !== way.host) return void socket.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
    asked.push(incoming.url);
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    join(socket, connect(behind ? (behind.address() as AddressInfo).port : Number(port), "127.0.0.1"));
  });
  const servers: Server[] = [proxy, ...(behind ? [behind] : [])];
  for (const server of servers) {
    server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
    server.on("tlsClientError", () => {}); // a client that does not trust the certificate
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function join(one: Socket, other: Socket): void {
  for (const socket of [one, other]) socket.on("error", () => {});
  one.pipe(other).pipe(one);
}

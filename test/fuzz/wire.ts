// A server on loopback that writes its answers byte by byte, so that it can fail in every way a server can.
import { type AddressInfo, createServer, type Socket } from "node:net";

/** The actions on the connection, in order. Pieces of text are sent as Latin-1. */
export type Step = { send: string | Buffer } | { waitMs: number } | "reset" | "end" | "silence";

export type Wire = {
  url: string;
  /** Requests received completely. */
  requests: number;
  close(): Promise<void>;
};

/** `answer` gives the steps for the request number n (0, 1, 2 …). After the last one the connection waits for the next request. */
export async function startWire(answer: (n: number) => Step[]): Promise<Wire> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}); // a client that hangs up
    socket.on("close", () => sockets.delete(socket));
    let received = Buffer.alloc(0);
    socket.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
      const head = received.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received.subarray(0, head).toString("latin1"))?.[1] ?? 0);
      if (received.length < head + 4 + length) return;
      received = received.subarray(head + 4 + length);
      void take(socket, answer(wire.requests++));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const wire: Wire = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return wire;
}

async function take(socket: Socket, steps: Step[]): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed) return;
    if (step === "silence") return;
    if (step === "end") return void socket.end();
    if (step === "reset") return void socket.resetAndDestroy();
    if ("waitMs" in step) await new Promise((resolve) => setTimeout(resolve, step.waitMs));
    else await new Promise<void>((resolve) => socket.write(step.send, () => resolve()));
  }
}

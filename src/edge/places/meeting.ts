// Where a later link finds hands: a socket below the place's folder, in a folder of this user's alone.
import { mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { basename, dirname } from "node:path";
import type { HandsStream, Meeting, Meetings } from "../../places/ports.ts";

export const meetings: Meetings = {
  open: openMeeting,
  pass: passToHands,
  sleep: (ms) => new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref()), // the socket keeps the process
};

function openMeeting(path: string): Meeting {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  const arrived: Socket[] = [];
  let wake = () => {};
  const server = createServer((socket) => {
    socket.on("error", () => {}); // its end says so
    arrived.push(socket);
    wake();
  });
  besides(path, (name) => server.listen(name));
  return {
    async next() {
      while (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const socket = arrived.shift()!;
      socket.write(`${JSON.stringify({ attached: true })}\n`);
      return streamOf(socket);
    },
    close() {
      server.close();
      rmSync(path, { force: true });
    },
  };
}

function streamOf(socket: Socket): HandsStream {
  const parts = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return {
    next: async () => {
      const part = await parts.next().catch(() => undefined); // a link that drops has ended
      return part === undefined || part.done ? undefined : part.value;
    },
    write: (line) => void (socket.writable && socket.write(line)),
    close: () => void socket.end(),
  };
}

async function passToHands(path: string, { input, output }: Parameters<Meetings["pass"]>[1]): Promise<boolean> {
  const socket = await new Promise<Socket | undefined>((resolve) => {
    try {
      const made: Socket = besides(path, (name) => connect(name));
      made.once("connect", () => resolve(made)).once("error", () => resolve(undefined));
    } catch {
      resolve(undefined); // there is no such folder
    }
  });
  if (!socket) return false;
  socket.on("error", () => {});
  socket.setEncoding("utf8").on("data", output);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const passed = async () => {
    for await (const part of input) socket.write(part);
    socket.end();
  };
  await Promise.race([passed().then(() => closed), closed]);
  return true;
}

/** The name of a socket has at most 107 bytes: a longer one is named from its own folder, where others have to search for it (unix-sockets.ts). */
function besides<T>(path: string, act: (name: string) => T): T {
  if (Buffer.byteLength(path) <= mostNameBytes) return act(path);
  const before = process.cwd();
  process.chdir(dirname(path));
  try {
    return act(`./${basename(path)}`);
  } finally {
    process.chdir(before);
  }
}

const mostNameBytes = 107;

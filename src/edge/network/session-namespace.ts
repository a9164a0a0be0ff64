// The network of a session's commands on Linux: a namespace of their own, in which a proxy of this process is the only way out. All commands
// of the session share it, so that one of them reaches a server that another has started.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { Server } from "node:net";
import type { Readable } from "node:stream";
import type { CommandNetwork, NetworkRequest } from "../../agent/ports/network-port.ts";
import { helperProgram } from "../processes/helper-programs.ts";
import { run } from "../processes/run.ts";
import { beginning } from "../shell/sandbox/bwrap.ts";
import { ifPossible } from "../system-error.ts";
import { filteringProxy } from "./filtering-proxy.ts";
import { proxyVariables } from "./proxy-variables.ts";

/** Undefined where this machine cannot: then commands have no network. `base`: bubblewrap with the arguments of every sandbox. */
export async function sessionNamespace(base: string[], request: NetworkRequest): Promise<CommandNetwork | undefined> {
  const nsenter = helperProgram("nsenter");
  if (process.platform !== "linux" || nsenter.kind === "missing") return undefined;
  const made = await madeNamespace(base[0]!).catch(() => undefined);
  if (!made) return undefined;
  const { listening, port, folders } = made;
  const [user, net] = folders;
  const enter = [nsenter.path, `--user=${pathOf(user)}`, `--net=${pathOf(net)}`, "--preserve-credentials"];
  const proxy = filteringProxy(request);
  listening.on("connection", (socket) => proxy.emit("connection", socket));
  listening.maxConnections = mostConnections;
  listening.unref();
  const close = () => {
    listening.close();
    proxy.closeAllConnections();
    for (const folder of folders) ifPossible(() => closeSync(folder));
  };
  const nothing = helperProgram("true");
  const trial = nothing.kind === "missing" ? undefined : await run([...beginning(base, { enter }), nothing.path], { timeoutMs: 5_000 });
  if (trial?.code !== 0) {
    close();
    return undefined;
  }
  return { enter, port, env: () => proxyVariables(`http://127.0.0.1:${port}`, process.env, request.isNamed), close };
}

/** A package manager opens some dozens. */
const mostConnections = 512;

const ground = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];

/** Other processes of the same user may open it as long as we have it open. */
const pathOf = (descriptor: number) => `/proc/${process.pid}/fd/${descriptor}`;

type Made = { listening: Server; port: number; folders: [user: number, net: number] };

/** A process inside listens, hands the socket to us, and ends: nothing of it stays but the namespaces, which our descriptors keep. */
async function madeNamespace(bwrap: string): Promise<Made> {
  const argv = ["--die-with-parent", "--unshare-user", "--uid", "0", "--gid", "0", "--unshare-net", ...ground, "--info-fd", "4", "--"];
  const child = spawn(bwrap, [...argv, process.execPath, "-e", listener], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "ignore", "ignore", "ipc", "pipe"],
  });
  const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
  try {
    const [{ port, listening }, pid] = await Promise.all([heardFrom(child), innerPid(child)]);
    const user = openSync(`/proc/${pid}/ns/user`, "r");
    const net = openSync(`/proc/${pid}/ns/net`, "r");
    return { listening, port, folders: [user, net] };
  } finally {
    clearTimeout(late);
    child.kill("SIGKILL");
    if (child.connected) child.disconnect();
  }
}

const listener = `
const server = require("node:net").createServer();
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }, server));
process.on("disconnect", () => process.exit());
`;

function heardFrom(child: ChildProcess): Promise<{ port: number; listening: Server }> {
  return new Promise((resolve, reject) => {
    child.once("message", (message, handle) => {
      const port = (message as { port?: unknown }).port;
      if (typeof port === "number" && handle instanceof Server) resolve({ port, listening: handle });
      else reject(new Error("it sent no socket"));
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error("it ended")));
  });
}

/** bwrap(1), --info-fd: one JSON object. */
function innerPid(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    const info = child.stdio[4] as Readable;
    info.on("data", (bytes: Buffer) => {
      text += bytes.toString();
      const pid = /"child-pid"\s*:\s*(\d+)/.exec(text)?.[1];
      if (pid) resolve(Number(pid));
    });
    info.on("error", () => {});
    child.once("exit", () => reject(new Error("it ended")));
  });
}

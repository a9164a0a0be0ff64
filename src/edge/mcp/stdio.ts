// A server as a program: it leads its own process group, says with a marker whose it is, and ends with us however we end. A watcher at the other end of a
// socket ends its group, and what has left the group with the marker, when the socket closes.
import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Server } from "../../mcp/server.ts";
import { killGroup, signalGroup } from "../processes/end-group.ts";
import { helperProgram } from "../processes/helper-programs.ts";
import { sweep } from "../processes/sweep.ts";
import { ReadBuffer, serializeMessage } from "./sdk.ts";

export type StdioOrder = { server: Extract<Server, { kind: "stdio" }>; cwd: string; env: Record<string, string>; owner: string };

/** `why`: how it ended, which continues "the server …"; undefined while it runs. */
export type StdioTransport = Transport & { why(): string | undefined };

/** Bytes of one message. Everything that arrives is held in memory until it is whole. */
export const mostBytes = 16 * 1024 * 1024;

/** What follows if it has not ended by then: after the end of its input, and after SIGTERM. */
const steps = [
  [300, "SIGTERM"],
  [500, "SIGKILL"],
  [500, "SIGKILL"],
] as const;
const keptBytes = 2_000;

const leavers = `for f in $(grep -lzsx "TOOL_OWNER=$TOOL_OWNER" /proc/[0-9]*/environ); do p=\${f#/proc/}; p=\${p%/environ}; [ "$p" = "$BASHPID" ] || kill -KILL "$p"; done`;
const script = `( ( IFS= read -r -u 4 _ || { ${leavers}; kill -KILL -- -$$; } ) >/dev/null 2>&1 & ); exec 4<&-; exec -- "$@"`;

export function stdioTransport({ server, cwd, env, owner }: StdioOrder): StdioTransport {
  const buffer = new ReadBuffer({ maxBufferSize: mostBytes });
  let child: ChildProcess | undefined;
  let said = "";
  let why: string | undefined;
  let ended: Promise<void> = Promise.resolve();
  const transport: StdioTransport = {
    why: () => why,
    async start() {
      child = started({ server, cwd, env, owner });
      const { stdin, stdout, stderr } = child;
      stdin?.on("error", () => {}); // it has ended, which is reported below
      stderr?.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-keptBytes);
      });
      stdout?.on("data", (bytes: Buffer) => {
        try {
          buffer.append(bytes);
        } catch {
          why = `sent a message of more than ${mostBytes / 1024 / 1024} MiB`;
          buffer.clear();
          void transport.close();
          return;
        }
        deliver(buffer, transport);
      });
      ended = endOf(child, (end) => {
        why ??= end.kind === "failed" ? `could not be started: ${end.message}` : endWords(server.command, end.code, said);
      });
      void ended.then(() => {
        killGroup(child?.pid); // children that it has left
        (child?.stdio[4] as Duplex | undefined)?.destroy();
        transport.onclose?.();
      });
    },
    send: (message: JSONRPCMessage) =>
      new Promise((resolve, reject) => {
        if (!child?.stdin?.writable) reject(new Error(why ?? "has ended"));
        else if (child.stdin.write(serializeMessage(message))) resolve();
        else child.stdin.once("drain", resolve);
      }),
    async close() {
      child?.stdin?.end();
      // Waits for the program alone: others of its group may be waited for by nobody.
      for (const [ms, next] of steps) {
        if (await isEnded(ended, ms)) break;
        signalGroup(child?.pid, next);
      }
      killGroup(child?.pid);
      await sweep(owner);
    },
  };
  return transport;
}

async function isEnded(ended: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const first = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return first;
}

/** By bash, which makes the watcher and then becomes the program. */
function started({ server: { command, args, env: own }, cwd, env, owner }: StdioOrder): ChildProcess {
  const all: Record<string, string> = { ...env, ...own, TOOL_OWNER: owner };
  const bash = helperProgram("bash", all["PATH"]);
  if (bash.kind === "missing") throw new Error(bash.why);
  // With a socket as input bash assumes that it is a remote shell, which reads ~/.bashrc.
  const child = spawn(bash.path, ["--norc", "-c", script, "bash", command, ...args], {
    cwd,
    env: all,
    stdio: ["pipe", "pipe", "pipe", "ignore", "pipe"],
    detached: true,
  });
  const line = child.stdio[4] as (Duplex & { unref(): void }) | null;
  line?.on("error", () => {}); // the watcher is gone already
  line?.unref();
  return child;
}

/** What is no message is passed over: some programs print other things on their standard output. */
function deliver(buffer: ReadBuffer, { onmessage, onerror }: Transport): void {
  for (;;) {
    try {
      const message = buffer.readMessage();
      if (message === null) return;
      onmessage?.(message);
    } catch (error) {
      onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

type End = { kind: "ended"; code: number | string } | { kind: "failed"; message: string };

/** Its last output may arrive after its end, unless a child of it still holds the pipe. */
function endOf(child: ChildProcess, tell: (end: End) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = (how: End) => {
      tell(how);
      resolve();
    };
    child.once("error", ({ message }) => end({ kind: "failed", message }));
    child.once("exit", (code, signal) => {
      const how: End = { kind: "ended", code: code ?? signal ?? "unknown" };
      const late = setTimeout(end, 100, how);
      child.once("close", () => {
        clearTimeout(late);
        end(how);
      });
    });
  });
}

function endWords(command: string, code: number | string, said: string): string {
  if (code === 127) return `could not be started: there is no program ${JSON.stringify(command)} on its PATH`;
  if (code === 126) return `could not be started: ${JSON.stringify(command)} is not a program`;
  const last = said.trim().split("\n").at(-1)?.trim() ?? "";
  return `ended with ${typeof code === "number" ? `exit code ${code}` : code}${last === "" ? "" : `: ${last.slice(-300)}`}`;
}

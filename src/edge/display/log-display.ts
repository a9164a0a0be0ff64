// No display: teammates are child processes that write to log files, on machines with neither tmux nor a pseudo-terminal.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { constants } from "node:os";
import type { Display, DisplayHandle } from "../../team/display/display.ts";
import { endedBy, type Life, signalGroup, stateOf } from "../processes/child-life.ts";
import { processes } from "../processes/processes.ts";
import { DisplayError } from "./display-error.ts";
import { type Environment, keptEnvironment } from "./kept-environment.ts";
import { lastWords, linesOf } from "./last-words.ts";
import { requireStart } from "./start-check.ts";

export type LogDisplayOptions = {
  /** The log file of a teammate, in an existing folder. */
  logOf: (name: string) => string;
  env: Environment;
};

/** Teammates outlive a lead that dies, and notice it themselves; a later lead finds them in the process table. */
export function logDisplay({ logOf, env }: LogDisplayOptions): Display {
  const table = processes();
  const lives = new Map<string, Life>();
  const lifeOf = (handle: PlainHandle) =>
    lives.get(keyOf(handle)) ?? (table.liveness(handle.process).kind === "gone" ? undefined : running);
  const close = (handle: PlainHandle) => {
    if (lifeOf(handle)?.kind === "running" && table.liveness(handle.process).kind === "alive") signalGroup(handle.process.pid, "SIGHUP");
    lives.set(keyOf(handle), { kind: "closed" });
  };

  return {
    kind: "plain",
    async open(request) {
      requireStart(request);
      const log = logOf(request.name);
      const [program = "", ...args] = request.argv;
      const options = { cwd: request.cwd, env: { ...keptEnvironment(env), ...request.env }, detached: true };
      const child = withLog(log, (file) => spawn(program, args, { ...options, stdio: ["ignore", file, file] }));
      const pid = await pidOf(child, request.name);
      child.unref();
      // A process that has ended already is not in the process table, and this start time matches no process.
      const handle: PlainHandle = { kind: "plain", process: table.identify(pid) ?? { ...table.self(), pid, start: "ended at once" }, log };
      lives.set(keyOf(handle), running);
      child.once("exit", (code, signal) => {
        if (lives.get(keyOf(handle)) === running) lives.set(keyOf(handle), endedBy(code, signal ? constants.signals[signal] : undefined));
      });
      return handle;
    },
    async state(handle) {
      const life = handle.kind === "plain" ? lifeOf(handle) : undefined;
      return life ? stateOf(life) : "server_gone";
    },
    async lastWords(handle) {
      const life = handle.kind === "plain" ? lifeOf(handle) : undefined;
      if (handle.kind !== "plain" || life?.kind === "closed") return "";
      return lastWords(linesOf(endOfFile(handle.log)), life?.kind === "ended" ? life.end : undefined);
    },
    async label() {
      // A log file has no title.
    },
    async close(handle) {
      if (handle.kind === "plain") close(handle);
    },
    async dispose() {
      // Nothing keeps running for the teammates, and their logs stay.
    },
  };
}

type PlainHandle = Extract<DisplayHandle, { kind: "plain" }>;

const running: Life = { kind: "running" };

function keyOf({ process: { pid, start } }: PlainHandle): string {
  return `${pid} ${start}`;
}

function withLog(log: string, start: (file: number) => ChildProcess): ChildProcess {
  let file: number;
  try {
    file = openSync(log, "a", 0o600);
  } catch (error) {
    throw new DisplayError(`Cannot write the log file ${log}: ${String(error)}. Make its folder writable.`);
  }
  try {
    return start(file);
  } finally {
    closeSync(file);
  }
}

function pidOf(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child.pid ?? 0));
    child.once("error", (error) => reject(new DisplayError(`Cannot start ${name}: ${error.message}.`)));
  });
}

function endOfFile(path: string): Buffer {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const bytes = Buffer.alloc(Math.min(size, 16 * 1024));
  if (bytes.length === 0) return bytes;
  const file = openSync(path, "r");
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(file);
  }
}

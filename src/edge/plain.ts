// No display at all: teammates are child processes that write to log files. For machines that have neither tmux nor a pseudo-terminal.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { constants } from "node:os";
import type { Display, DisplayHandle } from "../team/display.ts";
import { endedBy, type Life, signalGroup, stateOf } from "./child-life.ts";
import { DisplayError } from "./display-error.ts";
import { type Environment, keptEnvironment } from "./kept-environment.ts";
import { lastWords, linesOf } from "./last-words.ts";
import { type Processes, processes } from "./processes.ts";
import { requireStart } from "./start-check.ts";

export type PlainOptions = {
  /** The log file of a teammate, in a folder that exists. */
  logOf: (name: string) => string;
  env: Environment;
};

/** Teammates outlive a lead that dies, and notice it by themselves: a later lead finds them by their place in the process table. */
export function plainDisplay({ logOf, env }: PlainOptions, table: Processes = processes()): Display {
  const lives = new Map<string, Life>();
  const keyOf = ({ process: { pid, start } }: PlainHandle) => `${pid} ${start}`;
  /** Undefined for a process of an earlier lead that is gone: how it ended, nobody saw. */
  const lifeOf = (handle: PlainHandle): Life | undefined =>
    lives.get(keyOf(handle)) ?? (table.liveness(handle.process).kind === "gone" ? undefined : { kind: "running" });

  return {
    kind: "plain",
    async open(request) {
      requireStart(request);
      const log = logOf(request.name);
      const child = await start(request, { log, env: { ...keptEnvironment(env), ...request.env } });
      const identity = table.identify(child.pid);
      if (!identity) throw new DisplayError(`Cannot find ${request.name} (process ${child.pid}) right after its start. Look into ${log}.`);
      const handle: PlainHandle = { kind: "plain", process: identity, log };
      return handle;
    },
    async state(handle) {
      const life = handle.kind === "plain" ? lifeOf(handle) : undefined;
      return life ? stateOf(life) : "server_gone";
    },
  } as Display;
}

type PlainHandle = Extract<DisplayHandle, { kind: "plain" }>;

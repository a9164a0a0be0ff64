// The in-process display: each teammate is a process under one of our pseudo-terminals, and the lead's terminal shows one of them on
// request.
import { randomUUID } from "node:crypto";
import type { IPty } from "@lydell/node-pty";
import type { Display, DisplayHandle, Focus, Focusable, View } from "../../team/display/display.ts";
import { endedBy, type Life, signalGroup, stateOf } from "../processes/child-life.ts";
import { DisplayError } from "./display-error.ts";
import { type Environment, keptEnvironment } from "./kept-environment.ts";
import { lastWords, linesOf, newestBytes } from "./last-words.ts";
import { isExecutable, requireStart } from "./start-check.ts";

export type PtyOptions = {
  /** The size of a teammate's terminal while it is not shown. */
  size: { columns: number; rows: number };
  env: Environment;
};

/** node-pty is loaded at the first `open`, which throws DisplayError if that fails. */
export function ptyDisplay({ size, env }: PtyOptions): Display & Focusable {
  const terminals = new Map<string, Terminal>();
  const terminalOf = (handle: DisplayHandle) => (handle.kind === "pty" ? terminals.get(handle.id) : undefined);

  return {
    kind: "in-process",
    async open(request) {
      requireStart(request);
      const { spawn } = await loadPty();
      const [program = "", ...args] = sealed(request.argv);
      const environment = { ...keptEnvironment(env), ...request.env };
      const window = { cols: size.columns, rows: size.rows, name: "xterm-256color" };
      const id = randomUUID();
      const pty = spawn(program, args, { ...window, cwd: request.cwd, env: environment, encoding: null });
      terminals.set(id, drained(pty));
      return { kind: "pty", pid: pty.pid, id };
    },
    async state(handle) {
      const terminal = terminalOf(handle);
      return terminal ? stateOf(terminal.life) : "server_gone";
    },
    async lastWords(handle) {
      const terminal = terminalOf(handle);
      if (!terminal || terminal.life.kind === "closed") return "";
      return lastWords(linesOf(terminal.recent.bytes()), terminal.life.kind === "ended" ? terminal.life.end : undefined);
    },
    async label() {
      // The lead names the teammate beside its output; a pseudo-terminal has no title.
    },
    async close(handle) {
      const terminal = terminalOf(handle);
      if (terminal) hangUp(terminal);
    },
    async dispose() {
      for (const terminal of terminals.values()) hangUp(terminal);
    },
    attach(handle, view) {
      const terminal = terminalOf(handle);
      return terminal?.life.kind === "running" ? show(terminal, view) : undefined;
    },
  };
}

/** Whether a build of node-pty is installed and works on this system. */
export async function ptyAvailable(): Promise<boolean> {
  return loadPty().then(
    () => true,
    () => false,
  );
}

/**
 * On Linux, node-pty lets every program inherit the terminals opened before it, so that a teammate could type into another's and answer its
 * questions. bash closes them before the program starts, because a plain sh may not support descriptors above 9; without bash they stay
 * open.
 */
function sealed(argv: string[]): string[] {
  const bash = process.platform === "linux" ? ["/bin/bash", "/usr/bin/bash"].find(isExecutable) : undefined;
  return bash ? [bash, "-pc", closeInherited, "bash", ...argv] : argv;
}

const closeInherited = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; [ "$fd" -gt 2 ] && eval "exec $fd>&-"; done; exec "$@"`;

type Terminal = { pty: IPty; recent: ReturnType<typeof newestBytes>; life: Life; view: View | undefined };

/** An optional package, prebuilt for each system, so that an installation compiles nothing and runs no script. */
async function loadPty(): Promise<typeof import("@lydell/node-pty")> {
  try {
    return await import("@lydell/node-pty");
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new DisplayError(
      `The in-process display needs the package node-pty, and no build of it can be loaded (${reason}). Install this program again without --omit=optional, or use --display tmux.`,
    );
  }
}

/** All output is read, shown or not: a full pseudo-terminal blocks its program. */
function drained(pty: IPty): Terminal {
  const terminal: Terminal = { pty, recent: newestBytes(keptBytes), life: { kind: "running" }, view: undefined };
  pty.onData((data: string | Buffer) => {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    terminal.recent.add(bytes);
    terminal.view?.onBytes(bytes);
  });
  pty.onExit(({ exitCode, signal }) => {
    if (terminal.life.kind === "running") terminal.life = endedBy(exitCode, signal);
    unview(terminal);
  });
  return terminal;
}

/** A few screens, including colours. */
const keptBytes = 64 * 1024;

function show(terminal: Terminal, view: View): Focus {
  terminal.view = view;
  const before = terminal.recent.bytes();
  // The kept bytes may begin inside a line or an escape sequence.
  view.onBytes(before.length < keptBytes ? before : before.subarray(before.indexOf("\n") + 1));
  const resize = ({ columns, rows }: { columns: number; rows: number }) => {
    if (terminal.view === view && terminal.life.kind === "running") terminal.pty.resize(Math.max(columns, 1), Math.max(rows, 1));
  };
  // Setting the same size again is no event for the program, so it would not redraw.
  if (terminal.pty.cols === view.columns && terminal.pty.rows === view.rows) resize({ columns: view.columns, rows: view.rows - 1 || 2 });
  resize(view);
  return {
    write: (bytes: Buffer | string) => {
      if (terminal.view === view && terminal.life.kind === "running") terminal.pty.write(bytes.toString());
    },
    resize,
    detach: () => {
      if (terminal.view === view) terminal.view = undefined;
    },
  };
}

/** Closes a terminal as the system would, with SIGHUP to everything in it; the supervisor ends programs that ignore that. */
function hangUp(terminal: Terminal): void {
  const running = terminal.life.kind === "running";
  terminal.life = { kind: "closed" };
  unview(terminal);
  if (running) signalGroup(terminal.pty.pid, "SIGHUP");
}

function unview(terminal: Terminal): void {
  const { view } = terminal;
  terminal.view = undefined;
  view?.onEnd?.();
}

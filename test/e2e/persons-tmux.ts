// A user's own tmux with unusual settings, in a terminal that a test can read; on servers private to one test.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skipWithoutTmux } from "../needs.ts";
import { socketFolder } from "../scratch.ts";

export type PersonsTmux = {
  folder: string;
  /** Where tmux has its sockets: a short path, as they need. */
  sockets: string;
  /** The environment of a lead in that tmux. */
  env: Record<string, string>;
  socket: string;
  pid: number;
  /** The pane in which a lead would run. */
  pane: string;
  /** Runs a tmux command on the user's server. */
  tmux: (...command: string[]) => string;
  /** The same on another server in the same socket directory. */
  tmuxOf: (server: string, ...command: string[]) => string;
  /** The current screen of the user's terminal, line by line. */
  screen: () => string[];
  /** Every option of the server and of all its sessions and windows. */
  options: () => string;
  /** Servers other than the user's that have a socket here. */
  otherServers: () => string[];
  /** Ends what the user started and removes the folder. Returns what is left: running processes, sockets, temporary files. */
  end: () => Promise<string[]>;
};

/** Windows count from 1, the prefix is C-a, and a shell takes three seconds to start. */
export async function personsTmux({ columns, rows }: { columns: number; rows: number }): Promise<PersonsTmux> {
  skipWithoutTmux();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-test-tmux-")));
  const sockets = realpathSync(socketFolder());
  for (const name of ["home", "tmp"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "slow-shell"), '#!/bin/sh\nsleep 3\nexec /bin/sh "$@"\n', { mode: 0o755 });
  writeFileSync(
    join(folder, "tmux.conf"),
    `set -g base-index 1\nset -gw pane-base-index 1\nset -g prefix C-a\nset -g default-shell "${join(folder, "slow-shell")}"\n`,
  );
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(folder, "home"),
    LANG: "C",
    TERM: "xterm-256color",
    TMUX_TMPDIR: sockets,
    TMPDIR: join(folder, "tmp"),
  };
  const tmuxOf = (server: string, ...command: string[]) =>
    execFileSync("tmux", ["-u", "-L", server, "-f", join(folder, "tmux.conf"), ...command], {
      env,
      encoding: "utf8",
      stdio: "pipe",
    }).trimEnd();
  const start = (server: string, ...argv: string[]) =>
    tmuxOf(
      server,
      "new-session",
      "-d",
      "-x",
      String(columns),
      "-y",
      String(rows),
      "-P",
      "-F",
      "#{pid} #{socket_path} #{pane_id}",
      ...argv,
    ).split(" ");
  const [pid = "", socket = "", pane = ""] = start("person", "sleep", "1000");
  const [terminalPid] = start("terminal", "env", "-u", "TMUX", "tmux", "-u", "-L", "person", "attach");
  tmuxOf("terminal", "set-option", "-g", "status", "off");
  // One row belongs to the status line once the terminal is attached and has its full height.
  await until(() => tmuxOf("person", "display-message", "-p", "#{session_attached} #{window_height}"), `1 ${rows - 1}`);
  const otherServers = () =>
    readdirSync(join(sockets, `tmux-${process.getuid?.()}`)).filter((name) => name !== "person" && name !== "terminal");
  return {
    folder,
    sockets,
    env,
    socket,
    pid: Number(pid),
    pane,
    tmuxOf,
    tmux: (...command) => tmuxOf("person", ...command),
    screen: () => capturedLines(tmuxOf("terminal", "capture-pane", ...joinedRows)),
    options: () => [["-s"], ["-g"], ["-gw"]].map((scope) => tmuxOf("person", "show-options", ...scope)).join("\n"),
    otherServers,
    async end() {
      for (const server of [terminalPid, pid].map(Number).filter(isAlive)) process.kill(server, "SIGKILL");
      const left = await until(() => processesWith(`TMUX_TMPDIR=${sockets}`), []);
      for (const found of left) process.kill(found.pid, "SIGKILL");
      const files = [...otherServers(), ...readdirSync(env.TMPDIR)];
      for (const each of [folder, sockets]) rmSync(each, { recursive: true, force: true });
      return [...left.map(({ command }) => command), ...files];
    },
  };
}

/** Options of capture-pane that make one line of rows that the terminal itself has wrapped. They keep blanks at the ends of rows. */
export const joinedRows = ["-p", "-J"];

export const capturedLines = (captured: string): string[] => captured.split("\n").map((line) => line.trimEnd());

/** The running processes that have that assignment in their environment. */
function processesWith(assignment: string): { pid: number; command: string }[] {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "utf8");
    } catch {
      // It has ended since the folder was listed.
      return "";
    }
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => read(pid, "environ").split("\0").includes(assignment))
    .map((pid) => ({ pid: Number(pid), command: read(pid, "cmdline").replaceAll("\0", " ") }));
}

/** A zombie does not count as alive. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // There is no such process: this is the result.
    return false;
  }
}

/** Reads repeatedly until the value is as expected or 30 s have passed; returns the last value, to be compared. */
export async function until<T>(read: () => T | Promise<T>, expected: T): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const value = await read();
    if (JSON.stringify(value) === JSON.stringify(expected) || Date.now() > deadline) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// A running command of a place. It leads its own group, so that a Ctrl-C for us does not reach it, and ends with us in any way, because its
// input does.
import { spawn } from "node:child_process";
import type { LinkEnd, LinkProcess } from "../../places/ports.ts";

const keptBytes = 4_000;

/** `env`: without keys of the provider. */
export function placeProcess([program = "", ...args]: string[], env: Record<string, string>): LinkProcess {
  const child = spawn(program, args, { env, cwd: env["HOME"] || "/", stdio: "pipe", detached: true });
  const arrived: Buffer[] = [];
  let isOver = false;
  let wake = () => {};
  let said = "";
  let tell = (_text: string) => {};
  child.stdin.on("error", () => {}); // it has ended, which `ended` says
  child.stdout.on("data", (bytes: Buffer) => {
    arrived.push(bytes);
    if (arrived.length > mostWaiting) child.stdout.pause();
    wake();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-keptBytes);
    tell(text);
  });
  const ended = new Promise<LinkEnd>((resolve) => {
    child.once("error", ({ message }) => resolve({ kind: "not started", reason: message }));
    child.once("close", (code, by) =>
      resolve(code === null ? { kind: "killed", by: by ?? "a signal", stderr: said } : { kind: "exited", code, stderr: said }),
    );
  });
  // What it left running, such as the master of shared connections of ssh, may hold its outputs open: its own words are there by then.
  child.once("exit", () => {
    setTimeout(() => {
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    }, drainMs).unref();
  });
  void ended.then(() => {
    isOver = true;
    wake();
  });
  const signal = (name: "SIGTERM" | "SIGKILL") => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It is gone already.
    }
  };
  return {
    ended,
    write: (bytes) => void (child.stdin.writable && child.stdin.write(bytes)),
    async next() {
      while (arrived.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
      const next = arrived.shift();
      if (arrived.length === 0) child.stdout.resume();
      return next;
    },
    closeInput: () => void child.stdin.end(),
    onSaid(listener) {
      tell = listener;
    },
    kill: () => signal("SIGKILL"),
    end() {
      signal("SIGTERM");
      const late = setTimeout(() => signal("SIGKILL"), graceMs).unref();
      void ended.then(() => clearTimeout(late));
    },
  };
}

const graceMs = 2_000;

const drainMs = 500;

/** So many parts wait before the other side has to. */
const mostWaiting = 256;

// The user's terminal: raw keys in, bytes out, and always restored on exit.
import { writeSync } from "node:fs";
import type { Terminal } from "../../screen/terminal/terminal.ts";
import { ifPossible } from "../system-error.ts";

/**
 * Undoes the modes of a screen whose process ended without closing it: synchronized output, no wrapping, bracketed paste, hidden cursor.
 */
const modesAsTheyWere = "\x1b[?2026l\x1b[?7h\x1b[?2004l\x1b[0m\x1b[?25h";

/** By then a session has loaded what it begins with, and V8 has not yet freed memory. */
const startMs = 2_000;

/** Null if standard input or output is not a terminal. */
export function openTerminal(): Terminal | null {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return null;
  // Some seconds after its last work, V8 frees memory in one collection instead of three: in a process that waits for its user, that is
  // most of its processor time. Not set at once: V8 rejects a code cache made with other flags, and a start still loads from it.
  setTimeout(() => void import("../code-cache.ts").then(({ collectOnce }) => collectOnce(true)), startMs).unref();
  // If the terminal is gone, its modes are gone with it.
  const restore = () => {
    ifPossible(() => stdin.setRawMode(false));
    stdin.pause();
  };
  const lastWord = () => void ifPossible(() => writeSync(stdout.fd, modesAsTheyWere));
  return {
    get columns() {
      return stdout.columns || 80;
    },
    get rows() {
      return stdout.rows || 24;
    },
    measure() {
      // What Node does on SIGWINCH. If the method is renamed some day, the signal alone must do.
      (stdout as typeof stdout & { _refreshSize?: () => void })._refreshSize?.();
    },
    write: (bytes) => void stdout.write(bytes),
    listen(onKeys) {
      stdin.setEncoding("utf8");
      stdin.setRawMode(true);
      stdin.resume();
      // Keys typed before the raw mode lie in the terminal, which has made a line feed of each Enter. The next turn of the event loop reads
      // them; from then on a line feed is Ctrl-J.
      let early = true;
      setImmediate(() =>
        setImmediate(() => {
          early = false;
        }),
      );
      const listener = (keys: string) => onKeys(early ? keys.replaceAll("\n", "\r") : keys);
      stdin.on("data", listener);
      // Also after an uncaught error. Node itself restores the raw mode.
      process.on("exit", lastWord);
      return () => {
        process.off("exit", lastWord);
        stdin.off("data", listener);
        restore();
      };
    },
    onResize(listener) {
      stdout.on("resize", listener);
      return () => stdout.off("resize", listener);
    },
    onLost(listener) {
      stdin.once("close", listener);
    },
    afterwards(draw) {
      const soon = setImmediate(draw);
      return () => clearImmediate(soon);
    },
    every(ms, listener) {
      const timer = setInterval(listener, ms);
      return () => clearInterval(timer);
    },
    suspend() {
      // Stops the whole group, as the terminal's own Ctrl-Z does: whatever started this process waits for it. The call returns when the
      // group continues; without a shell that could continue it, the system ignores the stop.
      process.kill(0, "SIGTSTP");
    },
    onContinue(listener) {
      process.on("SIGCONT", listener);
      return () => process.off("SIGCONT", listener);
    },
  };
}

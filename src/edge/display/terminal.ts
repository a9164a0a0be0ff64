// The person's terminal: raw keys in, bytes out, and always given back as it was found.
import { writeSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import type { Terminal } from "../../screen/terminal/terminal.ts";

/** What a screen may have left on when its process ends without closing it: drawing at once, wrapping off, pastes in brackets, a hidden cursor. */
const modesAsTheyWere = "\x1b[?2026l\x1b[?7h\x1b[?2004l\x1b[0m\x1b[?25h";

/** Null when standard input or output is not a terminal. */
export function openTerminal(): Terminal | null {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return null;
  // Some seconds after its last work a process clears its memory up, else three times over: for one that waits for a person that is most
  // of what it ever does.
  setFlagsFromString("--memory-reducer-single-gc");
  const restore = () => {
    try {
      stdin.setRawMode(false);
    } catch {
      // the terminal is gone, and with it its modes
    }
    stdin.pause();
  };
  const lastWord = () => {
    try {
      writeSync(stdout.fd, modesAsTheyWere);
    } catch {
      // the terminal is gone, and with it its modes
    }
  };
  return {
    get columns() {
      return stdout.columns || 80;
    },
    get rows() {
      return stdout.rows || 24;
    },
    measure() {
      // What Node does at SIGWINCH. Where it has another name, the signal alone tells.
      (stdout as typeof stdout & { _refreshSize?: () => void })._refreshSize?.();
    },
    write: (bytes) => void stdout.write(bytes),
    listen(onKeys) {
      stdin.setEncoding("utf8");
      stdin.setRawMode(true);
      stdin.resume();
      const listener = (keys: string) => onKeys(keys);
      stdin.on("data", listener);
      // Also after a fault that nobody caught. Node itself gives back the raw mode.
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
    every(ms, listener) {
      const timer = setInterval(listener, ms);
      return () => clearInterval(timer);
    },
    suspend() {
      // The whole group, as the terminal's own Ctrl-Z: what started this process waits for it. The call returns when it continues; where
      // there is no shell to continue with it, the system lets nobody stop.
      process.kill(0, "SIGTSTP");
    },
    onContinue(listener) {
      process.on("SIGCONT", listener);
      return () => process.off("SIGCONT", listener);
    },
  };
}

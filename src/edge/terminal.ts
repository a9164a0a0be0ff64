// The person's terminal: raw keys in, bytes out, and always given back as it was found.
import type { Terminal } from "../screen/terminal.ts";

/** Null when standard input or output is not a terminal. */
export function openTerminal(): Terminal | null {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return null;
  const restore = () => {
    stdin.setRawMode(false);
    stdin.pause();
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
      return () => {
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
  };
}

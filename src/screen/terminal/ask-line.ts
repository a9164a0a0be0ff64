// Asks the person for one line outside a session; only Enter confirms it.
import { matchesKey } from "@earendil-works/pi-tui";
import type { Terminal } from "./terminal.ts";

/** Undefined if the person left with Esc, Ctrl-C or Ctrl-D, or if the signal aborts. */
export function askLine(terminal: Terminal, question: string, signal?: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    let line = "";
    const end = (answer: string | undefined) => {
      signal?.removeEventListener("abort", leave);
      stop();
      terminal.write("\r\n");
      resolve(answer);
    };
    const leave = () => end(undefined);
    const stop = terminal.listen((keys) => {
      if (matchesKey(keys, "escape") || matchesKey(keys, "ctrl+c") || matchesKey(keys, "ctrl+d")) return end(undefined);
      for (const key of keys) {
        if (key === "\r" || key === "\n") return end(line);
        if (key === "\x7f" || key === "\b") {
          if (line) terminal.write("\b \b");
          line = line.slice(0, -1);
        } else if (key >= " ") {
          line += key;
          terminal.write(key);
        }
      }
    });
    // Written after listening begins: the person may answer at once, and Ctrl-C is a key from here on, not a signal.
    terminal.write(question);
    signal?.addEventListener("abort", leave, { once: true });
  });
}

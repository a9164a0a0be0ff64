// The standard streams of the process and what happens when their reader or terminal is gone, and the signals that ask it to end.
import { closeSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { Output, World } from "../app/world.ts";

export function output(stream: NodeJS.WriteStream): Output {
  let state: "open" | "closed" = "open";
  let written = Promise.resolve();
  stream.on("error", ignoreLostStream);
  return {
    write(text) {
      written = new Promise((resolve) => {
        stream.write(text, (error) => {
          if (error) state = "closed";
          resolve();
        });
      });
    },
    async drained() {
      await written;
      return state;
    },
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80;
    },
  };
}

/**
 * Ignores lost readers (`tool … | head`) and terminals: the rest of the work continues silently, in commands that do not ask. Processes
 * that should end with their terminal also get SIGHUP.
 */
export function ignoreLostStream(error: NodeJS.ErrnoException): void {
  if (error.code === "ENOSPC") {
    writeSync(2, "tool: cannot write the output: no space is left where it goes.\n");
    process.exit(1);
  }
  if (!["EPIPE", "EIO", "ABORT_ERR"].includes(error.code ?? "")) throw error;
}

/**
 * When it exits, Node restores the modes of each terminal that it was started with, and aborts with a native stack trace if one is gone. It
 * skips those that are closed by then.
 */
export function closeLostTerminals(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  if (terminals.length === 0) return;
  process.on("exit", () => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
}

/** Calls it for each signal that asks this process to end. The returned function stops that. */
export const onSignal: World["onSignal"] = (listener) => {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => void signals.map((signal) => process.off(signal, listener));
};

/** The last resort, for what nobody has caught: words instead of a stack trace. A screen restores its terminal at the exit. */
export function endAtFault(words: (error: unknown) => string): void {
  process.once("uncaughtException", (error) => {
    try {
      writeSync(2, `${isatty(2) ? "\r\x1b[J" : ""}${words(error)}`);
    } catch {
      // nobody reads it any more
    }
    exitWith(1);
  });
}

/**
 * Ends the process when everything is printed. A terminal that is lost after the look above would still abort it, so Node finds none that it
 * could restore: the one mode that we change is restored here.
 */
export function exitWith(code: number): never {
  process.on("exit", () => {
    if (process.stdin.isTTY && process.stdin.isRaw) process.stdin.setRawMode(false);
    for (const descriptor of [0, 1, 2]) {
      try {
        closeSync(descriptor);
      } catch {
        // closed already
      }
    }
  });
  process.exit(code);
}

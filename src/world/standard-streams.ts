// The three streams that the process was started with: what is written, and what becomes of them when nobody reads or the terminal is gone.
import { closeSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { Output } from "../app/world.ts";

export function output(stream: NodeJS.WriteStream): Output {
  let state: "open" | "closed" = "open";
  let written = Promise.resolve();
  stream.on("error", passOverLost);
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
 * A reader that has gone away (`tool … | head`) is no fault: what remains is done without words, by commands that do not ask. Nor is a
 * terminal that is gone: whoever is to end with it gets SIGHUP as well. Nor is input that a command reads no further.
 */
export function passOverLost(error: NodeJS.ErrnoException): void {
  if (error.code === "ENOSPC") {
    writeSync(2, "tool: Cannot write the output: no space is left where it goes.\n");
    process.exit(1);
  }
  if (!["EPIPE", "EIO", "ABORT_ERR"].includes(error.code ?? "")) throw error;
}

/**
 * At its end Node gives every terminal that it was started with its modes back, and aborts with a native stack when one has gone away
 * meanwhile. What is closed by then it passes over.
 */
export function closeLostTerminals(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  if (terminals.length === 0) return;
  process.on("exit", () => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
}

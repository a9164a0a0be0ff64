// The output of a command that nobody waits for: one that prints without end must not keep this process busy.
import type { Readable } from "node:stream";

/** A long log is read as fast as it comes. */
const freeBytes = 32 * 1024 * 1024;
const bytesPerMs = 16 * 1024;
/** Shorter pauses cost more than they spare. */
const shortestMs = 5;

/** Reads `stream` no faster than some megabytes a second while `isPaced`, until what is returned is called. */
export function pacedOutput(stream: Readable, isPaced: () => boolean): () => void {
  let free = freeBytes;
  let owedMs = 0;
  let pause: NodeJS.Timeout | undefined;
  const onData = (bytes: Buffer) => {
    if (!isPaced()) return;
    free -= bytes.length;
    if (free > 0) return;
    owedMs += bytes.length / bytesPerMs;
    if (owedMs < shortestMs) return;
    stream.pause();
    pause = setTimeout(() => stream.resume(), owedMs);
    owedMs = 0;
  };
  stream.on("data", onData);
  return () => {
    clearTimeout(pause);
    stream.off("data", onData);
    stream.resume();
  };
}

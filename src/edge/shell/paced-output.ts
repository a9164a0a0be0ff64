// Reads the output of a background command at a limited rate, so that one that prints without end does not keep this process busy.
import type { Readable } from "node:stream";

/** Up to this size, a long log is read at full speed. */
const freeBytes = 32 * 1024 * 1024;
const bytesPerMs = 16 * 1024;
/** Shorter pauses cost more than they save. */
const shortestMs = 5;

/** While `isPaced`, limits reading `stream` to some megabytes per second, until the returned function is called. */
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

// The output of a command that nobody waits for: one that prints without end must not keep this process busy.
import type { Readable } from "node:stream";

const bytesPerMs = 16 * 1024;
/** Shorter pauses cost more than they spare. */
const shortestMs = 5;

/** From what is returned on, `stream` is read no faster than some megabytes a second while `isPaced`. */
export function pacedOutput(stream: Readable, isPaced: () => boolean): () => void {
  let owedMs = 0;
  let pause: NodeJS.Timeout | undefined;
  const onData = (bytes: Buffer) => {
    if (!isPaced()) return;
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

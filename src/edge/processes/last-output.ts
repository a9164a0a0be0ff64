// Reads the output that a program wrote just before it ended, even if other processes hold its pipes open forever.
import type { Readable } from "node:stream";

/**
 * Output from before the end is in the pipe already: reads until the pipe is closed or quiet, or a limit if another process continues to
 * write.
 */
export async function lastOutput(of: Readable[]): Promise<void> {
  const streams = of.filter((stream) => !stream.readableEnded && !stream.destroyed);
  if (streams.length === 0) return;
  await new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(quiet);
      clearTimeout(limit);
      resolve();
    };
    let heard = false;
    const look = () => {
      if (!heard) return finish();
      heard = false;
      quiet.refresh();
    };
    // Checked after a round of reading: a late timer fires before data that has long been available is read.
    const quiet = setTimeout(() => setImmediate(look), quietMs);
    const limit = setTimeout(finish, maxDrainMs);
    let open = streams.length;
    for (const stream of streams) {
      stream.on("data", () => {
        heard = true;
      });
      stream.once("close", () => --open === 0 && finish());
    }
  });
  for (const stream of streams) stream.removeAllListeners("data");
}

const quietMs = 100;
const maxDrainMs = 2000;

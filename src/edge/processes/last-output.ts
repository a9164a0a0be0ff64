// What a program wrote just before it ended, when others may hold its pipes forever.
import type { Readable } from "node:stream";

/** What was written before the end is in the pipe already: read until it is closed, or quiet, or someone continues writing for long. */
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
    // Looked at after a round of reading: a timer that is late comes before what has long been there.
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

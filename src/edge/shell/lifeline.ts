// A command that no sandbox ends with this process: it holds one end of a socket, and what waits there ends its whole group when the other
// end is gone, however this process ended.
import type { Duplex } from "node:stream";
import { type Started, type StartOptions, startShell } from "./shell-process.ts";

/** Not a child of the shell, so that `wait` and `jobs` know nothing of it. A line says that the command has ended by itself. */
const lifeline = "( ( IFS= read -r -u 4 _ || kill -KILL -- -$$ ) >/dev/null 2>&1 & ); exec 4<&-; ";

/** Starts `bash -c` with this script. What it leaves running in the background is let go when it ends. */
export function startWithLifeline(script: string, options: StartOptions): Started {
  const started = startShell(["-c", `${lifeline}${script}`], { ...options, spoken: true });
  const line = (started.child.stdio as unknown as (Duplex & { unref(): void })[])[4]!;
  line.on("error", () => {}); // nobody holds the other end any more
  line.unref();
  void started.ended.then(() => line.end("\n", () => line.destroy()));
  return started;
}

/** What the shell says of a first line that is no command, without what was put before it. */
export function withoutLifeline(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString().replaceAll(`\`${lifeline}`, "`"));
}

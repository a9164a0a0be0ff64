// Ends a command without a sandbox when this process ends in any way: it holds one end of a socket, and a watcher at the other end kills
// the command's group when the socket closes.
import type { Duplex } from "node:stream";
import { type Started, type StartOptions, startShell } from "./shell-process.ts";

/** Not a child of the shell, so `wait` and `jobs` do not see it. A line on the socket says that the command has ended by itself. */
const lifeline = "( ( exec 4<&-; IFS= read -r -u 3 _ || kill -KILL -- -$$ ) >/dev/null 2>&1 & ); exec 3<&-; ";

/** Runs the script with `bash -c`. Background processes that it leaves are released when it ends. */
export function startWithLifeline(script: string, options: StartOptions): Started {
  const started = startShell(["-c", `${lifeline}${script}`], { ...options, watched: true });
  const line = (started.child.stdio as unknown as (Duplex & { unref(): void })[])[3]!;
  line.on("error", () => {}); // the watcher is gone already
  line.unref();
  void started.ended.then(() => line.end("\n", () => line.destroy()));
  return started;
}

/** Removes the lifeline from the shell's message about a syntax error in the first line. */
export function withoutLifeline(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString().replaceAll(`\`${lifeline}`, "`"));
}

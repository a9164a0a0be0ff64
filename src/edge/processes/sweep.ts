// Ends what an agent's commands left running. A background process outlives its shell, its pane and its agent; the marker in its
// environment is how it is found again.

import { unless } from "../system-error.ts";
import { processes } from "./processes.ts";

/**
 * Ends every process that carries `TOOL_OWNER=<owner>`, but for this one and its parent, which may carry the same. What has not
 * ended half a second after SIGTERM is killed: an agent that ends has a second for everything. Resolves with how many there were.
 */
export async function sweep(owner: string): Promise<number> {
  const table = processes();
  const left = () => table.owned((marker) => isOf(owner, marker)).filter(({ identity }) => identity.pid !== process.ppid);
  const found = new Set<number>();
  for (const [signal, waitMs] of stages) {
    for (const end = performance.now() + waitMs; ; await pause(20)) {
      const carriers = left();
      if (carriers.length === 0) return found.size;
      if (performance.now() > end) break;
      for (const { identity } of carriers) {
        if (signal === "SIGTERM" && found.has(identity.pid)) continue;
        found.add(identity.pid);
        unless("ESRCH", () => process.kill(identity.pid, signal), false);
      }
    }
  }
  return found.size;
}

/** What a member's sub-agents started is the member's too. */
export const isOf = (owner: string, marker: string) => marker === owner || marker.startsWith(`${owner}/`);

const stages = [
  ["SIGTERM", 500],
  ["SIGKILL", 2000],
] as const;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

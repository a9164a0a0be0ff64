// Ends processes that an agent's commands left running. A background process outlives its shell, its pane and its agent; it is found by the
// marker in its environment.

import { unless } from "../system-error.ts";
import { processes } from "./processes.ts";

/**
 * Ends every process with `TOOL_OWNER=<owner>`, except this one and its parent, which may have the same marker. Kills those that have not
 * ended half a second after SIGTERM: an agent that ends has one second in total. Resolves with their number.
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

/** Processes started by a member's sub-agents belong to the member too. */
export const isOf = (owner: string, marker: string) => marker === owner || marker.startsWith(`${owner}/`);

const stages = [
  ["SIGTERM", 500],
  ["SIGKILL", 2000],
] as const;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

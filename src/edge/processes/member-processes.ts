// Members as processes: alive or not, signalled, swept with everything they started.
import type { ProcessIdentity } from "../../board/disk.ts";
import type { ProcessTable } from "../../team/member-process.ts";
import { unless } from "../system-error.ts";
import { processes } from "./processes.ts";
import { isOf, sweep } from "./sweep.ts";

export function memberProcesses(): ProcessTable & { self(): ProcessIdentity } {
  const table = processes();
  return {
    self: table.self,
    isAlive: table.isAlive,
    find(pid) {
      const identity = table.identify(pid);
      const seen = identity && table.liveness(identity);
      return seen?.kind === "alive" ? { pid, start: identity?.start ?? "", stopped: seen.stopped } : undefined;
    },
    marked: (owner) => table.owned((found) => isOf(owner, found)).map(({ identity: { pid, start } }) => ({ pid, start })),
    signal(member, signal) {
      if (table.isAlive(member)) unless("ESRCH", () => void process.kill(member.pid, signal), undefined);
    },
    // A member leads its group: displays start it in a session of its own.
    signalGroup: (member, signal) => void table.signalGroup(member, signal),
    async sweep(owner) {
      await sweep(owner);
    },
  };
}

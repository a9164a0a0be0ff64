// Members as processes: whether they are alive, signalling them, and ending everything they started.
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
    // A member leads its group, because displays start it in its own session.
    signalGroup: (member, signal) => void table.signalGroup(member, signal),
    async sweep(owner) {
      await sweep(owner);
    },
  };
}

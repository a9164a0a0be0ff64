// Members as processes: alive or not, signalled as a group, swept with everything they started.
import type { ProcessIdentity } from "../board/disk.ts";
import type { Processes as MemberProcesses } from "../team/supervisor.ts";
import { processes } from "./processes.ts";
import { sweep } from "./sweep.ts";

export function memberProcesses(): MemberProcesses & { self(): ProcessIdentity } {
  const table = processes();
  const identity = ({ pid, start }: { pid: number; start: string }) => ({ ...table.self(), pid, start });
  return {
    self: table.self,
    isAlive: (member) => table.liveness(identity(member)).kind === "alive",
    signalGroup(member, signal) {
      // A member leads its group: displays start it in a session of its own.
      if (table.liveness(identity(member)).kind === "alive") process.kill(-member.pid, signal);
    },
    async sweep(owner) {
      await sweep(owner);
    },
  };
}

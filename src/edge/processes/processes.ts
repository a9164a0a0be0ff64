// The process table: the identity of a process, whether it still lives, and which processes an agent started.
import type { ProcessIdentity } from "../../board/disk.ts";
import { codeOf, unless } from "../system-error.ts";
import { linuxTable } from "./linux.ts";
import { psTable } from "./ps.ts";

/** `stopped`: by a signal (SIGSTOP, Ctrl-Z, a debugger); it lives but does not run. */
type Liveness = { kind: "alive"; stopped: boolean } | { kind: "gone" } | { kind: "elsewhere"; where: string };

/** A process of this machine, this boot and this namespace. */
type LocalProcess = Pick<ProcessIdentity, "pid" | "start">;

/** A process that carries TOOL_OWNER in its environment, and its process group. */
type OwnedProcess = { identity: ProcessIdentity; group: number; owner: string };

export interface Processes {
  /** This process. */
  self(): ProcessIdentity;
  /** Undefined if no such process lives here; a zombie does not count. */
  identify(pid: number): ProcessIdentity | undefined;
  /** Uses the process table only, never a clock. A process that cannot be seen from here is `elsewhere`. */
  liveness(identity: ProcessIdentity): Liveness;
  isAlive(process: LocalProcess): boolean;
  /** Living processes, except this one, whose TOOL_OWNER (`<session>:<agent>`) satisfies `isOwner`. */
  owned(isOwner: (owner: string) => boolean): OwnedProcess[];
  /**
   * Signals the whole group of a process, if the process is still the same one. Returns false without signalling if it is gone, or shares
   * its group with this process.
   */
  signalGroup(process: LocalProcess, signal: NodeJS.Signals): boolean;
}

/** The facts read about one process. `state` as in ps: T and t are stopped, Z and X are gone. */
export type ProcessFacts = { pid: number; state: string; group: number; start: string };

/** What each kind of system must implement. */
export interface ProcessTable {
  place(): { machine: string; boot: string; namespace: string };
  facts(pid: number): ProcessFacts | undefined;
  owned(): (ProcessFacts & { owner: string })[];
}

/** Uses /proc if it exists, else `ps`. The machine's identity is read once. */
export function processes(table: ProcessTable = linuxTable() ?? psTable()): Processes {
  let known: ProcessIdentity | undefined;
  const living = (pid: number) => {
    const facts = table.facts(pid);
    return facts && !/^[ZX]/.test(facts.state) ? facts : undefined;
  };
  const self = () => {
    known ??= { ...table.place(), pid: process.pid, start: ownStart(table) };
    return known;
  };
  const liveness = (identity: ProcessIdentity): Liveness => {
    const here = self();
    if (identity.machine !== here.machine) return { kind: "elsewhere", where: `machine ${identity.machine}` };
    if (identity.boot !== here.boot) return { kind: "gone" };
    if (identity.namespace !== here.namespace) return { kind: "elsewhere", where: `the pid namespace ${identity.namespace}` };
    const facts = living(identity.pid);
    if (facts?.start === identity.start) return { kind: "alive", stopped: /^[Tt]/.test(facts.state) };
    return !facts && isHidden(identity.pid) ? { kind: "alive", stopped: false } : { kind: "gone" };
  };
  return {
    self,
    identify: (pid) => {
      const facts = living(pid);
      return facts && { ...self(), pid, start: facts.start };
    },
    liveness,
    isAlive: ({ pid, start }) => liveness({ ...self(), pid, start }).kind === "alive",
    owned: (isOwner) =>
      table
        .owned()
        .filter(({ pid, state, owner }) => pid !== process.pid && !/^[ZX]/.test(state) && isOwner(owner))
        .map(({ pid, start, group, owner }) => ({ identity: { ...self(), pid, start }, group, owner })),
    signalGroup: ({ pid, start }, signal) => {
      const facts = living(pid);
      // In kill(2), group 0 is one's own and group 1 is everything.
      if (facts?.start !== start || facts.group <= 1 || facts.group === table.facts(process.pid)?.group) return false;
      return unless("ESRCH", () => process.kill(-facts.group, signal), false);
    },
  };
}

function ownStart(table: ProcessTable): string {
  const own = table.facts(process.pid);
  if (!own) throw new Error(`Cannot find process ${process.pid}, this one, in the process table; /proc or ps must show it`);
  return own.start;
}

/**
 * Whether the process is hidden: a table that hides other users' processes (hidepid) does not list it, but signalling it is refused rather
 * than failing.
 */
function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  return false;
}

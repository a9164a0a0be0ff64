// Ends a process group that we started: SIGTERM first, then SIGKILL.
import { isFirstInside, linuxTable } from "./linux.ts";

/**
 * The groups to end: our child's own, and inside the sandbox that of the command, which alone can be asked to end by itself. `first`: the process
 * with which everything in the sandbox ends, as long as it is the one with this start.
 */
export type Group = { outer: number | undefined; inner?: number; first?: { pid: number; start: string } };

/** The first process of a sandbox, as long as it lives. */
export function firstInside(pid: number): Pick<Group, "first"> {
  const facts = linuxTable()?.facts(pid);
  return facts && isFirstInside(pid) ? { first: { pid, start: facts.start } } : {};
}

/**
 * Kills what goes on in the sandbox and waits for its end. What started the sandbox has ended, and the first process in it would, too, by itself
 * (PR_SET_PDEATHSIG); but a command that may trace it (ptrace) can take that back, and would run on where nobody looks.
 */
export async function endInside({ first }: Group): Promise<void> {
  const table = first && linuxTable();
  const isThere = () => {
    const facts = first && table?.facts(first.pid);
    return facts !== undefined && facts.start === first?.start && !/^[ZX]/.test(facts.state);
  };
  for (const end = performance.now() + longestEndMs; isThere() && performance.now() < end; ) {
    signal(first!.pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** A process that waits for a disk ends after that. */
const longestEndMs = 5_000;

/** Sends SIGTERM to the command's group, and SIGKILL to the remaining processes after the grace period. */
export async function endGroup(group: Group, graceMs: number): Promise<void> {
  await endOuter(group, graceMs);
  await endInside(group);
}

async function endOuter(group: Group, graceMs: number): Promise<void> {
  // The wait after SIGKILL is short: what remains is a zombie that nobody reaps.
  const stages = [
    ["SIGTERM", group.inner ?? group.outer, graceMs],
    ["SIGKILL", group.outer, 500],
  ] as const;
  for (const [name, pid, waitMs] of stages) {
    if (group.outer === undefined || pid === undefined || !signalGroup(group.outer, 0)) return;
    signalGroup(pid, name);
    for (const end = performance.now() + waitMs; performance.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (!signalGroup(group.outer, 0)) return;
    }
  }
}

/** Kills immediately, for groups that have nothing to save. */
export function killGroup(pid: number | undefined): void {
  signalGroup(pid, "SIGKILL");
}

/** False if the group has ended. */
export function signalGroup(pid: number | undefined, name: NodeJS.Signals | 0): boolean {
  return pid !== undefined && signal(-pid, name);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    // It has ended, or the group is empty, or contains only processes that now belong to another user.
    return false;
  }
}

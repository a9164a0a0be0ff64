// Ends a process group that we started: SIGTERM first, then SIGKILL.

/** The groups to end: our child's own, and inside the sandbox that of the command, which alone can be asked to end by itself. */
export type Group = { outer: number | undefined; inner?: number };

/** Sends SIGTERM to the command's group, and SIGKILL to the remaining processes after the grace period. */
export async function endGroup(group: Group, graceMs: number): Promise<void> {
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
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    // The group is empty, or contains only processes that now belong to another user.
    return false;
  }
}

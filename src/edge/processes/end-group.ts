// Ends a process group that we started: asked first, then killed.

/** The groups to end: our child's own, and inside the sandbox the command's, which alone can be asked to end by itself. */
export type Group = { outer: number | undefined; inner?: number };

/** SIGTERM to the command's group, and SIGKILL to what is left after the grace. */
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

/** At once, for groups that have nothing to save. */
export function killGroup(pid: number | undefined): void {
  if (pid !== undefined) signalGroup(pid, "SIGKILL");
}

/** False when the group has ended. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    // Nobody is left in it, or only what has become another user's.
    return false;
  }
}

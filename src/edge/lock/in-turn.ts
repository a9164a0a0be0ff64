// Work of several processes that is done by one after the other, because together they would only be in each other's way: worktrees added and
// removed in one repository, and branches merged into one branch.
import { mkdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { lock } from "./lock.ts";

/** Whoever has the turn on another machine may be gone without a trace: then nobody waits longer, and git's own locks have to do. */
const elsewhereMs = 30_000;

const [firstPauseMs, longestPauseMs] = [5, 100];

/** `folder`: the same for all who take turns. `hasWaited`: somebody else has just done so. The turn of a process that has ended is over. */
export async function inTurn<T>(folder: string, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { release, hasWaited } = await turn(folder);
  try {
    return await work(hasWaited);
  } finally {
    release();
  }
}

async function turn(folder: string): Promise<{ release: () => void; hasWaited: boolean }> {
  const { claimForLife } = lock();
  let waitedMs = 0;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(1.5 * pauseMs, longestPauseMs)) {
    const claim = claimForLife(folder);
    if (claim.ok) return { release: claim.release, hasWaited: waitedMs > 0 };
    if (claim.holder.kind === "elsewhere" && waitedMs >= elsewhereMs) return { release: () => {}, hasWaited: true };
    const nowMs = pauseMs * (0.5 + Math.random()); // so that not all look at the same moment
    await setTimeout(nowMs);
    waitedMs += nowMs;
  }
}

// One request for a claim folder: its place in the queue, and its claim, ready to be linked.
import { join } from "node:path";
import { disk } from "../disk/disk.ts";
import { writeNew } from "../disk/durable.ts";
import type { Processes } from "../processes/processes.ts";
import { codeOf } from "../system-error.ts";
import { claimOf, giveBack, type Listing, type LockState, reuse, snapshot, take, tryRemove, type Waiting } from "./claims.ts";

export interface LockQueue {
  /** Checks the folder. True if it is free and this process may take it; otherwise joins the queue, if it is one that queues. */
  approach(): boolean;
  /** Takes what `approach` has just found free. False if another process was faster. */
  take(): boolean;
  /** Does nothing if nothing was taken. Throws StuckClaim. */
  giveBack(): void;
  leaveQueue(): void;
  /** What `approach` found: who holds it, at which generation, and how many wait before this process. */
  seen(): Seen;
}

export type Seen = { state: LockState; top: number; ahead: number };

/**
 * `queues`: a newcomer who finds others waiting queues behind them even if the folder is free, so that the last holder does not win again
 * just because it is running. One that does not queue ignores the others.
 */
export function lockQueue(folder: string, table: Processes, { queues }: { queues: boolean }): LockQueue {
  let ready: string | undefined;
  let generation: number | undefined;
  let seen: Seen = { state: { kind: "free" }, top: 0, ahead: 0 };

  const leaveQueue = () => {
    if (ready) tryRemove(join(folder, ready));
    ready = undefined;
  };
  return {
    approach: () => {
      const found = snapshot(folder, table);
      if (!found.waiting.some(({ name }) => name === ready)) ready = undefined;
      seen = { state: found.state, top: found.top, ahead: countAhead(found, ready) };
      const mayTake = found.state.kind === "free" && (ready !== undefined || !queues || !anyoneWaits(found.waiting));
      if (mayTake || queues) ready ??= makeReady(folder, found.top, table);
      if (!mayTake) sweepOne(found.waiting);
      return mayTake;
    },
    take: () => {
      generation = ready === undefined ? undefined : take(folder, seen.top, ready);
      if (generation !== undefined) leaveQueue();
      return generation !== undefined;
    },
    leaveQueue,
    giveBack: () => {
      const held = generation;
      generation = undefined;
      if (held !== undefined) giveBack(folder, held, table.self());
    },
    seen: () => seen,
  };

  function anyoneWaits(waiting: Waiting[]): boolean {
    return waiting.some((other) => !sweepIfGone(other));
  }

  /** Checks one of them at random: checking every process at every poll would cost more than the lock. */
  function sweepOne(waiting: Waiting[]): void {
    const other = waiting[Math.floor(Math.random() * waiting.length)];
    if (other) sweepIfGone(other);
  }

  /** A process of another machine or namespace looks gone too; it only loses its place and gets ready again. */
  function sweepIfGone(other: Waiting): boolean {
    if (table.isAlive(other)) return false;
    tryRemove(join(folder, other.name));
    return true;
  }
}

function countAhead({ waiting }: Listing, own: string | undefined): number {
  const place = waiting.findIndex(({ name }) => name === own);
  return place === -1 ? waiting.length : place;
}

/** Done in advance, so that syncing the claim does not delay the next grant. */
function makeReady(folder: string, top: number, table: Processes): string {
  const self = table.self();
  for (let counter = 0; ; counter++) {
    const ready = `w${top}.${self.pid}.${self.start}.${counter}`;
    try {
      if (!reuse(folder, top, { ready, self })) writeNew(join(folder, ready), claimOf(self));
      return ready;
    } catch (error) {
      if (codeOf(error) === "ENOENT") disk.makeFolder(folder);
      else if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

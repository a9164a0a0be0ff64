// One wish to hold a claim folder: its place among those who wait, and the claim itself, ready to be linked.
import { join } from "node:path";
import { disk } from "../disk/disk.ts";
import { writeNew } from "../disk/durable.ts";
import type { Processes } from "../processes/processes.ts";
import { codeOf } from "../system-error.ts";
import { claimOf, giveBack, type Listing, type LockState, reuse, snapshot, take, tryRemove, type Waiting } from "./claims.ts";

export interface LockQueue {
  /** Looks. True when the folder is free and this one may take it; otherwise it is in the queue, if it is one that queues. */
  approach(): boolean;
  /** Takes what `approach` has just found free. False when another one was faster. */
  take(): boolean;
  /** Nothing happens when nothing was taken. Throws StuckClaim. */
  giveBack(): void;
  leaveQueue(): void;
  /** What `approach` found: who holds it, at which generation, and how many wait before this one. */
  seen(): Seen;
}

export type Seen = { state: LockState; top: number; ahead: number };

/**
 * `queues`: a newcomer who finds others waiting stands behind them even when the folder is free, so that whoever gave it
 * back a moment ago does not win again merely by being awake. Who does not queue ignores the waiting.
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

  /** One of them each time, by chance: looking at every process at every poll would cost more than the lock. */
  function sweepOne(waiting: Waiting[]): void {
    const other = waiting[Math.floor(Math.random() * waiting.length)];
    if (other) sweepIfGone(other);
  }

  /** A process of another machine or namespace looks gone too; it merely loses its place and makes itself ready again. */
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

/** Done before it is needed, so that the claim's way to the disk is not on the way to the next grant. */
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

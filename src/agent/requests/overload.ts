// The retry budget of all agents on this machine that ask the same provider: one small file that says until when nobody tries, and when
// the next attempt is due. Whoever writes it replaces it whole, without a lock: of two who write at once the later one counts, and what
// that costs is one attempt too many. A kill leaves the old file or the new one; a file that is out of date is passed over.
import { z } from "zod";
import type { BoardDisk } from "../../board/disk.ts";
import type { Clock } from "../ports/clock.ts";
import { longestRetryAfterMs, type RetryBudget } from "./retry.ts";

export type OverloadDisk = Pick<BoardDisk, "read" | "replace" | "size">;

/** Times are milliseconds since the machine started. */
const overloadSchema = z.lazy(() =>
  z.object({
    /** The start of the machine that the times count from. */
    boot: z.string(),
    /** Nobody makes an attempt before. */
    until: z.number(),
    /** How long the last refusal without a `retry-after` was held against all; doubles while it continues. */
    holdMs: z.number(),
    /** The provider itself said how long. */
    asked: z.boolean().optional(),
    /** Before this time every place in the row is taken (a token bucket, as the time at which it is full again). */
    next: z.number(),
  }),
);
type Overload = z.infer<typeof overloadSchema>;

/** Between two attempts of whatever agents, while the provider recovers. */
const paceMs = 250;
const firstHoldMs = 1000;
const longestHoldMs = 32_000;
/** How long refusals of other agents delay an agent that was not refused itself. A wait that the provider requested applies to all. */
const firstPatienceMs = 3_000;
/** How long after the hold attempts are still made one at a time; after that the file has no effect. */
const recoveryMs = 30_000;

/** The budget whose file is at `path`. A disk that cannot be read or written costs the sharing, never the request. */
export function sharedRetryBudget({
  disk,
  path,
  clock,
  boot,
}: {
  disk: OverloadDisk;
  path: string;
  clock: Clock;
  boot: string;
}): RetryBudget {
  const now = clock.monotonicMs;
  /** The slot that this agent reserved. */
  let mine: number | undefined;
  /** When it last made an attempt. */
  let heldSince: number | undefined;
  /** Its last attempt was. */
  let refused = false;
  return {
    before() {
      const state = readOverload(disk, path, { now: now(), boot });
      if (!state) return 0;
      heldSince ??= now();
      // An agent that is refused repeatedly, for example because of its own limit, must not block the others from trying for themselves.
      const isPatient = now() - heldSince < longestHoldMs;
      if (mine === undefined || (isPatient && mine < state.until) || mine < now() - recoveryMs) {
        mine = Math.max(now(), state.until + Math.round(clock.random() * paceMs), state.next);
        write(disk, path, { ...state, next: mine + paceMs });
      }
      const patienceMs = refused || state.asked ? Number.POSITIVE_INFINITY : heldSince + firstPatienceMs - now();
      const waitMs = Math.min(mine - now(), patienceMs);
      if (waitMs <= 0) {
        mine = undefined;
        heldSince = undefined;
        refused = false;
      }
      return Math.max(0, waitMs);
    },
    overloaded(retryAfterMs) {
      const state = readOverload(disk, path, { now: now(), boot });
      // agents that were refused during one hold are one refusal
      const grown = !state || now() >= state.until ? Math.min(longestHoldMs, 2 * (state?.holdMs ?? firstHoldMs / 2)) : state.holdMs;
      const askedMs = Math.min(retryAfterMs ?? grown, longestRetryAfterMs);
      const until = Math.max(state?.until ?? 0, now() + askedMs);
      const asked = retryAfterMs !== undefined || (state?.asked === true && until === state.until);
      write(disk, path, { boot, until, holdMs: grown, asked, next: Math.max(until, state?.next ?? 0) });
      mine = undefined;
      refused = true;
    },
  };
}

/** Undefined if no refusal is in force: there is none, it has expired, or it is from before the machine was restarted. */
function readOverload(disk: OverloadDisk, path: string, { now, boot }: { now: number; boot: string }): Overload | undefined {
  try {
    if (disk.size(path) === undefined) return undefined; // as before nearly every request: a read that fails takes several times as long
    const text = disk.read(path)?.toString("utf8");
    if (text === undefined) return undefined;
    const state = overloadSchema.parse(JSON.parse(text));
    const counts = state.boot === boot && now < state.until + recoveryMs && state.until <= now + longestRetryAfterMs + recoveryMs;
    return counts ? { ...state, next: Math.min(state.next, Math.max(now, state.until) + recoveryMs) } : undefined;
  } catch {
    return undefined; // damaged or out of reach: everybody waits by themselves, as they do anyway
  }
}

function write(disk: OverloadDisk, path: string, state: Overload): void {
  try {
    disk.replace(path, JSON.stringify(state));
  } catch {
    // on a full disk this agent still waits, but the others are not told
  }
}

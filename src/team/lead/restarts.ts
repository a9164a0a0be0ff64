// The restarts of teammates: which were made and when, and which wait for their time.
import type { Clock } from "../../agent/ports/clock.ts";

/** `swept`: resolves when what the former process has left has ended. */
type Planned = { name: string; dueMs: number; swept: Promise<void> };

export interface Restarts {
  /** Times at which restarts of this one were planned, in monotonic milliseconds. */
  made(name: string): number[];
  plan(name: string, restart: { afterMs: number; swept: Promise<void> }): void;
  /** Removes and returns the restarts that are due. */
  takeDue(): Planned[];
  /** Undefined when none was planned. */
  cancel(name: string): Planned | undefined;
  planned(): string[];
}

export function createRestarts(clock: Pick<Clock, "monotonicMs">): Restarts {
  const made = new Map<string, number[]>();
  const planned = new Map<string, Planned>();
  const take = (one: Planned | undefined) => {
    if (one) planned.delete(one.name);
    return one;
  };
  return {
    made: (name) => made.get(name) ?? [],
    plan(name, { afterMs, swept }) {
      const nowMs = clock.monotonicMs();
      made.set(name, [...(made.get(name) ?? []), nowMs]);
      planned.set(name, { name, dueMs: nowMs + afterMs, swept });
    },
    takeDue() {
      const due = [...planned.values()].filter(({ dueMs }) => clock.monotonicMs() >= dueMs);
      for (const one of due) take(one);
      return due;
    },
    cancel: (name) => take(planned.get(name)),
    planned: () => [...planned.keys()],
  };
}

// A check that takes minutes, run beside the lead's loop: one at a time; its result is kept for the revision of the list at which it started.
import type { Checked } from "./merged-work.ts";

export type BackgroundCheck = {
  /** What it found at this revision. Undefined while it runs; it begins where none runs. */
  of(revision: number): Checked | undefined;
  /** Resolves when what runs now has ended. */
  ended(): Promise<void>;
  /** Aborts the running check, and waits for its end. */
  stop(): Promise<void>;
};

/** `signals`: those that abort a check which begins now. */
export function backgroundCheck(check: (signal: AbortSignal) => Promise<Checked>, signals: () => AbortSignal[]): BackgroundCheck {
  const stopping = new AbortController();
  let found: { revision: number; checked: Checked } | undefined;
  let running: Promise<void> | undefined;
  const run = async (revision: number) => {
    found = { revision, checked: await check(AbortSignal.any([stopping.signal, ...signals()])) };
    running = undefined;
  };
  return {
    of(revision) {
      if (found?.revision === revision) return found.checked;
      running ??= run(revision);
      return undefined;
    },
    ended: async () => running,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

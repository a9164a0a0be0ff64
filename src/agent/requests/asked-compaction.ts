// A compaction that the person requests. Turns may be running, so the runner of the turns carries it out between two runs.
import type { Agent } from "../agent.ts";
import { compact } from "./compaction.ts";

export interface AskedCompaction {
  /** Of several that are asked for before one is made, the last one counts. */
  ask(focus: string): void;
  waits(): boolean;
  /** Carries out the waiting one. */
  make(signal: AbortSignal): Promise<void>;
}

/** `onAsked` wakes the runner of the turns. */
export function askedCompaction(agent: Agent, onAsked: () => void): AskedCompaction {
  let waiting: { focus: string } | undefined;
  return {
    ask(focus) {
      waiting = { focus };
      onAsked();
    },
    waits: () => waiting !== undefined,
    async make(signal) {
      if (!waiting) return;
      const { focus } = waiting;
      waiting = undefined;
      await compact(agent, { cause: "asked", ...(focus && { focus }), signal });
    },
  };
}

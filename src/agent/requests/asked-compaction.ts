// A compaction that the person asks for. Turns may be running just then, so it is made between two runs of them by whoever runs them.
import type { Agent } from "../agent.ts";
import { compact } from "./compaction.ts";

export interface AskedCompaction {
  /** Of several that are asked for before one is made, the last one counts. */
  ask(focus: string): void;
  waits(): boolean;
  /** Makes the one that waits. */
  make(signal: AbortSignal): Promise<void>;
}

/** `onAsked` wakes whoever runs the turns. */
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

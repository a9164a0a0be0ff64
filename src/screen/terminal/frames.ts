// When the live part is drawn: at once after a quiet time, and while much happens once a frame.
import type { Terminal } from "./terminal.ts";

export interface Frames {
  /** Draws now or with the next frame. */
  soon(): void;
  stop(): void;
}

/** Slow enough to cost little, quick enough for an eye. */
const frameMs = 66;
/** After this long without a frame nothing waits. */
const quietMs = 250;

export function createFrames(terminal: Terminal, { draw, now }: { draw: () => void; now: () => number }): Frames {
  let stopClock: (() => void) | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  const stop = () => {
    stopClock?.();
    stopClock = undefined;
  };
  const drawNow = () => {
    stop();
    drawnAt = now();
    draw();
  };
  return {
    soon() {
      if (stopClock) return;
      const since = now() - drawnAt;
      if (since >= quietMs || since < 0) drawNow();
      // What comes in one sip is drawn in one frame, also when that is due already.
      else stopClock = terminal.every(Math.max(1, frameMs - since), drawNow);
    },
    stop,
  };
}

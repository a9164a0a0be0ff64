// Schedules drawing of the live part: at once after a pause, otherwise once a frame.
import type { Terminal } from "./terminal.ts";

export interface Frames {
  /** Draws at once or in the next frame. */
  soon(): void;
  stop(): void;
}

/** Slow enough to be cheap, fast enough for the eye. */
const frameMs = 66;
/** After this long without a frame, drawing is immediate. */
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
      // Several changes in one read are drawn in one frame, even if the frame is due already.
      else stopClock = terminal.every(Math.max(1, frameMs - since), drawNow);
    },
    stop,
  };
}

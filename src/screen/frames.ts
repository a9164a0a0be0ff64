// When the live part is drawn: at once after a quiet time, and while much happens once a frame.
import type { Terminal } from "./terminal.ts";

export interface Frames {
  /** Draws now or with the next frame. */
  soon(): void;
  stop(): void;
}

/** Slow enough to cost little, quick enough for an eye. */
const frameMs = 50;

export function createFrames(terminal: Terminal, draw: () => void): Frames {
  let stopClock: (() => void) | undefined;
  let waits = false;
  const stop = () => {
    stopClock?.();
    stopClock = undefined;
  };
  const tick = () => {
    if (!waits) return stop();
    waits = false;
    draw();
  };
  return {
    soon() {
      waits = true;
      if (stopClock) return;
      stopClock = terminal.every(frameMs, tick);
      tick();
    },
    stop,
  };
}

// Schedules drawing of the live part: what streams once a frame, what a person types at once.
import type { Terminal } from "./terminal.ts";

/** Why the live part changed: a person waits for the echo of a key and for what comes of an answer, and reads what streams. */
type Change = "typed" | "streamed";

export interface Frames {
  /** Draws in the next frame of that kind, or at once: then too only when what runs now, such as the next request, has gone on. */
  streamed(): void;
  typed(): void;
  /** Draws what is finished, at once in the same sense. */
  finished(): void;
  stop(): void;
}

/** Streamed: slow enough to be cheap, fast enough for the eye. Typed: a burst of keys costs one drawing, and none waits for longer than a screen's frame. */
const frameMs: Record<Change, number> = { typed: 8, streamed: 66 };
/** After this long without a frame, drawing is immediate. */
const quietMs: Record<Change, number> = { typed: frameMs.typed, streamed: 250 };

export function createFrames(terminal: Terminal, { draw, now }: { draw: () => void; now: () => number }): Frames {
  let waiting: { dueMs: number; stop: () => void } | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  const stop = () => {
    waiting?.stop();
    waiting = undefined;
  };
  const atOnce = () => {
    if (drawnAt === Number.NEGATIVE_INFINITY) return drawNow(); // the first prompt waits for nothing
    if (waiting?.dueMs === Number.NEGATIVE_INFINITY) return;
    stop();
    waiting = { dueMs: Number.NEGATIVE_INFINITY, stop: terminal.afterwards(drawNow) };
  };
  const drawNow = () => {
    stop();
    drawnAt = now();
    draw();
  };
  const soon = (change: Change) => {
    const nowMs = now();
    const since = nowMs - drawnAt;
    if (since < 0 || since >= quietMs[change]) return atOnce();
    // Several changes in one read are drawn in one frame, even if the frame is due already.
    const dueMs = Math.max(nowMs + 1, drawnAt + frameMs[change]);
    if (waiting && waiting.dueMs <= dueMs) return;
    stop();
    waiting = { dueMs, stop: terminal.every(dueMs - nowMs, drawNow) };
  };
  return { streamed: () => soon("streamed"), typed: () => soon("typed"), finished: atOnce, stop };
}

// What a key does just now, shown in place of the status line for as long as it holds.
import type { Terminal } from "./terminal.ts";

export interface PassingHint {
  /** Undefined when nothing is to be shown. */
  text(): string | undefined;
  show(text: string, forMs: number): void;
  clear(): void;
}

export function createPassingHint(terminal: Pick<Terminal, "every">, changed: () => void): PassingHint {
  let shown: string | undefined;
  let stopClock = () => {};
  const clear = () => {
    stopClock();
    if (shown === undefined) return;
    shown = undefined;
    changed();
  };
  return {
    text: () => shown,
    show(text, forMs) {
      stopClock();
      shown = text;
      stopClock = terminal.every(forMs, clear);
      changed();
    },
    clear,
  };
}

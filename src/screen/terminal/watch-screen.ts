// A text that is redrawn in place until the person quits.
import { matchesKey } from "@earendil-works/pi-tui";
import { createScreen } from "./screen.ts";
import type { Terminal } from "./terminal.ts";

export type WatchScreen = {
  show(text: string): void;
  /** Removes the text and releases the terminal. */
  close(): void;
};

/** `onQuit`: called for Ctrl-C or q. */
export function createWatchScreen(terminal: Terminal, onQuit: () => void): WatchScreen {
  let lines: string[] = [];
  const screen = createScreen(terminal, () => lines);
  const stopListening = terminal.listen((keys) => {
    if (matchesKey(keys, "ctrl+c") || matchesKey(keys, "q")) onQuit();
  });
  return {
    show(text) {
      lines = text.split("\n");
      screen.refresh();
    },
    close() {
      stopListening();
      screen.close();
    },
  };
}

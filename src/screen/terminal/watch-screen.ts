// A text that is drawn again and again in one place, until the person has seen enough.
import { matchesKey } from "@earendil-works/pi-tui";
import { createScreen } from "./screen.ts";
import type { Terminal } from "./terminal.ts";

export type WatchScreen = {
  show(text: string): void;
  /** Takes the text away and gives the terminal back. */
  close(): void;
};

/** `onQuit` at Ctrl-C or q. */
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

// Dispatches the keys of a session's screen: first to an outside listener, then to an open question, then to the screen, then to the editor.
import { matchesKey } from "@earendil-works/pi-tui";
import { faultSentence } from "../../wording/error-text.ts";
import { watchKey } from "../agents/agents-view.ts";
import type { LineEditor } from "../editor/editor.ts";
import { detailKey } from "../events/call-details.ts";
import type { FinishedText } from "../terminal/finished-text.ts";
import type { PassingHint } from "../terminal/passing-hint.ts";
import type { QueuedLines } from "../terminal/queued-lines.ts";
import type { Screen } from "../terminal/screen.ts";
import type { SessionScreenOptions } from "../terminal/session-screen.ts";
import { visibleLine } from "../visible-text.ts";
import type { DialogKeys } from "./dialog-keys.ts";
import { isTwoEscapes, listenToKeys } from "./keys.ts";

type KeyTargets = {
  dialogs: DialogKeys;
  editor: LineEditor;
  queued: QueuedLines;
  screen: Screen;
  hint: PassingHint;
  changed: () => void;
  text: Pick<FinishedText, "showDetail" | "showReport" | "isLater" | "print">;
};

const interruptWindowMs = 2_000;
const laterHintMs = 2_000;
/** Long enough to read what ends it instead. */
const exitHintMs = 4_000;
const escapeTwiceMs = 500;
/** After its own Ctrl-Z the process receives the continue signal too, which is ignored for this long. */
const ownContinueMs = 1_000;

export type ScreenKeys = {
  /** Gives the terminal to another program during `work`. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
};

/** Listens until it is stopped. */
export function screenKeys(options: SessionScreenOptions, targets: KeyTargets): ScreenKeys {
  const { dialogs, editor, screen, hint, changed } = targets;
  const { terminal, now } = options;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  const escapes = escapeKeys(options, editor);
  const shows = showKeys(options, targets);
  let continuedAt = Number.NEGATIVE_INFINITY;

  const act = (key: string) => {
    hint.clear();
    if (options.onKey?.(key)) return;
    if (matchesKey(key, "ctrl+l")) return screen.redraw(); // prints nothing; the lead sends Ctrl-L to a member that it brings to the front
    if (matchesKey(key, "shift+tab")) return options.onMode?.();
    if (dialogs.onKey(key)) return;
    if (matchesKey(key, "ctrl+c")) return interrupt();
    if (matchesKey(key, "ctrl+z")) return suspend();
    if (shows(key)) return;
    if (!editor.isCompleting() && escapes(key)) return;
    if (editor.isEmpty() && matchesKey(key, "enter") && options.onEmptyEnter?.()) return;
    if (matchesKey(key, "ctrl+d") && editor.isEmpty()) {
      const instead = options.onExit?.();
      if (instead !== undefined) hint.show(instead, exitHintMs);
      return;
    }
    if (matchesKey(key, "up") && editor.isEmpty() && takeBack(options, targets)) return;
    editor.onKey(key);
    changed();
  };
  const keys = listenToKeys(terminal, surviving(act, options, targets));

  function interrupt(): void {
    if (!editor.isEmpty()) {
      editor.clear();
      changed();
      return;
    }
    const again = now() - interruptedAt < interruptWindowMs;
    interruptedAt = now();
    const next = options.onInterrupt(again);
    if (next !== undefined) hint.show(next, interruptWindowMs);
  }

  function suspend(): void {
    if (!terminal.suspend) return;
    const release = screen.hold();
    keys.pause();
    terminal.suspend();
    continuedAt = now();
    keys.resume();
    release();
  }

  // Another process stopped this one, and the shell has changed the terminal's modes since.
  const stopContinuing = terminal.onContinue?.(() => {
    if (now() - continuedAt < ownContinueMs) return;
    keys.resume();
    screen.drawBelow();
  });

  return {
    async lend(work) {
      const release = screen.hold();
      keys.pause();
      try {
        return await work();
      } finally {
        keys.resume();
        release();
      }
    },
    stop() {
      stopContinuing?.();
      hint.clear();
      keys.stop();
    },
  };
}

/** Whatever fails at a key, the session goes on, and says so. */
function surviving(act: (key: string) => void, { style }: SessionScreenOptions, { text }: KeyTargets): (key: string) => void {
  return (key) => {
    try {
      act(key);
    } catch (error) {
      const why = visibleLine(faultSentence(error, "The session goes on"));
      text.print(style.state("failed", `  ${style.symbol("failed")} Cannot do all that this key asks for: ${why}.`), 4);
    }
  };
}

/** True if the key was Esc, once or twice. */
function escapeKeys({ now, onEscape, onEscapeTwice }: SessionScreenOptions, editor: LineEditor): (key: string) => boolean {
  let escapedAt = Number.NEGATIVE_INFINITY;
  const once = () => {
    const again = editor.isEmpty() && now() - escapedAt < escapeTwiceMs;
    escapedAt = again ? Number.NEGATIVE_INFINITY : now();
    if (again) onEscapeTwice?.();
    else onEscape();
  };
  return (key) => {
    const presses = isTwoEscapes(key) ? 2 : matchesKey(key, "escape") ? 1 : 0;
    for (let press = 0; press < presses; press++) once();
    return presses > 0;
  };
}

/** True if the key was one that shows more of what has happened. */
function showKeys({ agents, onNextPane }: SessionScreenOptions, { text, hint, changed }: KeyTargets): (key: string) => boolean {
  const watch = () => text.showReport() || agents?.()?.next() || onNextPane?.();
  return (key) => {
    const show = matchesKey(key, detailKey.id) ? text.showDetail : matchesKey(key, watchKey.id) ? watch : undefined;
    show?.();
    if (show && text.isLater()) hint.show("Shown below this reply, once it is complete", laterHintMs);
    if (show) changed();
    return show !== undefined;
  };
}

/** Puts the newest waiting line back into the editor. */
function takeBack({ onTakeBack }: SessionScreenOptions, { queued, editor, changed }: KeyTargets): boolean {
  const line = queued.last();
  if (line === undefined || !onTakeBack?.(line)) return false;
  queued.removeLast();
  editor.put(line);
  changed();
  return true;
}

// Brings a teammate of the in-process display to the foreground: its bytes go to the person's terminal and keys go to it, while the lead waits in the
// background. It is shown on the alternate screen, so the lead's scrollback does not change.
import type { Focus, View } from "../../team/display/display.ts";
import type { Terminal } from "./terminal.ts";

/** Both keys work in every terminal, and the editor does not use them. Alt-1 to Alt-9 arrive as Esc and the digit. */
export const focusKey = { name: "Ctrl-O", bytes: "\x0f" };

export type FocusSetup = {
  terminal: Terminal;
  /** Hides the lead's screen until the returned function is called. */
  hold: () => () => void;
  /** Undefined if that teammate has ended. */
  attach: (name: string, view: View) => Focus | undefined;
  /** All teammates in order of joining: the first is Alt-1. */
  names: () => string[];
  /** The teammate that the focus key shows. */
  next: (last: string | undefined) => string | undefined;
  /** Called when the lead is back on the screen although no key was pressed. */
  onEnd: (name: string) => void;
};

export interface FocusSwitch {
  /** True if the key was not for the lead. */
  onKey(key: string): boolean;
  /** The teammate that the focus key would show. */
  next(): string | undefined;
  /** Writes bytes to the terminal itself, such as a bell or a title, but never inside a teammate's drawing. */
  say(bytes: string): void;
  /** Returns to the lead permanently. */
  close(): void;
}

type Foreground = { name: string; focus: Focus | undefined; between: boolean; held: string };

/** Ctrl-L, which makes a member's screen redraw everything. */
const redrawKey = "\x0c";
/** The end of each drawing of a member's screen. */
const drawn = "\x1b[?2026l";

export function createFocusSwitch(setup: FocusSetup): FocusSwitch {
  const { terminal } = setup;
  let foreground: Foreground | undefined;
  let release = () => {};
  let last: string | undefined;

  function enter(name: string): void {
    if (foreground?.name === name) return;
    if (foreground) foreground.focus?.detach();
    else release = setup.hold();
    const here: Foreground = { name, focus: undefined, between: true, held: "" };
    foreground = here;
    last = name;
    terminal.write(`\x1b\\\x1b[?1049h\x1b[0m\x1b[?25h\x1b[H\x1b[2JShowing ${name}. ${focusKey.name} goes back to the lead.\r\n`);
    here.focus = setup.attach(name, {
      columns: terminal.columns,
      rows: terminal.rows,
      onBytes(bytes) {
        // Earlier output was drawn for another size and is skipped; the member redraws below.
        if (foreground === here && here.focus) pass(here, bytes);
      },
      onEnd: () => ended(here),
    });
    if (here.focus) here.focus.write(redrawKey);
    else ended(here);
  }

  function ended(here: Foreground): void {
    if (foreground !== here) return;
    back();
    setup.onEnd(here.name);
  }

  function pass(here: Foreground, bytes: Buffer): void {
    terminal.write(bytes);
    here.between = bytes.subarray(-drawn.length).toString("latin1") === drawn;
    if (!here.between || here.held === "") return;
    terminal.write(here.held);
    here.held = "";
  }

  function back(): void {
    if (!foreground) return;
    const { focus, held } = foreground;
    foreground = undefined;
    focus?.detach();
    // Ends any unfinished sequence and every mode that the teammate set.
    terminal.write(`\x1b\\\x1b[0m\x1b[?2026l\x1b[?7h\x1b[?25h\x1b[?1049l\x1b[?2004h${held}`);
    release();
  }

  const stopListening = terminal.onResize(() => {
    foreground?.focus?.resize({ columns: terminal.columns, rows: terminal.rows });
    foreground?.focus?.write(redrawKey);
  });
  return {
    onKey(key) {
      const number = numberOf(key);
      const name = number && setup.names()[number - 1];
      if (name) enter(name);
      else if (key === focusKey.bytes) {
        const next = foreground ? undefined : setup.next(last);
        if (next) enter(next);
        else back();
      } else if (foreground) foreground.focus?.write(key);
      else return number !== undefined;
      return true;
    },
    next: () => setup.next(last),
    say(bytes) {
      if (!foreground || foreground.between) terminal.write(bytes);
      else foreground.held += bytes;
    },
    close() {
      back();
      stopListening();
    },
  };
}

/** 1 to 9 for Alt and that digit. */
function numberOf(key: string): number | undefined {
  const digit = key.length === 2 && key.startsWith("\x1b") ? Number(key[1]) : Number.NaN;
  return digit >= 1 ? digit : undefined;
}

// A teammate of the in-process display in the foreground: its bytes go to the person's terminal as they are and the keys go to it,
// while the lead waits behind. It is shown on the terminal's alternate screen, so the lead's scrollback stays what it was.
import type { Focus, View } from "../../team/display.ts";
import type { Terminal } from "./terminal.ts";

/** Both work in every terminal, and the editor has no use for them. Alt-1 to Alt-9 arrive as Esc and the digit. */
export const focusKey = { name: "Ctrl-O", bytes: "\x0f" };

export type FocusSetup = {
  terminal: Terminal;
  /** Takes the lead's screen away until the returned function is called. */
  hold: () => () => void;
  /** Undefined when that teammate has ended. */
  attach: (name: string, view: View) => Focus | undefined;
  /** All teammates in order of joining: the first is Alt-1. */
  names: () => string[];
  /** Whom the focus key leads to. */
  next: (last: string | undefined) => string | undefined;
  /** Told after the lead is back on the screen without a key having been pressed. */
  onEnd: (name: string) => void;
};

export interface FocusSwitch {
  /** True when the key was not for the lead. */
  onKey(key: string): boolean;
  /** Whom the focus key shows next. */
  next(): string | undefined;
  /** Bytes of ours for the terminal itself, such as a bell or a title; they never fall into the middle of a teammate's drawing. */
  say(bytes: string): void;
  /** Back to the lead for good. */
  close(): void;
}

type Foreground = { name: string; focus: Focus | undefined; between: boolean; held: string };

/** Ctrl-L: a member's screen draws everything again. */
const redrawKey = "\x0c";
/** What a member's screen ends each of its drawings with. */
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
    terminal.write(`\x1b\\\x1b[?1049h\x1b[0m\x1b[?25h\x1b[H\x1b[2J${name} is being drawn. ${focusKey.name}: back to the lead.\r\n`);
    here.focus = setup.attach(name, {
      columns: terminal.columns,
      rows: terminal.rows,
      onBytes(bytes) {
        // What it showed before it was attached was drawn for another size; it draws again below.
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
    // Whatever it was in the middle of ends here, and so does every mode it set.
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

// The one writer on the terminal. Finished text goes into the terminal's own scrollback and is never touched again;
// below it stands the live part, redrawn in place, at most height − 1 rows and never soft-wrapped.
import { clamper, wrap } from "../line-widths.ts";
import type { Terminal } from "./terminal.ts";

/** Finished lines for a width: safe already, may carry our own colours. A line that is wider is broken by the terminal. */
export type Rendered = (width: number) => string[];

/** One empty line, below what stands apart from whatever comes next. */
export const gap: Rendered = () => [""];

export interface Screen {
  /**
   * Finished text: safe already (visible-text.ts), may carry our own colours. Wrapped at the width or 100 columns; `hang` columns stay
   * free before what a wrapped line continues with. Empty lines at both ends are one, together with those of what is printed before and after.
   */
  print(text: string, hang?: number): void;
  /** Finished lines, for the width or 100 columns. They are drawn with what is drawn next. */
  add(lines: Rendered): void;
  /** Finished text is wrapped at that many columns at most from now on. */
  limitText(columns: number): void;
  /** Draws the live part again where it has changed. */
  refresh(): void;
  /** Clears the screen and draws everything again for its size of now: the live part, and above it the last of the finished text. */
  redraw(): void;
  /** Others have written on the terminal: the live part is drawn below, and what was drawn of it before stays. */
  drawBelow(): void;
  /** Takes the live part away, and keeps it and what is printed back until the returned function is called. */
  hold(): () => void;
  /** Removes the live part and gives the terminal back. What comes after is an ordinary shell prompt. */
  close(): void;
}

/** `live` returns the lines of the live part for a width; the last of them are kept when there are too many. */
export function createScreen(terminal: Terminal, live: (width: number) => string[]): Screen {
  const part = livePart(terminal);
  let closed = false;
  let holds = 0;
  const added: Rendered[] = [];
  let last: Rendered | undefined;
  const recent: Rendered[] = [];

  let widest = widestText;
  const textWidth = () => Math.min(terminal.columns, widest);
  const draw = () => {
    if (closed || holds > 0) return;
    terminal.measure();
    const finished = added.splice(0);
    recent.push(...finished.slice(-keptTexts));
    recent.splice(0, Math.max(0, recent.length - keptTexts));
    part.place(
      finished.flatMap((lines) => lines(textWidth())),
      liveLines(),
    );
  };
  const cut = clamper();
  const liveLines = () => cut(live(terminal.columns), terminal.columns).slice(-Math.max(1, terminal.rows - 1));
  const add = (lines: Rendered) => {
    if (closed || (lines === gap && last === gap)) return;
    added.push(lines);
    last = lines;
  };
  const stopListening = terminal.onResize(draw);
  return {
    print(text, hang) {
      const inside = text.replace(/^\n/, "").replace(/\n$/, "");
      if (text.startsWith("\n") || inside === "") add(gap);
      if (inside !== "") add((width) => wrap(inside, width, hang).split("\n"));
      if (text.endsWith("\n")) add(gap);
      draw();
    },
    add,
    limitText(columns) {
      widest = Math.min(columns, widestText);
    },
    refresh() {
      if (closed || holds > 0) return;
      if (added.length > 0) return draw();
      terminal.measure();
      part.update(liveLines());
    },
    redraw() {
      if (closed || holds > 0) return;
      draw();
      terminal.measure();
      terminal.write("\x1b[?2026h\x1b[0m\x1b[H\x1b[2J");
      part.forget();
      part.place(recent.flatMap((lines) => lines(textWidth())).slice(-terminal.rows), liveLines());
    },
    drawBelow() {
      part.forget();
      draw();
    },
    hold() {
      if (!closed && holds === 0) {
        part.remove();
      }
      holds++;
      return () => {
        if (--holds > 0) return;
        draw();
      };
    },
    close() {
      if (closed) return;
      holds = 0;
      if (added.length > 0) draw();
      part.remove();
      closed = true;
      stopListening();
    },
  };
}

/**
 * The live part as it is on the terminal. Between frames the cursor rests on its first row, which a terminal keeps it on however it breaks its
 * lines again when its size changes: erasing never needs to know how many rows there are, and never reaches what is finished.
 */
function livePart(terminal: Terminal) {
  let drawn: string[] = [];
  let drawnFor = { columns: terminal.columns, rows: terminal.rows };
  const erase = () => (drawn.length === 0 ? "" : `\r${eraseDown}`);
  const write = (bytes: string, lines: string[]) => {
    terminal.write(`\x1b[?2026h\x1b[?25l${bytes}\x1b[?2026l`);
    drawn = lines;
    drawnFor = { columns: terminal.columns, rows: terminal.rows };
  };
  const place = (finished: string[], lines: string[]) => {
    const above = finished.map((line) => `${line}\r\n`).join("");
    write(`${erase()}${above}${unwrapped(lines.join("\r\n"))}${backOver(lines.length)}`, lines);
  };
  /** Only from the first line on that differs. */
  const replace = (lines: string[]) => {
    const different = lines.findIndex((line, row) => line !== drawn[row]);
    const from = Math.min(different < 0 ? lines.length - 1 : different, drawn.length - 1);
    if (from < 0) return place([], lines);
    const down = from > 0 ? `\x1b[${from}B` : "";
    write(`\r${down}${eraseDown}${unwrapped(lines.slice(from).join("\r\n"))}${backOver(lines.length)}`, lines);
  };
  return {
    /** Below what is finished by now. */
    place,
    update(lines: string[]) {
      if (drawnFor.columns !== terminal.columns || drawnFor.rows !== terminal.rows) place([], lines);
      else if (lines.join("\n") !== drawn.join("\n")) replace(lines);
    },
    /** What was drawn of it is somebody else's by now. */
    forget() {
      drawn = [];
    },
    /** With the cursor back for whoever writes next. */
    remove() {
      terminal.write(`${erase()}\x1b[?25h`);
      drawn = [];
    },
  };
}

/** From the start of a row. Erasing all of a screen at once, from its first row, makes tmux keep it in the scrollback. */
const eraseDown = "\x1b[2K\x1b7\x1b[1B\x1b[J\x1b8";

/** Text is read at this width even where there is room for more. */
const widestText = 100;

/** More than one screen shows. They are kept unwrapped: by the time they are drawn again, the terminal may have another width. */
const keptTexts = 200;

/** From the last of so many rows to the first. */
function backOver(rows: number): string {
  return rows > 1 ? `\r\x1b[${rows - 1}A` : "\r";
}

/** Written with the terminal's own wrapping off: it may think otherwise of the width of an emoji. */
function unwrapped(lines: string): string {
  return `\x1b[?7l${lines}\x1b[?7h`;
}

// The only writer to the terminal. Finished text goes into the terminal's scrollback and is never changed; the live part below is redrawn in place,
// with at most height − 1 rows and no soft wrapping.
import { clamper, widestText, wrap } from "../line-widths.ts";
import type { Terminal } from "./terminal.ts";

/** Finished lines for a width: already safe, possibly with our own colours. The terminal wraps a line that is wider. */
export type Rendered = (width: number) => string[];

/** One empty line that separates blocks. */
export const gap: Rendered = () => [""];

export interface Screen {
  /**
   * Prints finished text: already safe (visible-text.ts), possibly with our own colours. It is wrapped at the width or at 100 columns. With
   * `hang`, for lists of facts, it may be as wide as the terminal, and continuation lines are indented by that many columns. Empty lines at its ends are merged with those of neighbouring texts into one.
   */
  print(text: string, hang?: number): void;
  /** The same, drawn together with the next drawing. */
  put(text: string, hang?: number): void;
  /** Adds finished lines for the width or 100 columns. They are drawn together with the next drawing. */
  add(lines: Rendered): void;
  /** Whether the finished text ends with an empty line. */
  endsWithGap(): boolean;
  /** Limits the width of finished text from now on. */
  limitText(columns: number): void;
  /** Redraws the changed part of the live part. */
  refresh(): void;
  /** Clears the screen and redraws everything for its current size: the live part, and above it the last finished texts. */
  redraw(): void;
  /** Another program has written to the terminal: draws the live part below that and leaves the old one. */
  drawBelow(): void;
  /** Removes the live part, and holds back the live part and printed text until the returned function is called. */
  hold(): () => void;
  /** Removes the live part and releases the terminal, so that an ordinary shell prompt can follow. */
  close(): void;
}

/** `live` returns the lines of the live part for a width; if there are too many, the last ones are kept. */
export function createScreen(terminal: Terminal, live: (width: number) => string[]): Screen {
  const part = livePart(terminal);
  let closed = false;
  let holds = 0;
  const texts = finishedTexts();
  let limit = Number.POSITIVE_INFINITY;
  const factWidth = () => Math.min(terminal.columns, limit);
  const textWidth = () => Math.min(factWidth(), widestText);
  const draw = () => {
    if (closed || holds > 0) return;
    terminal.measure();
    part.place(texts.take(textWidth()), liveLines());
  };
  const cut = clamper();
  const liveLines = () => cut(live(terminal.columns), terminal.columns).slice(-Math.max(1, terminal.rows - 1));
  const add = (lines: Rendered) => {
    if (!closed) texts.add(lines);
  };
  const stopListening = terminal.onResize(draw);
  const put = (text: string, hang?: number) => {
    const inside = text.replace(/^\n/, "").replace(/\n$/, "");
    if (text.startsWith("\n") || inside === "") add(gap);
    if (inside !== "") add((width) => wrap(inside, hang ? factWidth() : width, hang).split("\n"));
    if (text.endsWith("\n")) add(gap);
  };
  return {
    print(text, hang) {
      put(text, hang);
      draw();
    },
    put,
    add,
    endsWithGap: texts.endWithGap,
    limitText(columns) {
      limit = columns;
    },
    refresh() {
      if (closed || holds > 0) return;
      if (texts.wait()) return draw();
      terminal.measure();
      part.update(liveLines());
    },
    redraw() {
      if (closed || holds > 0) return;
      draw();
      terminal.measure();
      terminal.write(`\x1b[?2026h\x1b[0m\x1b[H${eraseDown}`);
      part.forget();
      const lines = liveLines();
      // More than fits would scroll away a second time.
      const room = Math.max(0, terminal.rows - Math.max(1, lines.length));
      part.place(room > 0 ? texts.recent(textWidth()).slice(-room) : [], lines);
    },
    drawBelow() {
      part.forget();
      draw();
    },
    hold() {
      if (!closed && holds === 0) part.remove();
      holds++;
      return () => {
        if (--holds > 0) return;
        draw();
      };
    },
    close() {
      if (closed) return;
      holds = 0;
      if (texts.wait()) draw();
      part.remove();
      closed = true;
      stopListening();
    },
  };
}

/** Finished texts: those that wait for the next drawing, and the last ones that were drawn. Of neighbouring gaps one counts. */
function finishedTexts() {
  const added: Rendered[] = [];
  const drawn: Rendered[] = [];
  let last: Rendered | undefined;
  const at = (width: number, texts: Rendered[]) => texts.flatMap((lines) => lines(width));
  return {
    add(lines: Rendered) {
      if (lines !== gap || last !== gap) added.push(lines);
      last = lines;
    },
    endWithGap: () => last === gap,
    wait: () => added.length > 0,
    take(width: number) {
      const taken = added.splice(0);
      drawn.push(...taken.slice(-keptTexts));
      drawn.splice(0, Math.max(0, drawn.length - keptTexts));
      return at(width, taken);
    },
    recent: (width: number) => at(width, drawn),
  };
}

/**
 * The live part on the terminal. Between frames the cursor is on its first row, and a terminal keeps it there when it rewraps lines after a resize:
 * erasing needs no row count and never touches finished text.
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
  /** Redraws from the first line that differs. */
  const replace = (lines: string[]) => {
    const different = lines.findIndex((line, row) => line !== drawn[row]);
    const from = Math.min(different < 0 ? lines.length - 1 : different, drawn.length - 1);
    if (from < 0) return place([], lines);
    const down = from > 0 ? `\x1b[${from}B` : "";
    write(`\r${down}${eraseDown}${unwrapped(lines.slice(from).join("\r\n"))}${backOver(lines.length)}`, lines);
  };
  return {
    /** Draws below the finished text. */
    place,
    update(lines: string[]) {
      if (drawnFor.columns !== terminal.columns || drawnFor.rows !== terminal.rows) place([], lines);
      else if (lines.join("\n") !== drawn.join("\n")) replace(lines);
    },
    /** Forgets what was drawn: another program owns it. */
    forget() {
      drawn = [];
    },
    /** Shows the cursor again for the next writer. */
    remove() {
      terminal.write(`${erase()}\x1b[?25h`);
      drawn = [];
    },
  };
}

/** Erases from the start of a row. Erasing the whole screen at once from its first row would make tmux keep it in the scrollback. */
const eraseDown = "\x1b[2K\x1b7\x1b[1B\x1b[J\x1b8";

/** More than one screen shows. Kept unwrapped, because the width may have changed when they are redrawn. */
const keptTexts = 200;

/** Moves from the last of these rows to the first. */
function backOver(rows: number): string {
  return rows > 1 ? `\r\x1b[${rows - 1}A` : "\r";
}

/** Written with the terminal's own wrapping off, because it may disagree about the width of an emoji. */
function unwrapped(lines: string): string {
  return `\x1b[?7l${lines}\x1b[?7h`;
}

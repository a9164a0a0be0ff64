// The one writer on the terminal. Finished text goes into the terminal's own scrollback and is never touched again;
// below it stands the live part, redrawn in place, at most height − 1 rows and never soft-wrapped.
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Terminal } from "./terminal.ts";

export interface Screen {
  /**
   * Finished text: safe already (visible-text.ts), may carry our own colours. Wrapped at the width or 100 columns; `hang` columns stay
   * free before what a wrapped line goes on with.
   */
  print(text: string, hang?: number): void;
  /** Draws the live part anew if it has changed. */
  refresh(): void;
  /** Clears the screen and draws everything anew for its size of now: the live part, and above it the last of the finished text. */
  redraw(): void;
  /** Takes the live part away, and keeps it and what is printed back until the returned function is called. */
  hold(): () => void;
  /** Removes the live part and gives the terminal back. What comes after is an ordinary shell prompt. */
  close(): void;
}

/** `live` returns the lines of the live part for a width; the last of them are kept when there are too many. */
export function createScreen(terminal: Terminal, live: (width: number) => string[]): Screen {
  let drawn: string[] = [];
  let drawnWidth = terminal.columns;
  let closed = false;
  let holds = 0;
  const heldBack: Finished[] = [];
  let recent: Finished[] = [];

  const wrapped = ({ text, hang }: Finished) => wrap(text, Math.min(terminal.columns, 100), hang).split("\n");
  const erase = () => {
    const rows = rowsOf(drawn, Math.min(drawnWidth, terminal.columns), terminal.rows);
    return rows === 0 ? "" : `${rows > 1 ? `\x1b[${rows - 1}A` : ""}\r\x1b[J`;
  };
  const draw = (finished: Finished[]) => {
    if (closed) return;
    if (holds > 0) {
      heldBack.push(...finished);
      return;
    }
    terminal.measure();
    recent = [...recent, ...finished].slice(-keptTexts);
    place(finished.flatMap(wrapped));
  };
  const liveLines = () =>
    live(terminal.columns)
      .map((line) => clamp(line, terminal.columns))
      .slice(-Math.max(1, terminal.rows - 1));
  const place = (finished: string[], lines = liveLines()) => {
    const above = finished.map((line) => `${line}\r\n`).join("");
    terminal.write(`\x1b[?2026h\x1b[?25l${erase()}${above}${lines.join("\r\n")}\x1b[?2026l`);
    drawn = lines;
    drawnWidth = terminal.columns;
  };
  const stopListening = terminal.onResize(() => draw([]));
  return {
    print: (text, hang) => draw([{ text, hang }]),
    refresh() {
      if (closed || holds > 0) return;
      terminal.measure();
      const lines = liveLines();
      if (drawnWidth !== terminal.columns || lines.join("\n") !== drawn.join("\n")) place([], lines);
    },
    redraw() {
      if (closed || holds > 0) return;
      terminal.measure();
      terminal.write("\x1b[?2026h\x1b[0m\x1b[H\x1b[2J");
      drawn = [];
      place(recent.flatMap(wrapped).slice(-terminal.rows));
    },
    hold() {
      if (!closed && holds === 0) {
        terminal.write(erase());
        drawn = [];
      }
      holds++;
      return () => {
        if (--holds > 0) return;
        draw(heldBack.splice(0));
      };
    },
    close() {
      if (closed) return;
      holds = 0;
      if (heldBack.length > 0) draw(heldBack.splice(0));
      terminal.write(`${erase()}\x1b[?25h`);
      closed = true;
      stopListening();
    },
  };
}

/** Kept unwrapped: by the time it is drawn, the terminal may have another width. */
type Finished = { text: string; hang: number | undefined };

/** More than one screen shows. */
const keptTexts = 200;

/** Width calls are slow on monstrous lines, so each line is cut to a few thousand characters before any of them. */
const longestLine = 4_000;

/** Wraps each line at `width` columns; a very long one is wrapped in pieces. What follows a break is indented by `hang` columns. */
export function wrap(text: string, width: number, hang = 0): string {
  return text
    .split("\n")
    .flatMap((line) => (visibleWidth(line.slice(0, longestLine)) <= width ? [line] : wrapLine(line, width, hang)))
    .join("\n");
}

function wrapLine(line: string, width: number, hang: number): string[] {
  const room = width - hang;
  if (hang === 0 || room < 20) return pieces(line).flatMap((piece) => wrapTextWithAnsi(piece, width));
  const [first = "", ...rest] = wrapTextWithAnsi(line.slice(0, longestLine), width);
  const following = pieces([...rest, line.slice(longestLine)].filter(Boolean).join(" ")).flatMap((piece) => wrapTextWithAnsi(piece, room));
  return [first, ...following.map((text) => `${" ".repeat(hang)}${text}`)];
}

/** Cuts a line to `width` columns, with an ellipsis. */
export function clamp(line: string, width: number): string {
  return truncateToWidth(line.slice(0, longestLine), width, "…");
}

function pieces(line: string): string[] {
  if (line.length <= longestLine) return [line];
  return Array.from({ length: Math.ceil(line.length / longestLine) }, (_, index) =>
    line.slice(index * longestLine, (index + 1) * longestLine),
  );
}

/** How many rows the lines take now; a narrower terminal has wrapped them. Never more than are on the screen: in doubt a stale line stays. */
function rowsOf(lines: string[], width: number, height: number): number {
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(visibleWidth(line) / Math.max(1, width))), 0);
  return Math.min(rows, height);
}

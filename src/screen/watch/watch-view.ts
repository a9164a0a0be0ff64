// The keys and the picture of the screen of everything that runs: which row is marked, and whether the transcript of one is open.
import { matchesKey } from "@earendil-works/pi-tui";
import type { TranscriptEvent } from "../../agent/events.ts";
import { agentLines } from "../events/agent-lines.ts";
import { clamp, wrap } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { createScreen } from "../terminal/screen.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visibleLine } from "../visible-text.ts";
import { ordered, type Snapshot, type WatchRow } from "./row.ts";
import { goesThere, watchLines } from "./watch-lines.ts";

/** What the person wants of a row. */
export type Wish = { kind: "answer" | "go"; row: WatchRow } | { kind: "leave" };

export type WatchView = {
  show(snapshot: Snapshot): void;
  /** What the last wish came to. */
  tell(text: string): void;
  /** Removes the picture and releases the terminal, until the returned function is called. */
  lend(): () => void;
  close(): void;
};

type Setup = {
  terminal: Terminal;
  style: Style;
  nowMs: () => number;
  /** The last events of a transcript; undefined if there is none. */
  transcript: (path: string) => TranscriptEvent[] | undefined;
  onWish: (wish: Wish) => void;
};

type State = { snapshot: Snapshot; marked: string | undefined; told: string; open: WatchRow | undefined };

export function openWatchView({ terminal, style, nowMs, transcript, onWish }: Setup): WatchView {
  const state: State = {
    snapshot: { at: "", rows: [], today: { costUsd: 0, isPartial: false } },
    marked: undefined,
    told: "",
    open: undefined,
  };
  const lines = (width: number) => {
    const look = { style, width, height: terminal.rows, nowMs: nowMs() };
    const { open } = state;
    return open
      ? transcriptLines(open, open.transcript === undefined ? undefined : transcript(open.transcript), look)
      : watchLines(state.snapshot, state, look);
  };
  let screen = createScreen(terminal, lines);
  const onKey = (key: string) => {
    const wish = pressed(state, key);
    if (wish) onWish(wish);
    screen.refresh();
  };
  let stopListening = terminal.listen(onKey);
  const stopClock = terminal.every(1_000, () => screen.refresh());
  const release = () => {
    stopListening();
    screen.close();
  };
  return {
    show(snapshot) {
      const before = ordered(state.snapshot.rows).findIndex(({ id }) => id === state.marked);
      const rows = ordered(snapshot.rows);
      state.snapshot = snapshot;
      // The mark stays on its row, or where that was.
      if (!rows.some(({ id }) => id === state.marked)) state.marked = rows[Math.max(0, Math.min(before, rows.length - 1))]?.id;
      screen.refresh();
    },
    tell(text) {
      state.told = text;
      screen.refresh();
    },
    lend() {
      release();
      return () => {
        screen = createScreen(terminal, lines);
        stopListening = terminal.listen(onKey);
        screen.refresh();
      };
    },
    close() {
      stopClock();
      release();
    },
  };
}

/** Pure but for the state that it is given. */
function pressed(state: State, key: string): Wish | undefined {
  const rows = ordered(state.snapshot.rows);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === state.marked),
  );
  const row = rows[at];
  const is = (name: Parameters<typeof matchesKey>[1]) => matchesKey(key, name);
  if (is("ctrl+c")) return { kind: "leave" };
  if (state.open) {
    if (is("escape") || is("q") || is("enter")) state.open = undefined;
    return undefined;
  }
  if (is("q") || is("ctrl+d")) return { kind: "leave" };
  state.told = "";
  if (is("up") || is("k")) state.marked = rows[Math.max(0, at - 1)]?.id;
  else if (is("down") || is("j")) state.marked = rows[Math.min(rows.length - 1, at + 1)]?.id;
  else if (is("home")) state.marked = rows[0]?.id;
  else if (is("end")) state.marked = rows.at(-1)?.id;
  else if (row && is("enter") && row.question) return { kind: "answer", row };
  else if (row && (is("g") || (is("enter") && goesThere(row)))) return { kind: "go", row };
  else if (row?.transcript !== undefined && (is("t") || is("enter"))) state.open = row;
  else if (row && is("enter")) return { kind: "go", row };
  return undefined;
}

const mostEvents = 60;

function transcriptLines(
  row: WatchRow,
  events: TranscriptEvent[] | undefined,
  { style, width, height }: { style: Style; width: number; height: number },
): string[] {
  const said = (events ?? []).slice(-mostEvents).flatMap((event) => {
    const text = agentLines(event, style, { columns: width });
    return text === undefined ? [] : wrap(text, width, 2).split("\n");
  });
  const room = Math.max(1, height - 4);
  const body = said.length > 0 ? said.slice(-room) : [style.dim(events ? "  Nothing was said yet." : "  It has no transcript here.")];
  const head = `${style.bold(visibleLine(row.fullName))}  ${style.dim(visibleLine(row.folder))}`;
  return [head, ...body, "", style.dim("  Esc: back to the list")].map((line) => clamp(line, width));
}

// Decides where the next pane goes, from the state of the server: beside the lead, below it, in a window of the team, or in a new window.
import type { Pane, Window } from "./panes.ts";

/** How a window is laid out. `rows`: the height of the lead above its teammates. */
export type Layout = { kind: "main-vertical" } | { kind: "main-horizontal"; rows: number } | { kind: "tiled" } | { kind: "even-vertical" };

/** `split`: divides the pane `beside`, `-h` to its right or `-v` below it, and lays out its window again. */
export type Place =
  | { kind: "split"; beside: string; direction: "-h" | "-v"; layout: Layout }
  | { kind: "window"; namedAfter: "team" | "teammate" };

type Server = { lead: string | undefined; isOurs: (pane: Pane) => boolean };

/**
 * The lead's window may be split while every pane in it is the lead's or carries our mark: from 161 columns with the teammates beside the
 * lead, from 100 below it. A teammate that does not fit gets a window of its own. If the lead shares its window with others, or the server
 * has only teammates, they share windows as long as each gets 80 × 12.
 */
export function nextPlace(panes: Pane[], { lead, isOurs }: Server): Place {
  const windows = [...new Set(panes.map((pane) => pane.window.id))].map((id) => panes.filter((pane) => pane.window.id === id));
  const leads = windows.find((inside) => inside.some((pane) => pane.id === lead));
  if (leads?.every((pane) => pane.id === lead || isOurs(pane))) return withLead(leads);
  for (const inside of windows) {
    const layout = inside.every(isOurs) ? sharedLayout(inside[0]?.window, inside.length + 1) : undefined;
    const last = inside.at(-1);
    if (layout && last) return { kind: "split", beside: last.id, direction: "-v", layout };
  }
  return { kind: "window", namedAfter: sharedLayout((leads ?? panes)[0]?.window, 2) ? "team" : "teammate" };
}

/** Wide enough for a lead and a teammate of 80 columns each, and for two teammates of 48 with some room. */
const leastBeside = 161;
const leastBelow = 100;

function withLead(inside: Pane[]): Place {
  const window = inside[0]?.window;
  const last = inside.at(-1);
  const layout = window && layoutWithLead(window, inside.length);
  if (!layout || !last) return { kind: "window", namedAfter: "teammate" };
  const first = inside.length === 1;
  return { kind: "split", beside: last.id, direction: (layout.kind === "main-vertical") === first ? "-h" : "-v", layout };
}

/** How many teammates a window shows together with the lead. */
export function roomBesideLead(window: Window): number {
  let room = 0;
  while (layoutWithLead(window, room + 1)) room++;
  return room;
}

function layoutWithLead(window: Window, teammates: number): Layout | undefined {
  return window.columns >= leastBeside ? beside(window, teammates) : below(window, teammates);
}

/** Teammates stacked to the right of the lead. */
function beside(window: Window, teammates: number): Layout | undefined {
  const columns = window.columns - 1 - mainColumns(window);
  return columns >= 80 && stacked(window.rows, teammates) >= 12 ? { kind: "main-vertical" } : undefined;
}

/** Teammates side by side below the lead, each half with a title line. */
function below(window: Window, teammates: number): Layout | undefined {
  if (window.columns < leastBelow) return undefined;
  const columns = Math.floor((window.columns - (teammates - 1)) / teammates);
  const rows = Math.floor((window.rows - 2) / 2);
  return columns >= 48 && rows >= 8 ? { kind: "main-horizontal", rows: window.rows - 2 - rows } : undefined;
}

/** The first layout in which this many teammates each get 80 × 12. */
function sharedLayout(window: Window | undefined, count: number): Layout | undefined {
  const layouts: Extract<Layout, { kind: "tiled" | "even-vertical" }>[] = [{ kind: "tiled" }, { kind: "even-vertical" }];
  return layouts.find(({ kind }) => {
    const smallest = window && smallestPane[kind](window, count);
    return smallest && smallest.columns >= 80 && smallest.rows >= 12;
  });
}

/** The smallest of `count` panes after tmux's layout, with a title line above each pane. */
const smallestPane: Record<"tiled" | "even-vertical", (window: Window, count: number) => { columns: number; rows: number }> = {
  tiled: (window, count) => {
    const rows = Math.ceil(Math.sqrt(count));
    const columns = Math.ceil(count / rows);
    // Only the panes of the topmost row lose a line to its title.
    return {
      columns: Math.floor((window.columns - (columns - 1)) / columns),
      rows: Math.floor((window.rows - (rows - 1)) / rows) - 1,
    };
  },
  "even-vertical": (window, count) => ({ columns: window.columns, rows: stacked(window.rows, count) }),
};

/** A stack of panes has one title or border line per pane. */
function stacked(rows: number, count: number): number {
  return Math.floor((rows - count) / count);
}

/** The columns that the lead keeps beside its teammates. */
export function mainColumns({ columns, mainWidth }: Window): number {
  const wanted = Number.parseInt(mainWidth, 10);
  return mainWidth.endsWith("%") ? Math.floor(((columns - 1) * wanted) / 100) : wanted;
}

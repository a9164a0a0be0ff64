// Where the next pane goes, decided from what the server has: beside the lead, in a window of the team's, or in a new window.
import type { Pane, Window } from "./tmux-panes.ts";

type Layout = "main-vertical" | "tiled" | "even-vertical";

/** `split`: the pane `beside` is divided, `-h` to its right or `-v` below it, and its window laid out anew. */
export type Place = { kind: "split"; beside: string; direction: "-h" | "-v"; layout: Layout } | { kind: "window" };

/**
 * A window is ours to split only while every pane in it is the lead's or carries our mark, and only if each teammate keeps 80 × 12.
 * `lead` is undefined where the server holds teammates alone.
 */
export function nextPlace(panes: Pane[], { lead, isOurs }: { lead: string | undefined; isOurs: (pane: Pane) => boolean }): Place {
  const windows = [...new Set(panes.map((pane) => pane.window.id))].map((id) => panes.filter((pane) => pane.window.id === id));
  const leadFirst = windows.sort((a, b) => Number(holds(b, lead)) - Number(holds(a, lead)));
  for (const inside of leadFirst) {
    if (!inside.every((pane) => pane.id === lead || isOurs(pane))) continue;
    const layout = layoutFor(inside, lead);
    const last = inside.at(-1);
    if (layout && last) return { kind: "split", beside: last.id, direction: last.id === lead ? "-h" : "-v", layout };
  }
  return { kind: "window" };
}

function holds(panes: Pane[], lead: string | undefined): boolean {
  return panes.some((pane) => pane.id === lead);
}

/** The first layout in which one pane more still leaves every teammate enough room. */
function layoutFor(inside: Pane[], lead: string | undefined): Layout | undefined {
  const window = inside[0]?.window;
  const layouts: Layout[] = holds(inside, lead) ? ["main-vertical"] : ["tiled", "even-vertical"];
  return layouts.find((layout) => {
    const smallest = window && smallestPane[layout](window, inside.length + 1);
    return smallest && smallest.columns >= leastColumns && smallest.rows >= leastRows;
  });
}

const leastColumns = 80;
const leastRows = 12;

/** What tmux leaves the smallest teammate of `count` panes, with a title line above each pane. */
const smallestPane: Record<Layout, (window: Window, count: number) => { columns: number; rows: number }> = {
  "main-vertical": (window, count) => ({ columns: window.columns - 1 - mainColumns(window), rows: stacked(window.rows, count - 1) }),
  tiled: (window, count) => {
    const rows = Math.ceil(Math.sqrt(count));
    const columns = Math.ceil(count / rows);
    // The title of the topmost row is taken from its panes alone.
    return {
      columns: Math.floor((window.columns - (columns - 1)) / columns),
      rows: Math.floor((window.rows - (rows - 1)) / rows) - 1,
    };
  },
  "even-vertical": (window, count) => ({ columns: window.columns, rows: stacked(window.rows, count) }),
};

/** A stack of panes has as many title or border lines as panes. */
function stacked(rows: number, count: number): number {
  return Math.floor((rows - count) / count);
}

function mainColumns({ columns, mainWidth }: Window): number {
  const wanted = Number.parseInt(mainWidth, 10);
  return mainWidth.endsWith("%") ? Math.floor(((columns - 1) * wanted) / 100) : wanted;
}

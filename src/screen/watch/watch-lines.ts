// The screen of everything that runs, as lines: a head, the rows that fit around the marked one, and what the keys do for it.
import { dollars, elapsedTime, plural } from "../../wording/figures.ts";
import { clamp } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { aligned, type Cell, cell, stateCell } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { isBelowRoot, ordered, type Snapshot, type WatchRow } from "./row.ts";

export type WatchLook = { style: Style; width: number; height: number; nowMs: number };

/** `marked`: the id of a row. `told`: what the last key came to. */
export function watchLines(snapshot: Snapshot, { marked, told }: { marked: string | undefined; told: string }, look: WatchLook): string[] {
  const { style, width, height } = look;
  const rows = ordered(snapshot.rows);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === marked),
  );
  const room = Math.max(1, height - 4);
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), rows.length - room));
  const shown = rows.slice(from, from + room);
  const table = rowLines(shown, snapshot.rows, look).map((line, index) => `${from + index === at ? style.pointer : " "} ${line}`);
  const hidden = rows.length > room ? `  ${at + 1} of ${rows.length}` : "";
  const body = rows.length > 0 ? table : [style.dim("  Nothing runs on this machine.")];
  const hint = rows[at] ? keysOf(rows[at], width) : "q leaves";
  return [headLine(snapshot, style) + style.dim(hidden), "", ...body, told ? `  ${told}` : "", style.dim(`  ${hint}`)].map((line) =>
    clamp(line, width),
  );
}

/** `3 sessions, 1 team · 2 need you · $1.20 today`. */
function headLine({ rows, today }: Snapshot, style: Style): string {
  const of = (kind: WatchRow["kind"]) => rows.filter((row) => row.kind === kind).length;
  const kinds = (["session", "team", "batch"] as const).flatMap((kind) =>
    of(kind) > 0 ? plural(of(kind), kind, kind === "batch" ? "batches" : `${kind}s`) : [],
  );
  const waiting = rows.filter(({ state }) => state === "needs_you");
  const needing = new Set(waiting.map(({ id, question }) => question?.request ?? id)).size; // a session shows the question of its agent too
  const cost = `${dollars(today.costUsd)} today${today.isPartial ? ", and requests of unknown price" : ""}`;
  return [
    style.bold(kinds.join(", ") || "nothing runs"),
    ...(needing > 0 ? [style.state("needs_you", `${style.symbol("needs_you")} ${needing} ${needing === 1 ? "needs" : "need"} you`)] : []),
    style.dim(cost),
  ].join(` ${style.middleDot} `);
}

/** Columns are dropped before what a row does now. */
function rowLines(rows: readonly WatchRow[], all: readonly WatchRow[], { style, width, nowMs }: Omit<WatchLook, "height">): string[] {
  const name = (row: WatchRow) => cell(isBelowRoot(row, all) ? `  ${visibleLine(row.name)}` : visibleLine(row.fullName));
  const state = (row: WatchRow): Cell => stateCell(row, style);
  const symbolAndName = (row: WatchRow) => cell(`${style.symbol(row.state)} ${name(row).text}`, (text) => style.state(row.state, text));
  const age = ({ since }: WatchRow) => cell(since === null ? "" : elapsedTime(nowMs - Date.parse(since)), style.dim);
  const cost = ({ costUsd }: WatchRow) => cell(costUsd === null ? "" : dollars(costUsd), style.dim);
  const folder = (row: WatchRow) => cell(isBelowRoot(row, all) ? "" : clamp(lastParts(row.folder), 28), style.dim);
  const now = (row: WatchRow) => cell(visibleLine(nowText(row, style)));
  return aligned(
    rows.map((row) => {
      if (width < 60) return [symbolAndName(row), now(row)];
      if (width < 110) return [name(row), state(row), age(row), cost(row), now(row)];
      return [name(row), state(row), age(row), cost(row), folder(row), now(row)];
    }),
  );
}

function nowText({ now, waitsFor, state }: WatchRow, style: Style): string {
  const waits = state === "needs_you" || waitsFor.length === 0 ? "" : `waits for ${waitsFor.join(", ")}`;
  return [now, waits].filter(Boolean).join(` ${style.middleDot} `);
}

const lastParts = (folder: string) => visibleLine(folder.split("/").slice(-2).join("/"));

/** Whether Enter goes to its pane, or says where it is: of what needs the person there the transcript has nothing new. */
export const goesThere = ({ question, pane, state }: WatchRow): boolean => !question && (pane !== undefined || state === "needs_you");

function keysOf(row: WatchRow, width: number): string {
  const isThere = row.pane ? "Enter goes to its pane" : "Enter says where it is";
  const enter = row.question ? "Enter answers" : goesThere(row) ? isThere : row.transcript ? "Enter shows its transcript" : "";
  const others = [row.question && row.pane && "g its pane", row.transcript && "t transcript"];
  const keys = [enter, ...(width < 60 ? [] : others), "q leaves"].filter(Boolean);
  return keys.join("   ");
}

/** One line for each row, for `--print`. */
export function plainLines(snapshot: Snapshot, look: Omit<WatchLook, "height">): string[] {
  return [headLine(snapshot, look.style), ...rowLines(ordered(snapshot.rows), snapshot.rows, look)];
}

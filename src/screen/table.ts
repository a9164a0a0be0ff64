// Aligns columns that may contain colours and wide characters.
import { visibleWidth } from "@earendil-works/pi-tui";
import { clamp } from "./line-widths.ts";
import type { State, Style } from "./style.ts";

/** One line of text; colours are added after alignment. */
export type Cell = { text: string; paint: (text: string) => string; isFigure?: true };

export function cell(text: string, paint: Cell["paint"] = (plain) => plain): Cell {
  return { text, paint };
}

/** A number, with its last digit below that of others. */
export const figure = (text: string): Cell => ({ ...cell(text), isFigure: true });

/** Text whose last column begins at `hang`, so that a long value continues below itself. */
export type HungText = { text: string; hang: number };

/** The names of the columns. */
export const headRow = (names: string[], style: Style): Cell[] => names.map((name) => cell(name, style.dim));

/** A state with its symbol and its colour. */
export const stateCell = ({ state, words }: { state: State; words: string }, style: Style): Cell =>
  cell(`${style.symbol(state)} ${words}`, (text) => style.state(state, text));

/** The last column is not padded, so its text may have any length. */
export function aligned(rows: Cell[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => visibleWidth(row[column]?.text ?? ""))));
  const hasFigures = widths.map((_, column) => rows.some((row) => row[column]?.isFigure));
  const shown = ({ text, paint }: Cell, column: number, { length }: Cell[]) => {
    const blanks = " ".repeat(Math.max(0, (widths[column] ?? 0) - visibleWidth(text)));
    return paint(hasFigures[column] ? blanks + text : column === length - 1 ? text : text + blanks);
  };
  return rows.map((row) => row.map(shown).join("  ").trimEnd());
}

/** `forms`: its cells in each of its forms, the longest first. */
export type Column = { name: string; head: string; forms: readonly Cell[][] };

/** Makes columns of these rows. Each form says a row's cell; a column is known by its name, which is also its head. */
export const columnsFor =
  <Row>(rows: readonly Row[]) =>
  (name: string, ...forms: ((row: Row) => Cell | string)[]): Column => ({
    name,
    head: name,
    forms: forms.map((form) => rows.map(form).map((one) => (typeof one === "string" ? cell(one) : one))),
  });

/** `giveWay`: names in the order in which columns take their next form where there is no room, or go after their last one. */
export type Fitting = { columns: number; giveWay: readonly string[]; style: Style; last?: "cut" | "whole" };

/**
 * The last column is text, and is cut where the others leave it less than it has: then no line is wider than `columns`, which may be infinite. A
 * whole one is for the caller to wrap.
 */
export function fittedTable(all: readonly Column[], { columns: room, giveWay, style, last = "cut" }: Fitting): string[] {
  let shown = all;
  for (const name of giveWay) {
    if (leastWidth(shown) <= room) break;
    shown = shown.flatMap((column) => (column.name === name ? nextForm(column) : [column]));
  }
  const heads = headRow(
    shown.map(({ head }) => head),
    style,
  );
  const rows = (shown[0]?.forms[0] ?? []).map((_, at) => shown.map(({ forms }) => forms[0]?.[at] ?? cell("")));
  const lines = aligned([heads, ...rows]);
  return room === Number.POSITIVE_INFINITY || last === "whole" ? lines : lines.map((line) => clamp(line, room));
}

const leastText = 16;

function leastWidth(columns: readonly Column[]): number {
  const widths = columns.map(({ head, forms: [cells = []] }) => Math.max(...[head, ...cells.map(({ text }) => text)].map(visibleWidth)));
  const last = widths.pop() ?? 0;
  return widths.reduce((sum, width) => sum + width + 2, Math.min(last, leastText));
}

function nextForm({ forms: [, ...later], ...column }: Column): Column[] {
  return later.length > 0 ? [{ ...column, forms: later }] : [];
}

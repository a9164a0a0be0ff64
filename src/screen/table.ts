// Aligns columns that may contain colours and wide characters.
import { visibleWidth } from "@earendil-works/pi-tui";
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

// Renders a Markdown table in columns that fit the width, or as one line a cell if they cannot.
import { columnsOf } from "../line-widths.ts";
import type { Style } from "../style.ts";
import type { Block } from "./block.ts";
import { foldSpans } from "./fold.ts";
import { inlineSpans, type Span } from "./inline.ts";

type Table = Extract<Block, { kind: "table" }>;

const gap = "  ";
/** The least width of a column: this, or its longest word up to `longWord` columns. */
const narrowest = 8;
const longWord = 18;

export function tableLines({ head, right, rows }: Table, { style, width }: { style: Style; width: number }): string[] {
  const count = Math.max(head.length, ...rows.map((row) => row.length));
  const all = (head.length > 0 ? [head, ...rows] : rows).map((row) =>
    Array.from({ length: count }, (_, column) => inlineSpans(row[column] ?? "")),
  );
  const natural = Array.from({ length: count }, (_, column) => Math.max(1, ...all.map((row) => widthOf(row[column] ?? []))));
  const least = natural.map((columns, column) => Math.min(columns, Math.max(narrowest, Math.min(longWord, longestWord(all, column)))));
  const widths = fitted(natural, { least, room: width - gap.length * (count - 1) });
  if (!widths) return rows.flatMap((row) => rowAsLines({ head, row }, { style, width }));
  const lines = all.flatMap((row, index) => rowLines(row, { widths, right, style, strong: index === 0 && head.length > 0 }));
  if (head.length > 0) {
    const headRows = rowLines(all[0] ?? [], { widths, right, style, strong: true }).length;
    lines.splice(headRows, 0, style.dim(widths.map((columns) => style.rule.repeat(columns)).join(gap)));
  }
  return lines;
}

/** Narrows the widest columns first. Undefined if even the narrowest columns do not fit. */
function fitted(natural: number[], { least, room }: { least: number[]; room: number }): number[] | undefined {
  if (sum(least) > room) return undefined;
  const widths = [...natural];
  for (let over = sum(widths) - room; over > 0; over--) {
    const widest = Math.max(...widths.filter((columns, column) => columns > (least[column] ?? 0)));
    const column = widths.findIndex((columns, index) => columns === widest && columns > (least[index] ?? 0));
    widths[column] = widest - 1;
  }
  return widths;
}

function longestWord(rows: Span[][][], column: number): number {
  const words = rows.flatMap((row) => (row[column] ?? []).flatMap(({ text }) => text.split(" ")));
  return Math.max(0, ...words.map(columnsOf));
}

type RowLook = { widths: number[]; right: boolean[]; style: Style; strong: boolean };

function rowLines(row: Span[][], { widths, right, style, strong }: RowLook): string[] {
  const cells = row.map((spans, column) => {
    const shown = strong ? spans.map(({ text, as }) => ({ text, as: ["strong" as const, ...as] })) : spans;
    const folded = { width: widths[column] ?? 1, first: "", hang: "" };
    // Folds once without colours to measure each line.
    const bare = foldSpans(spans, { ...folded, paint: (text) => text }).map(columnsOf);
    return { lines: foldSpans(shown, { ...folded, paint: style.prose }), bare };
  });
  return Array.from({ length: Math.max(...cells.map(({ lines }) => lines.length)) }, (_, line) =>
    cells
      .map(({ lines, bare }, column) => {
        const blanks = " ".repeat(Math.max(0, (widths[column] ?? 0) - (bare[line] ?? 0)));
        return right[column] ? blanks + (lines[line] ?? "") : (lines[line] ?? "") + blanks;
      })
      .join(gap)
      .trimEnd(),
  );
}

/** `Head: cell` for each cell, and an empty line after the row. */
function rowAsLines({ head, row }: { head: string[]; row: string[] }, { style, width }: { style: Style; width: number }): string[] {
  const lines = row.flatMap((cell, column) => {
    const name: Span[] = head[column] ? [{ text: `${head[column]}: `, as: ["strong"] }] : [];
    return foldSpans([...name, ...inlineSpans(cell)], { width, first: "", hang: "  ", paint: style.prose });
  });
  return [...lines, ""];
}

function widthOf(spans: Span[]): number {
  return spans.reduce((total, { text }) => total + columnsOf(text), 0);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

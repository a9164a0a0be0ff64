// The choices of a question as rows: in columns, as a list that scrolls, or in a low pane as their digits.
import { visibleWidth } from "@earendil-works/pi-tui";
import { widestText, wrap } from "../line-widths.ts";
import type { Style } from "../style.ts";

type Row = { label: string; hint?: string };

export type ChoiceRoom = { at: number; style: Style; width: number };

/** `column`: how many rows a column has, for the arrows. */
export type DrawnChoices = { lines: string[]; column: number };

const between = 2;

/** In as few rows as the width allows, one column after the other. */
export function columnsOfChoices(choices: Row[], room: ChoiceRoom): DrawnChoices {
  const { width } = room;
  const items = choices.map((choice, index) => itemOf(choice, index, room));
  const widths = items.map((item) => visibleWidth(item));
  for (let rows = 1; rows < items.length; rows++) {
    const columns = Array.from({ length: Math.ceil(items.length / rows) }, (_, at) => widths.slice(at * rows, (at + 1) * rows));
    const widest = columns.map((column) => Math.max(...column));
    const total = widest.reduce((sum, each) => sum + each, between * (columns.length - 1));
    if (total > Math.min(width, widestText)) continue;
    const line = (row: number) =>
      widest
        .map((wide, at) => padded(items[at * rows + row] ?? "", wide))
        .join(" ".repeat(between))
        .trimEnd();
    return { lines: Array.from({ length: rows }, (_, row) => line(row)), column: rows };
  }
  return { lines: items.flatMap((item) => wrap(item, width, 7).split("\n")), column: items.length };
}

/** As many rows around the marked one as there is room for. */
export function listOfChoices(choices: Row[], room: ChoiceRoom & { rows: number }): DrawnChoices {
  const { at, style, width } = room;
  const height = Math.max(1, Math.min(mostRows, room.rows, choices.length));
  const from = Math.max(0, Math.min(at - Math.floor(height / 2), choices.length - height));
  const widest = (texts: string[]) => Math.max(0, ...texts.map((text) => visibleWidth(text)));
  const hints = widest(choices.map(({ hint = "" }) => hint));
  const column = Math.min(widest(choices.map((choice, index) => itemOf(choice, index, room))), width - hints - 2);
  const lines = choices.slice(from, from + height).map((choice, index) => {
    const item = itemOf(choice, from + index, room);
    return choice.hint ? `${padded(item, column)}  ${style.dim(choice.hint)}` : item;
  });
  return { lines, column: choices.length };
}

const mostRows = 12;

/** The marked choice, and the digits of the others. */
export function digitsOfChoices(choices: Row[], room: ChoiceRoom): DrawnChoices {
  const items = choices.map((choice, index) =>
    index === room.at ? itemOf(choice, index, room).trim() : room.style.bold(String(index + 1)),
  );
  return { lines: wrap(`  ${items.join("  ")}`, room.width, 4).split("\n"), column: 1 };
}

function itemOf({ label }: Row, index: number, { at, style }: ChoiceRoom): string {
  const digit = index < 9 ? String(index + 1) : " ";
  return `  ${index === at ? style.pointer : " "} ${style.bold(digit)}  ${label}`;
}

const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - visibleWidth(text)));

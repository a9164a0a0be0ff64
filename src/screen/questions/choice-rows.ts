// The choices of a question as rows: in columns, as a list that scrolls, or in a low pane as a few words each, or only the marked one.
import { visibleWidth } from "@earendil-works/pi-tui";
import { clamp, columnsOf, widestText, wrap } from "../line-widths.ts";
import type { Style } from "../style.ts";

type Row = { label: string; hint?: string; brief?: string };

export type ChoiceRoom = { at: number; style: Style; width: number };

/** How much of a choice's words is shown. */
export type Seen = "all" | "some" | "none";

/** `column`: how many rows a column has, for the arrows. `seen`: of each choice. */
export type DrawnChoices = { lines: string[]; column: number; seen: Seen[] };

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
    return { lines: Array.from({ length: rows }, (_, row) => line(row)), column: rows, seen: items.map(() => "all") };
  }
  return { lines: items.flatMap((item) => wrap(item, width, 7).split("\n")), column: items.length, seen: items.map(() => "all") };
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
  return { lines, column: choices.length, seen: choices.map((_, index) => (index >= from && index < from + height ? "all" : "none")) };
}

const mostRows = 12;

/** All of them one after the other, with a few words for a label that has them. */
export function wordsOfChoices(choices: Row[], room: ChoiceRoom): DrawnChoices {
  const lines: string[] = [];
  for (const [index, { label, brief }] of choices.entries()) {
    const item = itemOf({ label: brief ?? label }, index, room).slice(index === 0 || index === room.at ? 0 : between);
    const before = lines.at(-1);
    if (before !== undefined && columnsOf(`${before}${item}`) <= Math.min(room.width, widestText)) lines.splice(-1, 1, `${before}${item}`);
    else lines.push(...wrap(itemOf({ label: brief ?? label }, index, room), room.width, 7).split("\n"));
  }
  return { lines, column: 1, seen: choices.map(({ brief }) => (brief === undefined ? "all" : "some")) };
}

/** The marked choice alone. `rows`: at most that many, so that its end may be cut. */
export function markedChoice(choices: Row[], room: ChoiceRoom & { rows: number }): DrawnChoices {
  const { at, rows, width } = room;
  const marked = choices[at];
  const none = choices.map((): Seen => "none");
  if (!marked || rows < 1) return { lines: [], column: 1, seen: none };
  const lines = wrap(itemOf(marked, at, room), width, 7).split("\n");
  if (lines.length <= rows) return { lines, column: 1, seen: none.with(at, "all") };
  const short = itemOf({ label: marked.brief ?? marked.label }, at, room);
  const cut = rows === 1 ? [clamp(short, width)] : [...lines.slice(0, rows - 1), clamp(`${lines[rows - 1]} ${room.style.ellipsis}`, width)];
  return { lines: cut, column: 1, seen: none.with(at, "some") };
}

function itemOf({ label }: Row, index: number, { at, style }: ChoiceRoom): string {
  const digit = index < 9 ? String(index + 1) : " ";
  return `  ${index === at ? style.pointer : " "} ${style.bold(digit)}  ${label}`;
}

const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - visibleWidth(text)));

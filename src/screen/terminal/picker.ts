// A list to pick one item from: arrows move, typing filters, Enter picks, Esc cancels.
import { matchesKey } from "@earendil-works/pi-tui";
import { pasteIn } from "../keys/keys.ts";
import { columnsOf } from "../line-widths.ts";
import type { Dialog } from "../questions/dialog.ts";
import type { Style } from "../style.ts";
import { visibleLine } from "../visible-text.ts";

/** `hint` is shown dimmed after the label. */
export type PickItem = { label: string; hint?: string };

const mostRows = 12;

export function pickDialog<Item extends PickItem>(
  items: Item[],
  { title, style }: { title: string; style: Style },
): Dialog<Item | undefined> {
  let filter = "";
  let at = 0;
  const found = () => items.filter(({ label, hint = "" }) => `${label} ${hint}`.toLowerCase().includes(filter.toLowerCase()));
  const narrow = (text: string) => {
    filter = text;
    at = 0;
  };
  const move = (by: number) => {
    const { length } = found();
    at = length === 0 ? 0 : (at + by + length) % length;
  };
  return {
    lines(width, rows) {
      const all = found();
      const height = Math.max(1, Math.min(mostRows, rows - 3, all.length));
      const from = Math.max(0, Math.min(at - Math.floor(height / 2), all.length - height));
      const column = hintColumn(items, width);
      const shown = all.slice(from, from + height).map((item, index) => line(item, { isChosen: from + index === at, column, style }));
      const count = all.length > height ? `  ${at + 1} of ${all.length}` : "";
      return [
        "",
        `${style.bold(visibleLine(title))}${filter ? `  ${visibleLine(filter)}` : ""}${style.dim(count)}`,
        ...(all.length > 0 ? shown : [style.dim(" no match")]),
        style.dim("  Enter selects, Esc leaves, type to filter"),
      ];
    },
    onKey(key) {
      if (matchesKey(key, "escape")) return { given: undefined };
      const item = found()[at];
      if (matchesKey(key, "enter")) return item && { given: item };
      if (matchesKey(key, "up")) move(-1);
      else if (matchesKey(key, "down")) move(1);
      else if (matchesKey(key, "backspace")) narrow(filter.replace(/.$/su, ""));
      else if (pasteIn(key) === undefined && key >= " " && key !== "\x7f") narrow(filter + key);
      return undefined;
    },
  };
}

/** How wide the labels are, as far as the hints beside them still fit. */
function hintColumn(items: PickItem[], width: number): number {
  const widest = (texts: string[]) => Math.max(0, ...texts.map((text) => columnsOf(visibleLine(text))));
  const hints = widest(items.map(({ hint = "" }) => hint));
  return Math.min(widest(items.map(({ label }) => label)), width - hints - 4);
}

function line({ label, hint }: PickItem, { isChosen, column, style }: { isChosen: boolean; column: number; style: Style }): string {
  const text = visibleLine(label);
  const gap = " ".repeat(Math.max(0, column - columnsOf(text)) + 2);
  return `${isChosen ? `${style.pointer} ${style.bold(text)}` : `  ${text}`}${hint ? `${gap}${style.dim(visibleLine(hint))}` : ""}`;
}

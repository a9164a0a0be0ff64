// All of what a question is about, in the rows of the question: it scrolls and can be searched, and nothing of it stays in the scrollback.
import { stripVTControlCharacters } from "node:util";
import { matchesKey } from "@earendil-works/pi-tui";
import { isText, pasteIn } from "../keys/keys.ts";
import { wrap } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { visibleLine } from "../visible-text.ts";

export interface FullView {
  lines(width: number, rows: number): string[];
  /** True if the person goes back to the question. */
  onKey(key: string): boolean;
}

export function fullView(text: string[], style: Style): FullView {
  let top = 0;
  let height = 1;
  let wrapped: { width: number; lines: string[] } = { width: 0, lines: [] };
  let sought = "";
  /** The search that is being typed. */
  let typing: string | undefined;
  const scroll = (to: number) => {
    top = Math.max(0, Math.min(to, wrapped.lines.length - height));
  };
  const matches = (line: string) => sought !== "" && stripVTControlCharacters(line).toLowerCase().includes(sought.toLowerCase());

  function seek(by: 1 | -1, from: number): void {
    const { lines } = wrapped;
    for (let passed = 0; passed < lines.length; passed++) {
      const at = (from + by * passed + lines.length * 2) % lines.length;
      if (!matches(lines[at]!)) continue;
      scroll(at);
      return;
    }
  }

  function onSearchKey(key: string): void {
    if (matchesKey(key, "enter")) {
      sought = typing ?? "";
      typing = undefined;
      seek(1, top);
    } else if (matchesKey(key, "escape") || matchesKey(key, "ctrl+c")) typing = undefined;
    else if (matchesKey(key, "backspace")) typing = typing?.slice(0, -1);
    else if (isText(key)) typing += pasteIn(key) ?? key;
  }

  return {
    lines(width, rows) {
      height = Math.max(1, rows - 1);
      if (wrapped.width !== width) wrapped = { width, lines: text.flatMap((line) => wrap(line, width, 6).split("\n")) };
      scroll(top);
      const shown = wrapped.lines.slice(top, top + height).map((line) => (matches(line) ? `${style.pointer}${line.slice(1)}` : line));
      const place = `${top + 1}–${top + shown.length} of ${wrapped.lines.length}`;
      const keys = [place, "arrows, space, b scroll", "/ searches, n N", "q back"].join(style.middleDot);
      const few = [place, "q back", "arrows scroll"].join(style.middleDot); // where the end would be cut: the way back comes first
      return [...shown, typing === undefined ? style.dim(`  ${keys.length + 2 <= width ? keys : few}`) : `  /${visibleLine(typing)}`];
    },
    onKey(key) {
      if (typing !== undefined) onSearchKey(key);
      else if (key === "/") typing = "";
      else if (key === "n") seek(1, top + 1);
      else if (key === "N") seek(-1, top - 1);
      else if (backKeys.some((back) => matchesKey(key, back))) return true;
      else scroll(movedTo(key, { top, height, count: wrapped.lines.length }));
      return false;
    },
  };
}

const backKeys = ["q", "v", "escape", "ctrl+c"] as const;

function movedTo(key: string, { top, height, count }: { top: number; height: number; count: number }): number {
  if (matchesKey(key, "down") || key === "j" || matchesKey(key, "enter")) return top + 1;
  if (matchesKey(key, "up") || key === "k") return top - 1;
  if (key === " " || matchesKey(key, "pageDown")) return top + height;
  if (key === "b" || matchesKey(key, "pageUp")) return top - height;
  if (key === "g" || matchesKey(key, "home")) return 0;
  return key === "G" || matchesKey(key, "end") ? count : top;
}

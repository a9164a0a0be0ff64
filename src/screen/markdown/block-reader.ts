// Parses Markdown as it streams in and returns each block as soon as it is finished. The open part stays small. Block syntax after
// https://spec.commonmark.org/0.31.2; lists, quotes and tables as far as a terminal needs them.
import { visibleText } from "../visible-text.ts";
import type { Block } from "./block.ts";
import { cellsOf, isDelimiterRow, rightOf } from "./table-syntax.ts";

export interface BlockReader {
  /** The blocks that this text finishes. At most `room` lines of open code are kept. */
  feed(text: string, room: number): Block[];
  /** The open part, as it would be if nothing followed. */
  open(): Block[];
  /** Closes an open text after its last whole word; the rest begins a new one. Code and tables stay open. */
  cut(): Block[];
  /** Closes the open part. */
  end(): Block[];
}

/** A longer line or block is not kept open but returned in pieces. */
const mostOpen = 8_000;
/** The preceding lines of code that later lines are highlighted with. */
const mostBefore = 60;
const mostRows = 100;

type Text = Extract<Block, { kind: "paragraph" | "item" | "quote" }>;
type Table = Extract<Block, { kind: "table" }>;
/** Code ends at `fence`; if that is empty, at the first line that is not indented. */
type Code = Extract<Block, { kind: "code" }> & { fence: string };
type Open = Text | Table | Code | undefined;
type State = { open: Open; inList: boolean };
type Step = { state: State; out: Block[] };

export function createBlockReader(): BlockReader {
  let state: State = { open: undefined, inList: false };
  let line = "";
  const take = (text: string): Block[] => {
    const step = nextLine(state, visibleText(text));
    state = step.state;
    return step.out;
  };
  const takeTo = (at: number): Block[] => {
    const head = line.slice(0, at);
    line = line.slice(at);
    return take(head);
  };
  const cutLine = (): Block[] => {
    const space = line.lastIndexOf(" ", mostOpen);
    return takeTo(space > mostOpen / 2 ? space + 1 : wholeCharacters(line, mostOpen));
  };
  return {
    feed(text, room) {
      const out: Block[] = [];
      const lines = (line + text).split("\n");
      line = lines.pop() ?? "";
      for (const whole of lines) {
        out.push(...take(whole.endsWith("\r") ? whole.slice(0, -1) : whole));
        const spilt = spill(state.open, room);
        if (spilt) out.push(spilt);
      }
      while (line.length > mostOpen) out.push(...cutLine());
      return out;
    },
    open() {
      const copy = { ...state, open: copyOf(state.open) };
      const step = line === "" ? { state: copy, out: [] } : nextLine(copy, visibleText(line));
      return [...step.out, ...closed(step.state.open)];
    },
    cut() {
      if (state.open?.kind === "code" || state.open?.kind === "table") return [];
      const words = line.lastIndexOf(" ") + 1;
      const out = words > 0 ? takeTo(words) : [];
      out.push(...closed(state.open));
      state = { ...state, open: undefined };
      return out;
    },
    end() {
      const out = line === "" ? [] : take(line);
      out.push(...closed(state.open));
      line = "";
      state = { open: undefined, inList: false };
      return out;
    },
  };
}

function nextLine(state: State, line: string): Step {
  const { open } = state;
  if (open?.kind === "code") return codeLine(state, open, line);
  if (line.trim() === "") return { state: { ...state, open: undefined }, out: [...closed(open), { kind: "gap" }] };
  if (open?.kind === "table" && line.includes("|")) {
    open.rows.push(cellsOf(line));
    return open.rows.length < mostRows
      ? { state, out: [] }
      : { state: { ...state, open: { kind: "table", head: [], right: open.right, rows: [] } }, out: closed(open) };
  }
  return beginning(state, line) ?? following(state, line);
}

function codeLine(state: State, open: Code, line: string): Step {
  const ends = open.fence === "" ? !/^ {4}/.test(line) : new RegExp(`^ *\\${open.fence[0]}{${open.fence.length},} *$`).test(line);
  if (!ends) {
    open.lines.push(line.slice(Math.min(open.fence === "" ? 4 : open.indent, line.search(/[^ ]|$/))));
    return { state, out: [] };
  }
  const rest = { ...state, open: undefined };
  if (open.fence !== "") return { state: rest, out: closed(open) };
  const step = nextLine(rest, line);
  return { state: step.state, out: [...closed(open), ...step.out] };
}

/** The block that this line begins, if it cannot continue the open one. */
function beginning(state: State, line: string): Step | undefined {
  const { open, inList } = state;
  const indent = line.search(/[^ ]/);
  const inside = inList && indent > 0;
  const alone = (block: Block): Step => ({ state: { open: undefined, inList: false }, out: [...closed(open), block] });
  const opens = (next: Open, list: boolean): Step => ({ state: { open: next, inList: list }, out: closed(open) });

  const fence = /^ *(`{3,}|~{3,}) *([^`]*)$/.exec(line);
  if (fence) {
    const [, mark = "", info = ""] = fence;
    const language = info.trim().split(/\s/)[0] ?? "";
    return opens({ kind: "code", indent, language, before: [], lines: [], fence: mark }, inside);
  }
  const heading = /^ {0,3}(#{1,6}) +(.*)$/.exec(line);
  if (heading) return alone({ kind: "heading", level: heading[1]?.length ?? 1, text: withoutClosing(heading[2] ?? "") });
  if (open?.kind === "paragraph" && open.lines.length === 1 && /^ {0,3}(=+|-{2,}) *$/.test(line)) {
    const level = line.includes("=") ? 1 : 2;
    return { state: { open: undefined, inList: false }, out: [{ kind: "heading", level, text: open.lines[0] ?? "" }] };
  }
  if (/^ {0,3}([-*_])(?: *\1){2,} *$/.test(line)) return alone({ kind: "rule" });
  const item = /^ *([-*+•]|\d{1,9}[.)]) +(.*)$/.exec(line);
  if (item) return opens({ kind: "item", indent, marker: item[1] ?? "-", lines: [item[2] ?? ""] }, true);
  const quote = /^ *> ?(.*)$/.exec(line);
  if (quote && open?.kind !== "quote") return opens({ kind: "quote", indent, lines: [quote[1] ?? ""] }, inside);
  if (indent >= 4 && !open && !inList) {
    return opens({ kind: "code", indent: 0, language: "", before: [], lines: [line.slice(4)], fence: "" }, false);
  }
  return undefined;
}

/** A line of text: it continues the open block or begins a paragraph. */
function following(state: State, line: string): Step {
  const { open } = state;
  const indent = line.search(/[^ ]/);
  if (open?.kind === "paragraph" && open.lines.length === 1 && isDelimiterRow(line)) {
    const head = cellsOf(open.lines[0] ?? "");
    if (head.length === cellsOf(line).length)
      return { state: { ...state, open: { kind: "table", head, right: rightOf(line), rows: [] } }, out: [] };
  }
  if (open && open.kind !== "table" && open.kind !== "code") {
    const text = open.kind === "quote" ? line.replace(/^ *> ?/, "") : line.trimStart();
    open.lines.push(text);
    if (lengthOf(open.lines) < mostOpen) return { state, out: [] };
    return { state: { ...state, open: undefined }, out: closed(open) };
  }
  const inList = state.inList && indent > 0;
  const paragraph: Text = { kind: "paragraph", indent: inList ? indent : Math.min(indent, 3), lines: [line.trimStart()] };
  return { state: { open: paragraph, inList }, out: closed(open) };
}

/** `Title ##` → `Title`. */
function withoutClosing(heading: string): string {
  const text = heading.trimEnd();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return text[end - 1] === " " ? text.slice(0, end).trimEnd() : text;
}

/** The first lines of code that no longer fits on the screen. */
function spill(open: Open, room: number): Block | undefined {
  if (open?.kind !== "code" || open.lines.length <= Math.max(1, room)) return undefined;
  const { fence: _, ...shown } = open;
  const block: Block = { ...shown, lines: open.lines };
  open.before = [...open.before, ...open.lines].slice(-mostBefore);
  open.lines = [];
  return block;
}

function closed(open: Open): Block[] {
  if (!open) return [];
  if (open.kind !== "code") return [open];
  const { fence: _, ...block } = open;
  return block.lines.length === 0 && block.before.length > 0 ? [] : [block];
}

function copyOf(open: Open): Open {
  if (!open) return undefined;
  return open.kind === "table" ? { ...open, rows: [...open.rows] } : { ...open, lines: [...open.lines] };
}

function lengthOf(lines: string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** The longest prefix of the text that does not split a character. */
function wholeCharacters(text: string, at: number): number {
  return text.slice(0, at).isWellFormed() || !text.isWellFormed() ? at : at - 1;
}

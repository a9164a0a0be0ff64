// The line that is being typed: pi-tui's editor on our own screen, with history, completion and pastes that take no room.
import { Editor, type TUI } from "@earendil-works/pi-tui";
import { type CompletionPorts, createCompletion } from "./completion.ts";
import type { LineHistory } from "./line-history.ts";
import type { Style } from "./style.ts";
import type { Terminal } from "./terminal.ts";
import { visibleText } from "./visible-text.ts";

export type EditorPorts = CompletionPorts & { history?: LineHistory };

export type EditorSetup = {
  terminal: Terminal;
  style: Style;
  /** What is to be seen of it has changed by itself. */
  changed: () => void;
  onLine: (line: string) => void;
};

export interface LineEditor {
  onKey(key: string): void;
  isEmpty(): boolean;
  /** A list is open, which Esc closes. */
  isCompleting(): boolean;
  clear(): void;
  equip(ports: EditorPorts): void;
  render(width: number): string[];
}

/** Marks the lines that pi-tui draws around the text: we draw our own. */
const border = "\0";

export function createEditor({ terminal, style, changed, onLine }: EditorSetup): LineEditor {
  /** It is drawn with each frame and changes with few of them. */
  let drawn: { lines: string[]; width: number; rows: number } | undefined;
  const forget = () => {
    drawn = undefined;
  };
  const requestRender = () => {
    forget();
    changed();
  };
  // Of a TUI the editor needs only these two.
  const host = { requestRender, terminal } as unknown as TUI;
  const list = {
    selectedPrefix: style.bold,
    selectedText: style.bold,
    description: style.dim,
    scrollInfo: style.dim,
    noMatch: style.dim,
  };
  const editor = new Editor(host, { borderColor: (text) => border + text, selectList: list });
  editor.focused = true;
  let history: LineHistory | undefined;
  editor.onSubmit = (line) => {
    if (line.trim() === "") return;
    editor.addToHistory(line);
    history?.add(line);
    onLine(line);
  };
  return {
    onKey(key) {
      forget();
      editor.handleInput(key);
    },
    isEmpty: () => editor.getText() === "",
    isCompleting: () => editor.isShowingAutocomplete(),
    clear() {
      forget();
      editor.setText("");
    },
    equip(ports) {
      editor.setAutocompleteProvider(createCompletion(ports));
      // A pane that shows another session keeps what it has.
      if (history || !ports.history) return;
      history = ports.history;
      for (const line of history.load()) editor.addToHistory(visibleText(line));
    },
    render(width) {
      const { rows } = terminal;
      if (drawn?.width !== width || drawn.rows !== rows)
        drawn = { lines: withoutBorders(editor.render(Math.max(1, width - 2)), style), width, rows };
      return drawn.lines;
    },
  };
}

/** Of pi-tui's own borders only how much they hide is kept. */
function withoutBorders(rendered: string[], style: Style): string[] {
  let row = 0;
  return rendered.flatMap((line) => {
    if (!line.startsWith(border)) return [`${row++ === 0 ? ">" : " "} ${shown(line).trimEnd()}`];
    const hidden = /[↑↓] \d+ more/.exec(line)?.[0];
    return hidden ? [style.dim(`  ${style.ellipsis} ${hidden.slice(2)}`)] : [];
  });
}

/** The only sequences the editor draws with, and the mark it leaves for its own screen. */
const [esc, bell] = ["\u001b", "\u0007"];
const sequences = new RegExp(`(${esc}\\[[0127]?m)|${esc}_pi:c${bell}`);

/** A paste stands as what it is. Whatever else may be in the text is text. */
function shown(line: string): string {
  return line
    .replaceAll(
      /\[paste #\d+ \+?(\d+) (lines|chars)\]/g,
      (_, count: string, unit: string) => `[pasted ${grouped(count)} ${unit === "chars" ? "characters" : unit}]`,
    )
    .split(sequences)
    .map((part, index) => (part === undefined ? "" : index % 2 === 1 ? part : visibleText(part)))
    .join("");
}

function grouped(count: string): string {
  return count.replace(/\B(?=(\d{3})+$)/g, ",");
}

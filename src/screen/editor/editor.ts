// The input line: pi-tui's editor on our own screen, with history, completion and folded pastes.
import { Editor, matchesKey, type TUI } from "@earendil-works/pi-tui";
import type { Style } from "../style.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visibleText } from "../visible-text.ts";
import { type CompletionPorts, createCompletion } from "./completion.ts";
import type { LineHistory } from "./line-history.ts";

export type EditorPorts = CompletionPorts & { history?: LineHistory };

export type EditorSetup = {
  terminal: Terminal;
  style: Style;
  ports: EditorPorts;
  /** Called when its display changed without a key. */
  changed: () => void;
  onLine: (line: string) => void;
};

export interface LineEditor {
  onKey(key: string): void;
  isEmpty(): boolean;
  /** What is typed, with a large paste as its marker. */
  text(): string;
  /** Whether a completion list is open, which Esc closes. */
  isCompleting(): boolean;
  clear(): void;
  /** Replaces the text. */
  put(text: string): void;
  render(width: number): string[];
}

/** Marks the borders that pi-tui draws around the text; we draw our own. */
const border = "\0";

/** As a terminal sends them. */
const keys = { enter: "\r", escape: "\x1b", tab: "\t", up: "\x1b[A" };
/** The limits above which pi-tui folds a paste. */
const largePaste = { lines: 10, characters: 1_000 };
const partialCommand = /^\/[^\s/]*$/;

export function createEditor({ terminal, style, ports, changed, onLine }: EditorSetup): LineEditor {
  /** Redrawn only after a key: a reply above it does not change it. */
  let drawn: { width: number; rows: number; lines: string[] } | undefined;
  const touched = () => {
    drawn = undefined;
    changed();
  };
  // The editor needs only these two members of a TUI.
  const host = { requestRender: touched, terminal } as unknown as TUI;
  const list = {
    selectedPrefix: style.bold,
    selectedText: style.bold,
    description: style.dim,
    scrollInfo: style.dim,
    noMatch: style.dim,
  };
  const editor = new Editor(host, { borderColor: (text) => border + text, selectList: list });
  editor.focused = true;
  const offers = completionOffers(ports);
  editor.setAutocompleteProvider(offers.provider);
  /** Large pastes in the history. */
  const recalled = new Set<string>();
  const remember = (line: string) => {
    if (line.length > largePaste.characters || line.split("\n").length > largePaste.lines) recalled.add(line.trim());
  };
  let hasChosen = false;
  for (const line of ports.history?.load() ?? []) {
    editor.addToHistory(visibleText(line));
    remember(visibleText(line));
  }
  editor.onSubmit = (line) => {
    if (line.trim() === "") return;
    editor.addToHistory(line);
    remember(line);
    ports.history?.add(line);
    onLine(line);
  };
  const put = (text: string) => {
    drawn = undefined;
    editor.setText(text);
  };
  /** Enter runs only the command that is written: an unambiguous beginning is completed, others stay in the editor. */
  const completeCommand = () => {
    const typed = editor.getText();
    const begun = (ports.commands?.() ?? []).filter(({ name }) => `/${name}`.startsWith(typed));
    if (begun.some(({ name }) => `/${name}` === typed)) {
      editor.handleInput(keys.escape);
      editor.handleInput(keys.enter);
    } else if (hasChosen || begun.length === 1) editor.handleInput(keys.tab);
  };
  /** Treats a large paste as one line of the history: pi-tui would move through its rows, which takes minutes for 10,000 of them. */
  const toEarlierLine = () => {
    Object.assign((editor as unknown as { state: { cursorLine: number; cursorCol: number } }).state, { cursorLine: 0, cursorCol: 0 });
    editor.handleInput(keys.up);
  };
  return {
    onKey(key) {
      drawn = undefined;
      if (editor.isShowingAutocomplete() && matchesKey(key, "enter")) {
        if (partialCommand.test(editor.getText())) return completeCommand();
        if (!hasChosen && offers.include(wordBefore(editor))) editor.handleInput(keys.escape);
      }
      hasChosen = editor.isShowingAutocomplete() && (hasChosen || matchesKey(key, "up") || matchesKey(key, "down"));
      if (matchesKey(key, "up") && recalled.has(editor.getText())) return toEarlierLine();
      editor.handleInput(key);
      // pi-tui keeps the list when Ctrl-U and other keys have taken away the word that it completes.
      if (editor.isShowingAutocomplete() && wordBefore(editor) === "") editor.handleInput(keys.escape);
    },
    isEmpty: () => editor.getText() === "",
    text: () => editor.getText(),
    isCompleting: () => editor.isShowingAutocomplete(),
    clear: () => put(""),
    put,
    render(width) {
      const { rows } = terminal;
      if (drawn?.width !== width || drawn.rows !== rows) drawn = { width, rows, lines: linesOf(editor, { width, style }) };
      return drawn.lines;
    },
  };
}

/** The completions, and which of them were offered last: Enter has nothing to complete behind a word that is one of them. */
function completionOffers(ports: CompletionPorts) {
  const completion = createCompletion(ports);
  let offered: string[] = [];
  return {
    provider: {
      ...completion,
      async getSuggestions(...asked: Parameters<typeof completion.getSuggestions>) {
        const found = await completion.getSuggestions(...asked);
        offered = (found?.items ?? []).map(({ value }) => value);
        return found;
      },
    },
    include: (word: string) => offered.includes(word),
  };
}

/** The word that ends at the cursor. */
function wordBefore(editor: Editor): string {
  const { line, col } = editor.getCursor();
  return /\S*$/.exec((editor.getLines()[line] ?? "").slice(0, col))?.[0] ?? "";
}

/** Replaces the borders with our own prompt. */
function linesOf(editor: Editor, { width, style }: { width: number; style: Style }): string[] {
  let row = 0;
  return editor.render(Math.max(1, width - 2)).flatMap((line) => {
    if (line.startsWith(border)) {
      const hidden = /[↑↓] \d+ more/.exec(line)?.[0];
      return hidden ? [style.dim(`  ${style.ellipsis} ${hidden.slice(2)}`)] : [];
    }
    return [`${row++ === 0 ? ">" : " "} ${shown(line).trimEnd()}`];
  });
}

/** The only escape sequences in the editor's output: its styles, and the cursor mark for its own screen. */
const [esc, bell] = ["\u001b", "\u0007"];
const drawn = new RegExp(`(${esc}\\[[0127]?m)|${esc}_pi:c${bell}`);

/** Describes a paste instead of its marker. All other text is plain text. */
function shown(line: string): string {
  return line
    .replaceAll(
      /\[paste #\d+ \+?(\d+) (lines|chars)\]/g,
      (_, count: string, unit: string) => `[pasted ${grouped(count)} ${unit === "chars" ? "characters" : unit}]`,
    )
    .split(drawn)
    .map((part, index) => (part === undefined ? "" : index % 2 === 1 ? part : visibleText(part)))
    .join("");
}

function grouped(count: string): string {
  return count.replace(/\B(?=(\d{3})+$)/g, ",");
}

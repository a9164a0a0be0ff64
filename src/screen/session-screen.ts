// The screen of a session: finished text above, then the open text of the model, a question if one is open, the editor and the status line.
// The lead's pane, a teammate's pane and a solo session are this same screen.
import { Editor, matchesKey, StdinBuffer, type TUI } from "@earendil-works/pi-tui";
import type { AgentEvent } from "../agent/events.ts";
import { agentLines } from "./agent-lines.ts";
import { createScreen, wrap } from "./screen.ts";
import type { Style } from "./style.ts";
import type { Terminal } from "./terminal.ts";
import { createTyping } from "./typing.ts";
import { visibleText } from "./visible-text.ts";

export type SessionScreenOptions = {
  terminal: Terminal;
  style: Style;
  /** The last line: states, tokens, cost. */
  statusLine: (width: number) => string;
  onLine: (line: string) => void;
  onEscape: () => void;
  /** Ctrl-C while the editor is empty; the second one within two seconds is `again`. */
  onInterrupt: (again: boolean) => void;
  /** Gets each key before anything else does, a paste as one. True when it was taken. */
  onKey?: (key: string) => boolean;
  now: () => number;
};

export interface SessionScreen {
  show(event: AgentEvent): void;
  print(text: string, hang?: number): void;
  refresh(): void;
  hold(): () => void;
  /** Shows a question, which gets each key until it returns an answer. Undefined when the signal aborts before. */
  ask<Answer>(question: AskedView<Answer>, signal: AbortSignal): Promise<Answer | undefined>;
  close(): void;
}

/** `lines` fit the width as they are. */
type AskedView<Answer> = { lines(width: number, rows: number): string[]; onKey(key: string): Answer | undefined };
type OpenQuestion = { lines(width: number, rows: number): string[]; onKey: (key: string) => void };

const interruptWindowMs = 2_000;

export function createSessionScreen(options: SessionScreenOptions): SessionScreen {
  const { terminal, style } = options;
  let openText = "";
  let interruptedAt = Number.NEGATIVE_INFINITY;
  const questions: OpenQuestion[] = [];

  const typing = createTyping(options.now);
  const editor = createEditor(terminal, { style, refresh: () => screen.refresh(), onLine: options.onLine });
  const screen = createScreen(terminal, (width) => {
    const rule = style.dim(style.rule.repeat(width));
    const open = openText ? wrap(visibleText(openText), Math.min(width, 100)).split("\n").slice(-openRows(terminal.rows)) : [];
    const question = questions[0]
      ? [
          ...questions[0].lines(width, terminal.rows),
          ...(questions.length > 1 ? [style.dim(`  ${questions.length - 1} more waiting`)] : []),
        ]
      : [];
    return [...open, ...question, rule, ...editor.render(width), rule, options.statusLine(width)];
  });

  const stopListening = listenToKeys(terminal, (key) => {
    if (options.onKey?.(key)) return;
    if (matchesKey(key, "ctrl+c")) return interrupt();
    if (matchesKey(key, "ctrl+l")) return screen.redraw();
    const meant = questions[0] ? typing.meantFor() : "editor";
    if (meant === "nobody") return;
    if (meant === "question") {
      questions[0]?.onKey(key);
      return screen.refresh();
    }
    if (matchesKey(key, "escape")) return questions[0] ? undefined : options.onEscape();
    editor.handleInput(key);
    typing.edited(matchesKey(key, "enter"));
    screen.refresh();
  });

  function interrupt(): void {
    if (editor.getText() !== "") {
      editor.setText("");
      screen.refresh();
      return;
    }
    const again = options.now() - interruptedAt < interruptWindowMs;
    interruptedAt = options.now();
    options.onInterrupt(again);
  }

  return {
    show(event) {
      if (event.type === "text") {
        openText += event.text;
        return screen.refresh();
      }
      if (event.type === "reply" || event.type === "retry" || event.type === "ended") openText = "";
      const lines = agentLines(event, style, terminal.columns);
      if (lines === undefined) screen.refresh();
      else screen.print(lines);
    },
    print: (text, hang) => screen.print(text, hang),
    refresh: () => screen.refresh(),
    hold: () => screen.hold(),
    ask(asked, signal) {
      return new Promise((resolve) => {
        const close = (answer: ReturnType<typeof asked.onKey>) => {
          const index = questions.indexOf(question);
          if (index < 0) return;
          questions.splice(index, 1);
          if (index === 0 && questions[0]) typing.asked({ text: editor.getText(), instead: true });
          signal.removeEventListener("abort", abandon);
          screen.refresh();
          resolve(answer);
        };
        const abandon = () => close(undefined);
        const question: OpenQuestion = {
          lines: asked.lines,
          onKey(key) {
            const answer = asked.onKey(key);
            if (answer !== undefined) close(answer);
          },
        };
        if (signal.aborted) return resolve(undefined);
        signal.addEventListener("abort", abandon, { once: true });
        if (questions.length === 0) typing.asked({ text: editor.getText(), instead: false });
        questions.push(question);
        terminal.write("\x07");
        screen.refresh();
      });
    },
    close() {
      stopListening();
      screen.close();
    },
  };
}

/** A read from the terminal may hold many keys, or half of one: each is passed on by itself, a paste as a whole. */
function listenToKeys(terminal: Terminal, onKey: (key: string) => void): () => void {
  const buffer = new StdinBuffer();
  buffer.on("data", onKey);
  buffer.on("paste", (text) => onKey(`\x1b[200~${text}\x1b[201~`));
  terminal.write("\x1b[?2004h");
  const stop = terminal.listen((bytes) => buffer.process(bytes));
  return () => {
    stop();
    buffer.destroy();
    terminal.write("\x1b[?2004l");
  };
}

/** pi-tui's editor on our own screen: of its TUI it needs only these two. Its own borders are replaced by our rules. */
function createEditor(
  terminal: Terminal,
  { style, refresh, onLine }: { style: Style; refresh: () => void; onLine: (line: string) => void },
) {
  const host = { requestRender: refresh, terminal } as unknown as TUI;
  const plain = (text: string) => text;
  const list = { selectedPrefix: plain, selectedText: plain, description: style.dim, scrollInfo: style.dim, noMatch: style.dim };
  const editor = new Editor(host, { borderColor: plain, selectList: list });
  editor.focused = true;
  editor.onSubmit = (line) => {
    if (line.trim() === "") return;
    editor.addToHistory(line);
    onLine(line);
  };
  return {
    handleInput: (keys: string) => editor.handleInput(keys),
    getText: () => editor.getText(),
    setText: (text: string) => editor.setText(text),
    render: (width: number) =>
      editor
        .render(Math.max(1, width - 2))
        .slice(1, -1)
        .map((line, row) => `${row === 0 ? ">" : " "} ${line}`),
  };
}

function openRows(height: number): number {
  return Math.max(1, height - 8);
}

// An open question: its marked choice, the line that is typed as its answer, and the full view of what it is about.
import { matchesKey, visibleWidth } from "@earendil-works/pi-tui";
import { createEditor } from "../editor/editor.ts";
import { actOf, type Situation } from "../keys/question-keys.ts";
import { widestText, wrap } from "../line-widths.ts";
import type { Style } from "../style.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { fullView } from "./full-view.ts";
import { type Drawn, type Foot, layout } from "./question-layout.ts";
import type { Choice, Step, Taken } from "./step.ts";

/** `pane`: the key is for the screen around it. */
export type Outcome<Answer> = { kind: "open" } | { kind: "pane" } | { kind: "given"; given: Answer };

/** `more`: how many others wait. `line`: keys go to a line in the editor. */
export type QuestionRoom = { width: number; rows: number; more: number; line: boolean };

export interface OpenQuestion<Answer> {
  lines(room: QuestionRoom): string[];
  onKey(key: string): Outcome<Answer>;
  /** What is being typed as an answer. */
  typed(): string;
}

export type QuestionPorts = { terminal: Terminal; style: Style; changed: () => void };

const open = { kind: "open" } as const;

export function openQuestion<Answer>(first: Step<Answer>, { terminal, style, changed }: QuestionPorts): OpenQuestion<Answer> {
  const steps = [first];
  let at = first.marked ?? 0;
  let drawn: Drawn<Answer> | undefined;
  let view: ReturnType<typeof fullView> | undefined;
  let sent: string | undefined;
  let isUnknown = false;
  const editor = createEditor({
    terminal,
    style,
    ports: {},
    changed,
    onLine: (line) => {
      sent = line.trim();
    },
  });
  const step = () => steps.at(-1)!;
  /** The choices of a list as it is filtered now: keys may come faster than drawings. */
  const listed = () => step().choices({ hides: false, typed: step().read ? "" : editor.text() });

  const situation = (): Situation => {
    if (view) return "viewing";
    if (!editor.isEmpty()) return step().read ? "typing" : "filtering";
    if (!step().read) return "listing";
    return drawn ? "choosing" : "unseen";
  };

  function enter(next: Step<Answer> | undefined): void {
    if (next) steps.push(next);
    else if (steps.length > 1) steps.pop();
    at = step().marked ?? 0;
    editor.clear();
    drawn = undefined;
  }

  function take(taken: Taken<Answer> | undefined): Outcome<Answer> {
    switch (taken?.kind) {
      case "given":
        return taken;
      case "step":
        enter(taken.step);
        return open;
      case "back":
        enter(undefined);
        return open;
      case "view":
        view = fullView(step().whole?.() ?? [], style);
        return open;
      case undefined:
        return open;
    }
  }

  /** Where only digits are shown, a digit first shows what its choice would allow. */
  const choose = (choice: Choice<Answer> | undefined, isRead: boolean) => take((!isRead && choice?.unread) || choice?.take);

  function send(): Outcome<Answer> {
    const { read } = step();
    if (!read) return choose(listed()[at], true);
    editor.onKey("\r");
    if (sent === undefined) return open;
    const text = sent;
    sent = undefined;
    const meant = meaningOf(text, drawn?.choices ?? step().choices({ hides: true, typed: "" }));
    const taken = meant?.take ?? read(text);
    isUnknown = taken === undefined;
    if (isUnknown) editor.put(text.slice(0, longestKept));
    return take(taken);
  }

  function type(key: string): void {
    editor.onKey(key);
    isUnknown = false;
    if (!step().read) at = 0;
  }

  const foot =
    ({ width, line }: QuestionRoom): Foot =>
    (choices, { canShow, brief }) => {
      if (line) return wrap(style.dim(`    ${lineHint}`), width, 4).split("\n");
      const marked = choices[at] && enterHint(choices);
      if (editor.isEmpty()) {
        const hints = [!brief && step().typing, canShow && "v shows all", !brief && marked, step().escapeHint].filter(Boolean);
        return wrap(style.dim(`    ${hints.join(style.middleDot)}`), width, 4).split("\n");
      }
      return typedLines(editor.render(Math.max(6, width - 2)), { width, style, hint: hintWhileTyping(choices) });
    };

  const enterHint = ({ length }: Choice<unknown>[]) => `Enter takes ${at + 1}${length > 9 ? ` of ${length}` : ""}`;

  function hintWhileTyping(choices: Choice<unknown>[]): string {
    if (isUnknown) return "none of these: Esc clears it";
    if (!step().read) return choices.length > 0 ? enterHint(choices) : "no match: Esc clears it";
    const meant = meaningOf(editor.text(), choices);
    return meant ? `Enter takes ${choices.indexOf(meant) + 1}` : "Enter sends this as the answer";
  }

  return {
    lines(room) {
      const { width, rows, more } = room;
      if (view) return view.lines(width, rows);
      const typed = step().read ? "" : editor.text();
      at = Math.max(0, Math.min(at, listed().length - 1));
      drawn = layout(step(), { width, rows, more, at, style, typed, foot: foot(room) });
      if (at < drawn.choices.length) return drawn.lines;
      at = 0; // what is hidden cannot be granted, so fewer choices are offered
      drawn = layout(step(), { width, rows, more, at, style, typed, foot: foot(room) });
      return drawn.lines;
    },
    onKey(key) {
      const choices = drawn?.choices ?? [];
      const act = actOf(key, { situation: situation(), choices: drawn ? choices.length : mostDigits, canShow: drawn?.canShow ?? false });
      switch (act) {
        case "pane":
          return { kind: "pane" };
        case "nothing":
          return open;
        case "pick":
          at = Number(key) - 1;
          return choose(choices[at], drawn?.digits !== true);
        case "move":
          at = moved(key, { at, count: step().read ? choices.length : listed().length, column: drawn?.column ?? 1 });
          return open;
        case "take":
          return editor.isEmpty() ? choose(choices[at], true) : send();
        case "leave":
          return take(step().escape);
        case "clear":
          editor.clear();
          isUnknown = false;
          return open;
        case "type":
          type(key);
          return open;
        case "view":
          if (!view) return take({ kind: "view" });
          if (view.onKey(key)) view = undefined;
          return open;
      }
    },
    typed: () => (step().read ? editor.text() : ""),
  };
}

const mostDigits = 9;
const lineHint = "your line keeps the keys until Enter or empty";
/** Of a line that is no answer: it stays to be changed. */
const longestKept = 1_000;

/** The choice whose word or label was typed. */
function meaningOf<Answer>(text: string, choices: Choice<Answer>[]): Choice<Answer> | undefined {
  const typed = text.trim().toLowerCase();
  return choices.find(({ words = [], label }) => words.includes(typed) || label.toLowerCase() === typed);
}

type Position = { at: number; count: number; column: number };

/** Up and Down go round; Left and Right go to the next column, where there is one. */
function moved(key: string, { at, count, column }: Position): number {
  if (count === 0) return 0;
  const forward = matchesKey(key, "down") || matchesKey(key, "right");
  const isSideways = matchesKey(key, "left") || matchesKey(key, "right");
  if (!isSideways || column === 1) return (at + (forward ? 1 : -1) + count) % count;
  const beside = at + (forward ? column : -column);
  return beside >= 0 && beside < count ? beside : at;
}

/** The editor's lines without its prompt; what Enter does is beside the last one, or below it. */
function typedLines(lines: string[], { width, style, hint }: { width: number; style: Style; hint: string }): string[] {
  const typed = lines.map((line) => `    ${line.slice(2)}`);
  const last = typed.at(-1) ?? "";
  const gap = Math.min(width, widestText) - visibleWidth(last) - hint.length;
  if (gap < 2) return [...typed, ...wrap(style.dim(`    ${hint}`), width, 4).split("\n")];
  return [...typed.slice(0, -1), `${last}${" ".repeat(gap)}${style.dim(hint)}`];
}

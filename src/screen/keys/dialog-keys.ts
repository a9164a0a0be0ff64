// Decides whether a key goes to the open dialog or to the editor, and runs the clock that confirms a marked letter.
import { matchesKey } from "@earendil-works/pi-tui";
import type { LineEditor } from "../editor/editor.ts";
import { type AnyDialog, createDialogs, type Dialogs, isQuestion, type QuestionDialog } from "../questions/dialog.ts";
import type { Style } from "../style.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { isText } from "./keys.ts";
import { type KeyKind, noKeys, press, shown, silent, tickMs, waitingLetter } from "./question-keys.ts";

export type DialogKeysSetup = {
  editor: Pick<LineEditor, "onKey" | "isEmpty" | "isCompleting">;
  terminal: Pick<Terminal, "every">;
  style: Style;
  now: () => number;
  /** Requests a redraw. */
  changed: () => void;
};

export interface DialogKeys {
  open: Dialogs["open"];
  lines(width: number, rows: number): string[];
  /** Handles every key of the pane, even if no dialog is open. Returns false for a key that is not a dialog's. */
  onKey(key: string): boolean;
  /** Reports a key that was handled elsewhere. */
  onTakenKey(): void;
  stop(): void;
}

export function createDialogKeys({ editor, terminal, style, now, changed }: DialogKeysSetup): DialogKeys {
  const dialogs = createDialogs(onDialogs);
  let keys = noKeys;
  let top: AnyDialog | undefined;
  let answering = false;
  let stopClock: (() => void) | undefined;

  /** The question of a marked letter is gone, so the letter was the beginning of a line. */
  function onDialogs(): void {
    const first = dialogs.first();
    if (first !== top) {
      if (keys.mark.kind === "letter") typeInto(editor, waitingLetter(keys));
      keys = shown(keys, { atMs: now(), instead: first !== undefined && top !== undefined && !answering });
      top = first;
      runClock();
    }
    changed();
  }

  function runClock(): void {
    if (keys.mark.kind === "letter") stopClock ??= terminal.every(tickMs, onTick);
    else stop();
  }

  function stop(): void {
    stopClock?.();
    stopClock = undefined;
  }

  function onTick(): void {
    const after = silent(keys);
    keys = after.keys;
    runClock();
    const first = dialogs.first();
    if (after.counts && isQuestion(first)) answer(first.choose());
  }

  function answer(given: { given: unknown } | undefined): void {
    answering = true;
    dialogs.close(given);
    answering = false;
  }

  function toQuestion(question: QuestionDialog<unknown>, key: string): boolean {
    const step = question.step();
    const pressed = press(keys, { kind: kindOf(key, question, editor), text: key, atMs: now(), step, editorEmpty: editor.isEmpty() });
    keys = pressed.keys;
    runClock();
    if (pressed.act === "editor" || pressed.act === "letterToo") {
      if (step !== "reason") question.mark(undefined);
      typeInto(editor, pressed.letter);
      changed();
      return false;
    }
    carryOut(pressed.act, { question, key, answer });
    changed();
    return true;
  }

  return {
    open: dialogs.open,
    lines: (width, rows) => dialogLines(dialogs, { width, rows, style, line: !editor.isEmpty() && !keys.turned }),
    onKey(key) {
      const first = dialogs.first();
      if (isQuestion(first)) return toQuestion(first, key);
      keys = { ...keys, lastMs: now() };
      if (!first || matchesKey(key, "ctrl+z")) return false;
      answer(first.onKey(matchesKey(key, "ctrl+c") ? escapeKey : key)); // a list is left by either
      return true;
    },
    onTakenKey() {
      if (keys.mark.kind === "letter") typeInto(editor, waitingLetter(keys));
      keys = { ...noKeys, turned: keys.turned, lastMs: now() };
      const first = dialogs.first();
      if (isQuestion(first) && first.step() === "choose") first.mark(undefined);
      runClock();
    },
    stop,
  };
}

function typeInto(editor: Pick<LineEditor, "onKey">, letters: string): void {
  for (const letter of letters) editor.onKey(letter);
}

/** Keys of the pane itself, which also work while a reason is typed. */
const controls = ["ctrl+c", "ctrl+z"] as const;
const escapeKey = "\x1b";
const arrows = ["up", "down", "left", "right"] as const;

type Room = { width: number; rows: number; style: Style; line: boolean };

/** `line`: keys go to the line in the editor. */
function dialogLines(dialogs: Dialogs, { width, rows, style, line }: Room): string[] {
  const first = dialogs.first();
  const more = dialogs.waiting();
  if (!first) return [];
  if (isQuestion(first)) return first.lines(width, rows, { more, line: line && first.step() === "choose" });
  return [...first.lines(width, rows), ...(more > 0 ? [style.dim(`  ${more} more waiting`)] : [])];
}

function kindOf(key: string, question: QuestionDialog<unknown>, editor: Pick<LineEditor, "isCompleting">): KeyKind {
  if (controls.some((control) => matchesKey(key, control))) return "control";
  if (matchesKey(key, "escape")) return editor.isCompleting() ? "other" : "escape";
  if (matchesKey(key, "enter")) return "enter";
  if (arrows.some((arrow) => matchesKey(key, arrow))) return "arrow";
  if (!isText(key)) return "other";
  return question.isChoice(key) ? "choice" : "text";
}

type QuestionAct = Exclude<ReturnType<typeof press>["act"], "editor" | "letterToo">;
type ToQuestion = { question: QuestionDialog<unknown>; key: string; answer: (given: { given: unknown } | undefined) => void };

function carryOut(act: QuestionAct, { question, key, answer }: ToQuestion): void {
  switch (act) {
    case "mark":
      question.mark(key);
      break;
    case "move":
      question.move(key);
      break;
    case "choose":
      answer(question.choose());
      break;
    case "leave":
      answer(question.leave());
      break;
    case "reason":
      question.onReason(key);
      break;
    case "turn":
    case "nothing":
      break;
  }
}

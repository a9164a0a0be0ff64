// Decides whether a key goes to the open question or to the line in the editor: a line that was being written when the question came keeps the keys
// until it is sent or empty.
import { matchesKey } from "@earendil-works/pi-tui";
import type { LineEditor } from "../editor/editor.ts";
import { createDialogs, type Dialog, type Dialogs } from "../questions/dialog.ts";
import { type OpenQuestion, openQuestion } from "../questions/open-question.ts";
import type { Step } from "../questions/step.ts";
import type { Style } from "../style.ts";
import type { Terminal } from "../terminal/terminal.ts";

export type DialogKeysSetup = {
  editor: Pick<LineEditor, "put" | "isEmpty">;
  terminal: Terminal;
  style: Style;
  /** Requests a redraw. */
  changed: () => void;
};

export interface DialogKeys {
  /** Undefined if the signal aborts. */
  open<Answer>(step: Step<Answer>, signal?: AbortSignal): Promise<Answer | undefined>;
  /** The same for a form with keys of its own, which Ctrl-C leaves as Esc does. */
  fill<Answer>(form: Dialog<Answer>, signal?: AbortSignal): Promise<Answer | undefined>;
  lines(width: number, rows: number): string[];
  /** Handles every key of the pane, even if no question is open. Returns false for a key that is not a question's. */
  onKey(key: string): boolean;
}

export function createDialogKeys({ editor, terminal, style, changed }: DialogKeysSetup): DialogKeys {
  const dialogs: Dialogs<OpenQuestion<unknown>> = createDialogs((gone) => {
    const typed = gone?.typed() ?? ""; // its question was settled elsewhere, so it is a line again
    if (typed !== "" && editor.isEmpty()) editor.put(typed);
    changed();
  });
  return {
    open: <Answer>(step: Step<Answer>, signal?: AbortSignal) =>
      dialogs.open(openQuestion<unknown>(step, { terminal, style, changed }), signal) as Promise<Answer | undefined>,
    fill: <Answer>(form: Dialog<Answer>, signal?: AbortSignal) => dialogs.open(formQuestion(form), signal) as Promise<Answer | undefined>,
    lines: (width, rows) => dialogs.first()?.lines({ width, rows, more: dialogs.waiting(), line: !editor.isEmpty() }) ?? [],
    onKey(key) {
      const first = dialogs.first();
      if (!first || !editor.isEmpty()) return false;
      const outcome = first.onKey(key);
      if (outcome.kind === "given") dialogs.answer(outcome.given);
      else if (outcome.kind === "open") changed();
      return outcome.kind !== "pane";
    },
  };
}

function formQuestion({ lines, onKey }: Dialog<unknown>): OpenQuestion<unknown> {
  return {
    lines: ({ width, rows }) => lines(width, rows),
    onKey(key) {
      if (matchesKey(key, "ctrl+z")) return { kind: "pane" };
      const answer = onKey(matchesKey(key, "ctrl+c") ? "\x1b" : key);
      return answer ? { kind: "given", given: answer.given } : { kind: "open" };
    },
    typed: () => "",
  };
}

// A dialog in the live part that takes keys until it is answered: a list that the person opened, or a question.
import type { Step } from "../keys/question-keys.ts";

export type Dialog<Answer> = {
  lines: (width: number, rows: number) => string[];
  /** Receives each key until it returns an answer; `given` may be undefined for "none of them". */
  onKey: (key: string) => { given: Answer } | undefined;
};

/** The state around a question. `more`: how many others wait behind it. `line`: keys go to a line in the editor. */
export type Place = { more: number; line: boolean };

/** A question offers these operations; question-keys.ts decides which key calls which. */
export type QuestionDialog<Answer> = {
  lines: (width: number, rows: number, place: Place) => string[];
  step(): Step;
  isChoice(key: string): boolean;
  /** Undefined: removes the mark and leaves the current step. */
  mark(letter: string | undefined): void;
  /** An arrow key. */
  move(key: string): void;
  /** Chooses what is marked. Undefined if that does not answer the question. */
  choose(): { given: Answer } | undefined;
  /** Handles Esc. Undefined if it only goes back a step. */
  leave(): { given: Answer } | undefined;
  /** Handles a key of the reason that is being typed. */
  onReason(key: string): void;
};

export type AnyDialog = Dialog<unknown> | QuestionDialog<unknown>;

export function isQuestion(dialog: AnyDialog | undefined): dialog is QuestionDialog<unknown> {
  return dialog !== undefined && "step" in dialog;
}

/** The open dialogs: the oldest is shown and gets the keys. */
export interface Dialogs {
  /** Undefined if it was given up. */
  open<Answer>(dialog: Dialog<Answer> | QuestionDialog<Answer>, signal?: AbortSignal): Promise<Answer | undefined>;
  first(): AnyDialog | undefined;
  waiting(): number;
  /** Closes the first dialog with this answer; does nothing for undefined. */
  close(answer: { given: unknown } | undefined): void;
}

export function createDialogs(changed: () => void): Dialogs {
  type Open = { dialog: AnyDialog; close: (answer: unknown) => void };
  const all: Open[] = [];
  return {
    open<Answer>(dialog: Dialog<Answer> | QuestionDialog<Answer>, signal?: AbortSignal) {
      return new Promise<Answer | undefined>((resolve) => {
        if (signal?.aborted) return resolve(undefined);
        const abandon = () => open.close(undefined);
        const open: Open = {
          dialog,
          close(answer) {
            const index = all.indexOf(open);
            if (index < 0) return;
            all.splice(index, 1);
            signal?.removeEventListener("abort", abandon);
            changed();
            resolve(answer as Answer | undefined);
          },
        };
        signal?.addEventListener("abort", abandon, { once: true });
        all.push(open);
        changed();
      });
    },
    first: () => all[0]?.dialog,
    waiting: () => Math.max(0, all.length - 1),
    close(answer) {
      if (answer) all[0]?.close(answer.given);
      else changed();
    },
  };
}

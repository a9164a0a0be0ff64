// Something in the live part that takes keys until it is answered: a list to pick from, which was called for, or a question, which came by itself.
import type { Step } from "../question-keys.ts";

export type Dialog<Answer> = {
  lines: (width: number, rows: number) => string[];
  /** Gets each key until it returns an answer; `given` may be undefined for "none of it". */
  onKey: (key: string) => { given: Answer } | undefined;
};

/** What a question is told about its place. `more`: others that wait behind it. `line`: the keys go to a line in the editor. */
export type Place = { more: number; line: boolean };

/** A question says what can be done with it; `question-keys.ts` decides which key does it. */
export type QuestionDialog<Answer> = {
  lines: (width: number, rows: number, place: Place) => string[];
  step(): Step;
  isChoice(key: string): boolean;
  /** Undefined: nothing is marked any more, and what was begun is left. */
  mark(letter: string | undefined): void;
  /** An arrow key. */
  move(key: string): void;
  /** Takes what is marked. Undefined when that does not answer the question. */
  choose(): { given: Answer } | undefined;
  /** Esc. Undefined when it only goes back a step. */
  leave(): { given: Answer } | undefined;
  /** A key of the reason that is being typed. */
  onReason(key: string): void;
};

export type AnyDialog = Dialog<unknown> | QuestionDialog<unknown>;

export function isQuestion(dialog: AnyDialog | undefined): dialog is QuestionDialog<unknown> {
  return dialog !== undefined && "step" in dialog;
}

/** The dialogs that are open: the oldest is shown and gets the keys. */
export interface Dialogs {
  /** Undefined when it was given up. */
  open<Answer>(dialog: Dialog<Answer> | QuestionDialog<Answer>, signal?: AbortSignal): Promise<Answer | undefined>;
  first(): AnyDialog | undefined;
  waiting(): number;
  /** Closes the first with this answer; nothing for undefined. */
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

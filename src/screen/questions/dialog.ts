// The open questions: the oldest is shown and gets the keys.

/** A form of its own in the live part. */
export type Dialog<Answer> = {
  lines: (width: number, rows: number) => string[];
  /** Receives each key until it returns an answer; `given` may be undefined for "none of them". */
  onKey: (key: string) => { given: Answer } | undefined;
};

export interface Dialogs<Question> {
  /** Undefined if the signal aborts. */
  open(dialog: Question, signal?: AbortSignal): Promise<unknown>;
  first(): Question | undefined;
  waiting(): number;
  /** Answers the first one. */
  answer(given: unknown): void;
}

/** `gone`: the one that was shown, and that nobody answered here. */
export function createDialogs<Question>(changed: (gone: Question | undefined) => void): Dialogs<Question> {
  type Open = { dialog: Question; close: (answer: unknown, gone?: Question) => void };
  const all: Open[] = [];
  return {
    open(dialog, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve(undefined);
        const abandon = () => open.close(undefined, all[0] === open ? dialog : undefined);
        const open: Open = {
          dialog,
          close(answer, gone) {
            all.splice(all.indexOf(open), 1);
            signal?.removeEventListener("abort", abandon);
            changed(gone);
            resolve(answer);
          },
        };
        signal?.addEventListener("abort", abandon, { once: true });
        all.push(open);
        changed(undefined);
      });
    },
    first: () => all[0]?.dialog,
    waiting: () => Math.max(0, all.length - 1),
    answer: (given) => all[0]?.close(given),
  };
}

// Something in the live part that takes the keys until it is answered: a question, a list to pick from.

export type Dialog<Answer> = {
  lines: (width: number, rows: number) => string[];
  /** Gets each key until it returns an answer; `given` may be undefined for "none of it". `typed`: text that is no key of this one's. */
  onKey: (key: string) => { given: Answer } | "typed" | undefined;
};

/** The dialogs that are open: the oldest is shown and gets the keys. */
export interface Dialogs {
  /** Undefined when it was given up. */
  open<Answer>(dialog: Dialog<Answer>, signal?: AbortSignal): Promise<Answer | undefined>;
  first(): Dialog<unknown> | undefined;
  waiting(): number;
  /** False for text that none of them takes: the person is writing a line. */
  onKey(key: string): boolean;
}

export function createDialogs(changed: () => void): Dialogs {
  type Open = { dialog: Dialog<unknown>; close: (answer: unknown) => void };
  const all: Open[] = [];
  return {
    open<Answer>(dialog: Dialog<Answer>, signal?: AbortSignal) {
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
    onKey(key) {
      const answer = all[0]?.dialog.onKey(key);
      if (answer === undefined || answer === "typed") changed();
      else all[0]?.close(answer.given);
      return answer !== "typed";
    },
  };
}

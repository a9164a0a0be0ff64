// Whether a key was meant for the question that has just appeared. Who is typing when it does has not read it: those keys go on into the
// editor, and who answers one question after the other does not answer the next one with a key too many.

/** `editor`: the person types on. `nobody`: a key too many. */
export type MeantFor = "question" | "editor" | "nobody";

export interface Typing {
  /** A key went to the editor. `submitted`: it was the end of a line. */
  edited(submitted: boolean): void;
  /** Another question stands at the top now. `halfTyped`: something is in the editor. `instead`: it took the place of one that was there. */
  asked(question: { halfTyped: boolean; instead: boolean }): void;
  /** Text came that is no answer: a line begins, and goes on until it is sent or left. */
  strayed(): void;
  /** True when such a line was being typed: the question has the keys again. */
  left(): boolean;
  /** What stands at the top was called for, or nothing does. */
  free(): void;
  /** For each key while a question is open. */
  meantFor(): MeantFor;
}

/** A key so long before counts as typing. */
const typingMs = 500;
/** A question is looked at for so long before a key of somebody who was typing counts; every further key starts it again. */
const unreadMs = 300;
/** Who writes a line stops this long for a word. */
const thinkingMs = 2_000;

export function createTyping(now: () => number): Typing {
  let editedAt = Number.NEGATIVE_INFINITY;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let guard: { meant: "editor" | "nobody"; since: number; line?: true } | undefined;
  return {
    edited(submitted) {
      editedAt = submitted ? Number.NEGATIVE_INFINITY : now();
      if (submitted && guard?.line) guard = undefined;
    },
    strayed() {
      guard = { meant: "editor", since: now(), line: true };
    },
    left() {
      const wasLine = guard?.line === true;
      if (wasLine) guard = undefined;
      return wasLine;
    },
    asked({ halfTyped, instead }) {
      const at = now();
      if (instead || at - answeredAt < typingMs) guard = { meant: "nobody", since: at };
      else guard = halfTyped || at - editedAt < typingMs ? { meant: "editor", since: at } : undefined;
    },
    free() {
      guard = undefined;
    },
    meantFor() {
      const at = now();
      if (guard && at - guard.since < (guard.line ? thinkingMs : unreadMs)) {
        guard.since = at;
        return guard.meant;
      }
      guard = undefined;
      answeredAt = at;
      return "question";
    },
  };
}

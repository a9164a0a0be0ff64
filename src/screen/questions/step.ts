// What the person is asked, as data: every question and every list to pick from is one of these, drawn and answered by open-question.ts. A choice can
// lead to a further step, such as the rule that "always" would write.

/** What a choice, a typed line or Esc does. `back`: to the step before. */
export type Taken<Answer> = { kind: "given"; given: Answer } | { kind: "step"; step: Step<Answer> } | { kind: "view" } | { kind: "back" };

export type Choice<Answer> = {
  label: string;
  /** Shown dimmed behind the label. */
  hint?: string;
  /** Typed words that mean it, beside its label. */
  words?: readonly string[];
  take: Taken<Answer>;
  /** Stands for the label where there are few rows. */
  brief?: string;
  /** Where its label is not shown completely, its text is shown first. */
  unread?: Taken<Answer>;
};

/**
 * `must`: rows that the person agrees to. `change`: what it would do to a file, as rows for each line. `changedAlone`: of these, the lines that come
 * and go, without what is around them.
 */
export type Body = { must: string[]; change: string[][]; changedAlone?: () => string[][] };

/** `more`: how many other questions wait. `brief`: there are few rows. */
export type HeadRoom = { width: number; more: number; brief: boolean };

export type Step<Answer> = {
  head: (room: HeadRoom) => string[];
  /** The head and what it is about in one row, where there are very few; by default the head, cut. */
  line?: (width: number) => string;
  body?: (width: number) => Body;
  /** Lines of the change that the body does not contain. */
  moreChange?: number;
  why?: (width: number) => string[];
  /** `hides`: a part of the body is not shown, so nothing is offered that would allow more than this once. */
  choices: (shown: { hides: boolean; typed: string }) => Choice<Answer>[];
  /** One choice a row. */
  isList?: true;
  /** The choice that is marked at first; by default the first. */
  marked?: number;
  /** What typing is for: `type to say no and why`. */
  typing?: string;
  /** The meaning of a typed line that is none of the choices' words; undefined: it has none. Absent: what is typed filters the choices. */
  read?: (text: string) => Taken<Answer> | undefined;
  /** Said beside a line without a meaning; by default that it is none of the choices. */
  notRead?: string;
  escape: Taken<Answer>;
  escapeHint: string;
  /** All of it, for the full view. */
  whole?: () => string[];
};

export const given = <Answer>(answer: Answer): Taken<Answer> => ({ kind: "given", given: answer });

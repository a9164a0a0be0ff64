// A question of the program itself, with a few fixed answers.
import { wrap } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { visibleLine } from "../visible-text.ts";
import { given, type Step } from "./step.ts";

/** `atEscape`: the answer of Esc. `typing`, `read`: what a typed line is for and means; by default it is none of the answers, and stays. */
export type ChoiceSetup<Value> = {
  title: string;
  choices: { words: string[]; label: string; value: Value }[];
  /** The index of the choice that Enter takes; by default the first. */
  marked?: number;
  atEscape: Value;
  escapeHint: string;
  typing?: string;
  read?: (text: string) => Value | undefined;
  style: Style;
};

export function choiceStep<Value>({ title, choices, marked, atEscape, escapeHint, typing, read, style }: ChoiceSetup<Value>): Step<Value> {
  const head = style.state("needs_you", `${style.symbol("needs_you")} ${visibleLine(title)}`);
  return {
    head: ({ width }) => wrap(head, width, 2).split("\n"),
    choices: () => choices.map(({ words, label, value }) => ({ words, label, take: given(value) })),
    ...(marked !== undefined && { marked }),
    ...(typing !== undefined && { typing }),
    read(text) {
      const value = read?.(text);
      return value === undefined ? undefined : given(value);
    },
    escape: given(atEscape),
    escapeHint,
  };
}

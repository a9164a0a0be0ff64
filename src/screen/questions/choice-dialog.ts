// A question with a few fixed answers. It has the same keys as every question: a line that is typed never answers it.
import type { Style } from "../style.ts";
import type { QuestionDialog } from "./dialog.ts";
import { choiceLines, fullest, type Marked, markedBeside, stepOf } from "./question-layout.ts";
import { hung } from "./question-text.ts";

/** `escape`: the answer of Esc. `escapeHint`: its description. */
export type ChoiceSetup<Value> = {
  title: string;
  choices: { key: string; label: string; value: Value }[];
  escape: Value;
  escapeHint: string;
  style: Style;
};

export function choiceDialog<Value>({ title, choices, escape: escaped, escapeHint, style }: ChoiceSetup<Value>): QuestionDialog<Value> {
  let marked: Marked | undefined;
  return {
    step: () => "choose",
    isChoice: (key) => choices.some((each) => each.key === key),
    mark(letter) {
      marked = letter === undefined ? undefined : { key: letter, byLetter: true };
    },
    move(key) {
      marked = markedBeside(choices, marked, stepOf(key));
    },
    choose() {
      const taken = choices.find(({ key }) => key === marked?.key);
      return taken && { given: taken.value };
    },
    leave: () => ({ given: escaped }),
    onReason: () => {},
    lines: (width, _rows, { line }) => [
      "",
      ...hung(style.state("needs_you", `${style.symbol("needs_you")} ${title}`), width),
      ...choiceLines(choices, { marked, style, width, view: fullest, line, escapeHint }),
    ],
  };
}

// A question with a few fixed answers. It has the same keys as every question: typing never answers it.
import { matchesKey } from "@earendil-works/pi-tui";
import type { Style } from "../style.ts";
import type { QuestionDialog } from "./dialog.ts";
import { choiceLines, fullest, type Marked } from "./question-layout.ts";
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
      const by = matchesKey(key, "down") || matchesKey(key, "right") ? 1 : -1;
      const from = marked ? choices.findIndex((each) => each.key === marked?.key) : by === 1 ? -1 : choices.length;
      marked = { key: choices[(from + by + choices.length) % choices.length]!.key, byLetter: false };
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

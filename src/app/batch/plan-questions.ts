// The questions of a batch, the same in a session and at a terminal without one.
import type { Plan } from "../../batch/plan/plan.ts";
import { choiceStep } from "../../screen/questions/choice-step.ts";
import { given, type Step } from "../../screen/questions/step.ts";
import type { Style } from "../../screen/style.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { Choice } from "./approve-plan.ts";

export function goOnStep(question: string, style: Style): Step<"yes" | "no"> {
  const choices = [
    { words: ["y", "yes"], label: "go on", value: "yes" as const },
    { words: ["n", "no"], label: "no", value: "no" as const },
  ];
  return choiceStep<"yes" | "no">({ title: question, choices, atEscape: "no", escapeHint: "Esc no", style });
}

/** For a person who looks elsewhere. */
export const planWaits = "The plan of a batch waits for your approval";

export function planStep({ units }: Plan, style: Style): Step<Choice> {
  const step = choiceStep<Choice>({
    title: "Carry out this plan?",
    choices: [
      { words: ["y", "yes", "run"], label: "run it: its test commands are allowed", value: { kind: "run" } },
      { words: ["e"], label: "edit", value: { kind: "edit" } },
      { words: ["n"], label: "no", value: { kind: "no", reason: undefined } },
    ],
    atEscape: { kind: "no", reason: undefined },
    escapeHint: "Esc no",
    typing: "type to say no and why",
    read: (text) => dropIn(text) ?? { kind: "no", reason: text },
    style,
  });
  const drop = { words: ["d", "drop"], label: "drop units", take: { kind: "step" as const, step: dropStep(units, style) } };
  return { ...step, choices: (shown) => step.choices(shown).toSpliced(2, 0, drop) };
}

function dropStep(units: Plan["units"], style: Style): Step<Choice> {
  return {
    isList: true,
    head: () => [style.bold("Which unit is dropped?")],
    choices: () =>
      units.map(({ title }, index) => ({ label: visibleLine(title), take: given<Choice>({ kind: "drop", units: [`${index + 1}`] }) })),
    typing: "type the numbers of several",
    read: (text) => given({ kind: "drop", units: text.split(/[\s,]+/) }),
    escape: { kind: "back" },
    escapeHint: "Esc back",
  };
}

/** `d 2 5`, without the step that asks for numbers. */
function dropIn(text: string): Choice | undefined {
  const numbers = /^d(?:rop)?\s+([\d\s,]+)$/i.exec(text)?.[1];
  return numbers === undefined ? undefined : { kind: "drop", units: numbers.trim().split(/[\s,]+/) };
}

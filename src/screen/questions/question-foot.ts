// What is below the choices of a question: the line that is typed as its answer, or what the keys do.
import { visibleWidth } from "@earendil-works/pi-tui";
import type { LineEditor } from "../editor/editor.ts";
import { clamp, firstFitting, widestText, wrap } from "../line-widths.ts";
import type { Style } from "../style.ts";
import type { Foot } from "./question-layout.ts";
import type { Choice, Step } from "./step.ts";

export type FootState<Answer> = {
  step: Step<Answer>;
  /** The index of the marked choice. */
  at: number;
  editor: Pick<LineEditor, "isEmpty" | "render" | "text">;
  /** What was sent is no answer. */
  isUnknown: boolean;
  style: Style;
  width: number;
  /** Keys go to a line in the editor. */
  line: boolean;
};

export function footOf<Answer>(state: FootState<Answer>): Foot {
  const { step, at, editor, style, width, line } = state;
  const { typing, escapeHint } = step;
  const dimmed = (text: string) => wrap(style.dim(`    ${text}`), width, 4).split("\n");
  return (choices, { canShow, brief, tight }) => {
    if (line) return tight ? [clamp(style.dim(`  ${lineHint}`), width)] : dimmed(lineHint);
    if (!editor.isEmpty())
      return typedLines(editor.render(Math.max(6, width - 2)), { width, style, hint: typingHint(state, choices, brief), tight });
    if (brief) return [style.dim(firstFitting(briefHints(choices.length > 1, { canShow, escapeHint, style }), width))];
    const marked = choices[at] && enterHint(at, choices.length);
    return dimmed([typing, canShow && "v shows all", marked, escapeHint].filter(Boolean).join(style.middleDot));
  };
}

type BriefHint = { canShow: boolean; escapeHint: string; style: Style };

/** What keys do in one row, the longest form first. */
function briefHints(hasOthers: boolean, { canShow, escapeHint, style }: BriefHint): string[] {
  const joined = (...parts: (string | false)[]) => parts.filter(Boolean).join(style.middleDot);
  const [leave = ""] = escapeHint.split(",");
  const least = leave.split(" ").slice(0, 2).join(" ");
  return [
    `    ${joined(hasOthers && "arrows show others", canShow && "v shows all", escapeHint)}`,
    `    ${joined(hasOthers && "arrows", canShow && "v shows all", leave)}`,
    `  ${joined(hasOthers && "arrows", canShow && "v all", least)}`,
    joined(hasOthers && "arrows", canShow && "v", least),
  ];
}

const enterHint = (at: number, count: number) => `Enter takes ${at + 1}${count > mostDigits ? ` of ${count}` : ""}`;

function typingHint<Answer>({ isUnknown, step, at, editor }: FootState<Answer>, choices: Choice<unknown>[], brief: boolean): string {
  if (isUnknown) return step.notRead ?? "none of these: Esc clears it";
  if (!step.read) return choices.length > 0 ? enterHint(at, choices.length) : "no match: Esc clears it";
  const meant = meaningOf(editor.text(), choices);
  if (!meant) return "Enter sends this as the answer";
  return brief ? `Enter: ${meant.brief ?? meant.label}` : `Enter takes ${choices.indexOf(meant) + 1}`;
}

export const mostDigits = 9;
const lineHint = "send or clear your line to answer";

/** The choice whose word or label was typed. */
export function meaningOf<Answer>(text: string, choices: Choice<Answer>[]): Choice<Answer> | undefined {
  const typed = text.trim().toLowerCase();
  return choices.find(({ words = [], label }) => words.includes(typed) || label.toLowerCase() === typed);
}

/** The editor's lines without its prompt; what Enter does is beside the last one, or below it. */
function typedLines(
  lines: string[],
  { width, style, hint, tight }: { width: number; style: Style; hint: string; tight: boolean },
): string[] {
  const typed = lines.map((line) => `    ${line.slice(2)}`);
  const last = typed.at(-1) ?? "";
  const gap = Math.min(width, widestText) - visibleWidth(last) - visibleWidth(hint);
  if (gap < 2 && tight) return [...typed, clamp(style.dim(`  ${hint}`), width)];
  if (gap < 2) return [...typed, ...wrap(style.dim(`    ${hint}`), width, 4).split("\n")];
  return [...typed.slice(0, -1), `${last}${" ".repeat(gap)}${style.dim(hint)}`];
}

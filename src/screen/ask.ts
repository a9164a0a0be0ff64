// A permission question on a screen: what is to be run, why it is asked, and one key for each answer.
import { matchesKey } from "@earendil-works/pi-tui";
import type { Answer, Question } from "../permissions/question.ts";
import type { Style } from "./style.ts";
import { visibleLine } from "./visible-text.ts";

/** The question's lines. */
export function questionLines(question: Question, { asker, style }: { asker: string; style: Style }): string[] {
  return [
    "",
    style.state("needs_you", `${style.symbol("needs_you")} ${asker} asks for ${visibleLine(question.tool)}`),
    ...question.lines.map((line) => `    ${visibleLine(line)}`),
    style.dim(`  ${visibleLine(question.reason)}.`),
    `  ${style.bold("y")} once   ${question.rule ? `${style.bold("s")} this session: ${visibleLine(question.rule)}   ` : ""}${style.bold("n")} no`,
  ];
}

/** The answer that a key gives, or undefined for any other key. */
export function answerOf(question: Question, key: string): Answer | undefined {
  if (key === "y") return { kind: "once" };
  if (key === "s" && question.rule) return { kind: "session" };
  if (key === "n" || matchesKey(key, "escape")) return { kind: "no" };
  return undefined;
}

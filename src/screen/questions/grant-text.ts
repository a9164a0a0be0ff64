// What an answer granted beyond the one call, and how it is taken back: one line, so that nobody grants more than they saw.

import { everythingInside } from "../../permissions/grants.ts";
import { type Answer, answerWords, offerOf, type PermissionQuestion, rulesText } from "../../permissions/question.ts";
import { hasSpellings } from "../../permissions/rule-text.ts";
import { capital } from "../../wording/capital.ts";
import type { Style } from "../style.ts";
import type { Asking } from "./question-text.ts";

type Offered = PermissionQuestion["offers"][number];

export const anyCodeWords = "any code, not only this";

/** The rules of an offer in the middle of a line. */
export function offerText({ rules, anyCode }: Offered): string {
  const text = `${rulesText(rules)}${startedWords(rules)}`;
  return anyCode ? `${text} (${anyCodeWords})` : text;
}

/** An answer is meant for a tool or script, whichever program starts it; what is written to the settings is the rule alone. */
function startedWords(rules: string[]): string {
  return rules.some(hasSpellings) ? `, however ${rules.length > 1 ? "they are" : "it is"} started` : "";
}

/** Undefined where the answer was for this call alone, or is to be taken back in the asker's own pane. */
export function grantText(question: PermissionQuestion, answer: Answer, { canWait, style }: Asking & { style: Style }): string | undefined {
  const isForTeam = answer.kind === "team" || (answer.kind === "sandbox" && answer.for === "team");
  if (canWait && !isForTeam) return undefined;
  if (answer.kind !== "session" && answer.kind !== "team" && answer.kind !== "always" && answer.kind !== "sandbox") return undefined;
  const rules = answer.kind === "sandbox" ? [everythingInside] : answer.rules;
  const wide = answer.kind !== "sandbox" && offerOf(question, rules)?.anyCode ? ` (${anyCodeWords})` : "";
  const words = answerWords(answer);
  const commands = rulesText(rules.map((rule) => `/permissions remove ${rule}`));
  return style.dim(`  ${capital(words)}${wide}${answer.kind === "always" ? "" : startedWords(rules)}. To take it back: ${commands}`);
}

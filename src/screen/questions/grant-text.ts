// What an answer granted beyond the one call, and how it is taken back: one line, so that nobody grants more than they saw.

import { everythingInside } from "../../permissions/grants.ts";
import type { Answer } from "../../permissions/questions/question.ts";
import { capital } from "../../wording/capital.ts";
import { answerWords, rulesText } from "../../wording/question-words.ts";
import type { Style } from "../style.ts";
import type { Asking } from "./question-text.ts";

/** Undefined where the answer was for this call alone, or is to be taken back in the asker's own pane. */
export function grantText(answer: Answer, { canWait, style }: Asking & { style: Style }): string | undefined {
  const isForTeam = answer.kind === "team" || (answer.kind === "sandbox" && answer.for === "team");
  if (canWait && !isForTeam) return undefined;
  if (answer.kind !== "session" && answer.kind !== "team" && answer.kind !== "always" && answer.kind !== "sandbox") return undefined;
  const rules = answer.kind === "sandbox" ? [everythingInside] : answer.rules;
  const words = answerWords(answer);
  const commands = rulesText(rules.map((rule) => `/permissions remove ${rule}`));
  return style.dim(`  ${capital(words)}. To take it back: ${commands}`);
}

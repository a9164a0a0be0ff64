// Where a command that find runs ends among its words.
import type { Word } from "./analysis.ts";

/** The index of the word that ends the command which begins behind `at`; the number of words if none does. */
export function endOfRun(words: Word[], at: number): number {
  const end = words.findIndex(({ value }, index) => index > at && (value === ";" || (value === "+" && words[index - 1]!.value === "{}")));
  return end === -1 ? words.length : end;
}

/** Whether a word that is known only when it runs may be the end: `;`, or the `+` behind `{}`. */
export function mayEndRun({ value, choices, start, pattern }: Word): boolean {
  if (value !== undefined) return false;
  if (!choices) return start === "";
  return choices.some((choice) => (pattern ? /^[*?]*[;+*?[]/.test(choice) && !/\w/.test(choice) : choice === ";" || choice === "+"));
}

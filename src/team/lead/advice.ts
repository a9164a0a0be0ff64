// Advice about a team's size before the first request: each warning with its reason.
import { plural } from "../../wording/figures.ts";

/** Lines of advice for a team of that many teammates; when the number is not known yet, what a team costs at all. */
export function sizeAdvice(teammates: number | undefined): string[] {
  const cost = `Each agent keeps its own context: ${teammates ? `${plural(teammates, "teammate")} and a lead may use about ${teammates + 1}` : "a team of 4 may use about 4"} times one agent's tokens.`;
  return [cost, ...warnings.filter(({ applies }) => teammates !== undefined && applies(teammates)).map(({ text }) => text)];
}

const warnings = [
  {
    applies: (n: number) => n === 1,
    text: "A team of one teammate works mostly one task after the other: a single session does the same for less.",
  },
  {
    applies: (n: number) => n > 4 && n < 8,
    text: "With more than 4 teammates, waiting for each other grows faster than the work done: 2 to 4 are recommended.",
  },
  { applies: (n: number) => n >= 8, text: "8 or more teammates cost more coordination than they save: 2 to 4 are recommended." },
];

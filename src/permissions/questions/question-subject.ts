// What a question is about, in one line: for lists of what waits for the person.
import type { Question } from "./question.ts";

/** It may contain foreign text: escape it when printing. */
export function questionSubject(question: Question): string {
  switch (question.kind) {
    case "permission":
      return `${question.tool} ${question.whole ?? question.parts.map(({ text }) => text).join("; ")}`.slice(0, longest);
    case "plan":
      return `plan: ${question.plan
        .trim()
        .split("\n", 1)[0]
        ?.replace(/^#+\s*/, "")}`.slice(0, longest);
    case "choice":
      return question.text.slice(0, longest);
  }
}

const longest = 200;

// What a question and its answer are in a line, for all who list them. The texts of a question may be foreign: escape them when printing.
import type { Answer, Question } from "../permissions/questions/question.ts";
import { visible } from "./visible.ts";

/** What it is about, in one line, for lists of what waits for the person. It may contain foreign text: escape it when printing. */
export function questionSubject(question: Question): string {
  switch (question.kind) {
    case "permission":
      return `${question.tool} ${question.whole ?? question.parts.map(({ text }) => text).join("; ")}`.slice(0, longestSubject);
    case "plan":
      return `plan: ${question.plan
        .trim()
        .split("\n", 1)[0]
        ?.replace(/^#+\s*/, "")}`.slice(0, longestSubject);
    case "choice":
      return question.text.slice(0, longestSubject);
  }
}

const longestSubject = 200;

/** The question in one line: the parts of a command, or that it is a plan. */
export function questionLine(question: Question): string {
  if (question.kind === "plan") return "a plan";
  return question.kind === "choice" ? question.text : question.parts.map(({ text }) => text).join("; ");
}

/** An answer in a few words, for those who did not give it. */
export function answerWords(answer: Answer): string {
  switch (answer.kind) {
    case "once":
      return answer.network ? "allowed once, with the network" : "allowed once";
    case "session":
      return `allowed for this session: ${rulesText(answer.rules)}`;
    case "team":
      return `allowed for the team: ${rulesText(answer.rules)}`;
    case "always":
      return `always allowed: ${rulesText(answer.rules)}`;
    case "sandbox":
      return `allowed for this ${answer.for}: everything that stays in the sandbox`;
    case "approve":
      return answer.mode === "acceptEdits" ? "plan approved, edits allowed" : "plan approved";
    case "chosen":
      return `chose: ${visible(answer.option)}`;
    case "written":
      return `wrote: ${visible(answer.text)}`;
    case "no":
      if (answer.stop) return "no to all, and the turn was stopped";
      return answer.reason ? `no: ${visible(answer.reason)}` : "no";
  }
}

/** Why a question is closed without an answer: what decides it now. `rule`: a new one of the person's. */
export const settledBy = ({ rule, reason }: { rule?: string; reason: string }) =>
  rule === undefined ? `answered meanwhile: ${reason}` : `answered by your new rule ${rule}`;
export const isSettled = (closed: string) => /^answered (?:meanwhile:|by your new rule) /.test(closed);

/** `Bash(git add *) and Bash(git commit *)`, ready to be printed. */
export function rulesText(rules: string[]): string {
  return rules.map(visible).join(" and ");
}

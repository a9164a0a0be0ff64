import { describe, expect, it } from "vitest";
import { type Answer, fits, type PermissionQuestion, type Question } from "../../../src/permissions/questions/question.ts";
import { answerWords } from "../../../src/wording/question-words.ts";

const both = ["Bash(git add *)", "Bash(git commit *)"];
const plain: PermissionQuestion = {
  kind: "permission",
  tool: "Bash",
  parts: [{ text: "git add .", where: "", allowed: false }],
  change: [],
  moreChange: 0,
  reason: "No rule allows it",
  offers: [
    { rules: both, always: true },
    { rules: ["Bash"], always: false },
  ],
};
const all: PermissionQuestion = { ...plain, file: "settings.json", network: true, sandbox: true, team: true };

const answers: Answer[] = [
  { kind: "once" },
  { kind: "once", network: true },
  { kind: "session", rules: both },
  { kind: "session", rules: ["Bash(git add *)"] },
  { kind: "session", rules: [] },
  { kind: "team", rules: ["Bash"] },
  { kind: "always", rules: both },
  { kind: "always", rules: ["Bash"] },
  { kind: "sandbox", for: "session" },
  { kind: "sandbox", for: "team" },
  { kind: "approve", mode: "default" },
  { kind: "no", stop: true },
];
const fitting = (question: Question) => answers.filter((answer) => fits(question, answer)).map(answerWords);

describe("fits()", () => {
  it("accepts what the question offers, and nothing else", () => {
    expect(fitting(plain)).toEqual([
      "allowed once",
      "allowed for this session: Bash(git add *) and Bash(git commit *)",
      "no to all, and the turn was stopped",
    ]);
    expect(fitting(all)).toEqual([
      "allowed once",
      "allowed once, with the network",
      "allowed for this session: Bash(git add *) and Bash(git commit *)",
      "allowed for the team: Bash",
      "always allowed: Bash(git add *) and Bash(git commit *)",
      "allowed for this session: everything that stays in the sandbox",
      "allowed for this team: everything that stays in the sandbox",
      "no to all, and the turn was stopped",
    ]);
    expect(fitting({ kind: "plan", plan: "1. Look" })).toEqual(["plan approved", "no to all, and the turn was stopped"]);
  });
});

import { expect, it } from "vitest";
import type { PermissionQuestion } from "../../../src/permissions/questions/question.ts";
import { askedLess } from "../../../src/screen/questions/question-text.ts";
import { createStyle } from "../../../src/screen/style.ts";

const style = createStyle({ NO_COLOR: "1" });
const question: PermissionQuestion = {
  kind: "permission",
  tool: "Bash",
  parts: [{ text: "npm test", where: "", allowed: false }],
  change: [],
  moreChange: 0,
  reason: "No rule allows it",
  offers: [],
};
const offers = [{ rules: ["Bash(npm test)"], always: true }];

it.each([
  ["a rule", { ...question, offers }, "take a rule, for the session or always."],
  ["a rule for the team", { ...question, offers, team: true }, "take a rule, for the session, the team or always."],
  [
    "the mode",
    { ...question, offers, edits: true },
    "take a rule, for the session or always, or use the mode acceptEdits for edits (Shift-Tab).",
  ],
  ["the sandbox", { ...question, sandbox: true }, "allow everything that stays in the sandbox."],
] as [string, PermissionQuestion, string][])("askedLess() says what the person can do with %s", (_, asked, ways) => {
  expect(askedLess(asked, { asker: "ada", style, reach: "team", told: new Set() })).toBe(`  To be asked less often: ${ways}`);
});

it("askedLess() says each way once, and nothing where there is none", () => {
  const told = new Set<string>();
  const words = [question, { ...question, offers }, { ...question, offers, edits: true as const }, { ...question, offers }].map((asked) =>
    askedLess(asked, { asker: "ada", style, reach: "session", told }),
  );
  expect(words).toEqual([
    undefined,
    "  To be asked less often: take a rule, for the session or always.",
    "  To be asked less often: use the mode acceptEdits for edits (Shift-Tab).",
    undefined,
  ]);
});

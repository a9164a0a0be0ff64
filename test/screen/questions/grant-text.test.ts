import { expect, it } from "vitest";
import type { Answer, PermissionQuestion } from "../../../src/permissions/question.ts";
import { grantText, offerText } from "../../../src/screen/questions/grant-text.ts";
import { createStyle } from "../../../src/screen/style.ts";

const code = ["Bash(python3 -c *)"];
const tests = ["Bash(npm test *)", "Bash(git add *)"];
const question: PermissionQuestion = {
  kind: "permission",
  tool: "Bash",
  parts: [],
  change: [],
  moreChange: 0,
  reason: "No rule allows it",
  offers: [
    { rules: code, always: true, anyCode: true },
    { rules: tests, always: true },
  ],
};
const said = (answer: Answer, canWait = false) =>
  grantText(question, answer, { asker: "ann", canWait, style: createStyle({ NO_COLOR: "1" }) })?.trim();

it("says what was granted, how far it reaches, and how to revoke it", () => {
  expect([
    said({ kind: "session", rules: code }),
    said({ kind: "always", rules: tests }),
    said({ kind: "team", rules: tests }, true),
    said({ kind: "sandbox", for: "session" }),
  ]).toEqual([
    "Allowed for this session: Bash(python3 -c *) (any code, not only this). To take it back: /permissions remove Bash(python3 -c *)",
    "Always allowed: Bash(npm test *) and Bash(git add *). To take it back: /permissions remove Bash(npm test *) and /permissions remove Bash(git add *)",
    "Allowed for the team: Bash(npm test *) and Bash(git add *), however they are started. To take it back: /permissions remove Bash(npm test *) and /permissions remove Bash(git add *)",
    "Allowed for this session: everything that stays in the sandbox. To take it back: /permissions remove x",
  ]);
});

it("says nothing about an answer for one call, a no, or a grant that only the asker's pane can revoke", () => {
  expect([said({ kind: "once" }), said({ kind: "no" }), said({ kind: "session", rules: code }, true)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("says in the question that an answer covers a tool or script however it is started", () => {
  expect([["Bash(pytest *)"], tests, ["Bash(make x *)"]].map((rules) => offerText({ rules, always: true }))).toEqual([
    "Bash(pytest *), however it is started",
    "Bash(npm test *) and Bash(git add *), however they are started",
    "Bash(make x *)",
  ]);
});

import { expect, it } from "vitest";
import type { Answer } from "../../../src/permissions/questions/question.ts";
import { grantText } from "../../../src/screen/questions/grant-text.ts";
import { createStyle } from "../../../src/screen/style.ts";

const code = ["Bash(python3 -m build *)"];
const tests = ["Bash(npm test *)", "Bash(git add *)"];
const said = (answer: Answer, canWait = false) =>
  grantText(answer, { asker: "ann", canWait, style: createStyle({ NO_COLOR: "1" }) })?.trim();

it("says what was granted, how far it reaches, and how to revoke it", () => {
  expect([
    said({ kind: "session", rules: code }),
    said({ kind: "always", rules: tests }),
    said({ kind: "team", rules: tests }, true),
    said({ kind: "sandbox", for: "session" }),
  ]).toEqual([
    "Allowed for this session: Bash(python3 -m build *). To take it back: /permissions remove Bash(python3 -m build *)",
    "Always allowed: Bash(npm test *) and Bash(git add *). To take it back: /permissions remove Bash(npm test *) and /permissions remove Bash(git add *)",
    "Allowed for the team: Bash(npm test *) and Bash(git add *). To take it back: /permissions remove Bash(npm test *) and /permissions remove Bash(git add *)",
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

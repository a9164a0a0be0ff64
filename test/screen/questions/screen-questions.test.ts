import { expect, it } from "vitest";
import type { PermissionQuestion } from "../../../src/permissions/questions/question.ts";
import { screenQuestions } from "../../../src/screen/questions/screen-questions.ts";
import { createStyle } from "../../../src/screen/style.ts";
import type { SessionScreen } from "../../../src/screen/terminal/session-screen.ts";

const question: PermissionQuestion = {
  kind: "permission",
  tool: "Edit",
  parts: [{ text: "src/a.ts", where: "", allowed: false }],
  change: [],
  moreChange: 0,
  reason: "No rule allows it",
  offers: [{ rules: ["Edit(src/a.ts)"], always: true }],
};

it("names the mode acceptEdits once, at an own question that it would have spared, and nothing that is among the choices", async () => {
  const printed: string[] = [];
  const screen = { ask: async () => undefined, refresh() {}, waitForPerson: () => () => {} } as unknown as SessionScreen;
  const questions = screenQuestions(screen, { style: createStyle({ NO_COLOR: "1" }), print: (text) => printed.push(text) });
  const told: number[] = [];
  for (const put of [{}, { edits: true as const, canWait: true }, { edits: true as const }, { edits: true as const }]) {
    const { canWait, ...more } = { canWait: false, ...put };
    await questions.put({ question: { ...question, ...more }, asker: "tool", canWait }, new AbortController().signal);
    told.push(printed.length);
  }
  expect([told, printed]).toEqual([[0, 0, 1, 1], ["  To be asked less often: the mode acceptEdits (Shift-Tab)."]]);
});

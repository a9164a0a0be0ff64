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

it("names once, at an own question, what decides how often such come: the mode for edits, the sandbox or its absence for commands", async () => {
  const printed: string[] = [];
  const screen = { ask: async () => undefined, refresh() {}, waitForPerson: () => () => {} } as unknown as SessionScreen;
  const questions = screenQuestions(screen, { style: createStyle({ NO_COLOR: "1" }), print: (text) => printed.push(text) });
  const told: number[] = [];
  const edit = { edits: true as const };
  const commands = [{ tool: "Bash" }, { tool: "Network", contained: true as const }];
  for (const put of [{}, { ...edit, canWait: true }, edit, edit, ...commands, ...commands]) {
    const { canWait, ...more } = { canWait: false, ...put };
    await questions.put({ question: { ...question, ...more }, asker: "tool", canWait }, new AbortController().signal);
    told.push(printed.length);
  }
  expect(told).toEqual([0, 0, 1, 1, 2, 3, 3, 3]);
  expect(printed).toEqual([
    "  To be asked less often: the mode acceptEdits (Shift-Tab).",
    expect.stringContaining("a sandbox (tool doctor)"),
    expect.stringContaining("tool config set sandbox.autoAllow false"),
  ]);
});

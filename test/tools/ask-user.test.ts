import { expect, it } from "vitest";
import { askDesk } from "../../src/agent/workspace/desks.ts";
import type { Ask } from "../../src/permissions/permit.ts";
import type { PermissionMode } from "../../src/permissions/policy.ts";
import { type Answer, fits, type Question, questionSchema } from "../../src/permissions/questions/question.ts";
import { askUserText, askUserTool } from "../../src/tools/ask-user.ts";

const signal = new AbortController().signal;
const dates = { question: "Which dates?\n", options: [" ISO  dates", "As typed"] };

/** What the model receives, and what the user was shown. */
async function asked(answer: Answer | undefined, { input = dates, mode = "default" as PermissionMode } = {}) {
  const shown: Question[] = [];
  const ask: Ask = async (question) => {
    shown.push(question);
    return answer ?? { kind: "no" };
  };
  const tool = askUserTool(askDesk({ mode }, () => answer && ask));
  const { text, isError, summary } = await tool.run(input, { signal });
  return { text, isError, summary, shown };
}

const shown: Question[] = [{ kind: "choice", text: "Which dates?", options: ["ISO dates", "As typed"] }];
const decide = "Decide it yourself, go on, and say what you decided and what depends on it.";

it("says that it was interrupted when the question closes without an answer", async () => {
  const desk = askDesk({ mode: "default" }, () => async () => undefined);
  expect(await desk.ask({ text: "Which dates?", options: ["ISO dates", "As typed"] }, signal)).toEqual({
    kind: "none",
    reason: "interrupted",
  });
});

it("tells the model which answer the user chose, or what they wrote, or that they leave it to the agent", async () => {
  expect([
    await asked({ kind: "chosen", option: "ISO dates" }),
    await asked({ kind: "written", text: "unix times" }),
    await asked({ kind: "no" }),
    await asked({ kind: "no", reason: "a hook blocked it." }),
    await asked({ kind: "once" }),
  ]).toEqual([
    { text: "The person chose: ISO dates", isError: false, summary: "ISO dates", shown },
    { text: "The person chose none of these and wrote: unix times", isError: false, summary: "unix times", shown },
    { text: `The person gave no answer. ${decide}`, isError: false, summary: "no answer", shown },
    { text: `The person gave no answer: a hook blocked it. ${decide}`, isError: false, summary: "no answer", shown },
    { text: `The person gave no answer. ${decide}`, isError: false, summary: "no answer", shown },
  ]);
});

it("does not ask without a user, in the mode dontAsk, or what cannot be answered", async () => {
  expect([await asked(undefined), await asked({ kind: "no" }, { mode: "dontAsk" })]).toEqual(
    Array(2).fill({ text: askUserText.nobody, isError: true, summary: "nobody to ask", shown: [] }),
  );
  const wrong = [
    { question: " ", options: ["a", "b"] },
    { question: "x".repeat(1_001), options: ["a", "b"] },
    { question: "x", options: ["a", "b".repeat(201)] },
    { question: "x", options: ["a", " a "] },
  ];
  expect((await Promise.all(wrong.map((input) => asked({ kind: "no" }, { input })))).map(({ text, shown }) => [text, shown])).toEqual([
    ["Cannot ask this: the question is blank. Nobody was asked.", []],
    ["Cannot ask this: the question has 1001 characters, and at most 1000 are shown. Nobody was asked.", []],
    ["Cannot ask this: option 2 is blank or longer than 200 characters. Nobody was asked.", []],
    ['Cannot ask this: "a" is offered twice. Nobody was asked.', []],
  ]);
});

it("takes two to four answers, and tells the model the limits", () => {
  const { input } = askUserTool(askDesk({ mode: "default" }, () => undefined));
  const numbered = (count: number) => ({ question: "Which?", options: Array.from({ length: count }, (_, index) => `${index}`) });
  expect([1, 2, 4, 5].map((count) => input.safeParse(numbered(count)).success)).toEqual([false, true, true, false]);
});

it("accepts an option as it was offered, or a text that is not blank, and no grant", () => {
  const question = questionSchema.parse(shown[0]);
  const answers: Answer[] = [
    { kind: "chosen", option: "ISO dates" },
    { kind: "chosen", option: "US dates" },
    { kind: "written", text: "unix" },
    { kind: "written", text: " \n" },
    { kind: "written", text: "x".repeat(400_001) },
    { kind: "no", stop: true },
    { kind: "once" },
    { kind: "approve", mode: "default" },
    { kind: "sandbox", for: "team" },
  ];
  expect(answers.map((answer) => fits(question, answer))).toEqual([true, false, true, false, false, true, false, false, false]);
  expect(fits({ kind: "plan", plan: "p" }, { kind: "chosen", option: "p" })).toBe(false);
});

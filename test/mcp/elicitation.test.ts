import { expect, it } from "vitest";
import { answerForm } from "../../src/mcp/elicitation.ts";
import type { PersonsAnswer } from "../../src/tools/ask-user.ts";

/** Answers the questions one after the other. */
async function asked(requestedSchema: unknown, answers: PersonsAnswer[]) {
  const shown: string[] = [];
  const desk = {
    async ask({ text, options }: { text: string; options: string[] }) {
      shown.push(`${text} [${options.join(", ")}]`);
      return answers[shown.length - 1] ?? { kind: "none" as const, reason: undefined };
    },
  };
  const answer = await answerForm(
    { message: "Book \x1b[31ma table?", requestedSchema },
    { server: "s", desk },
    new AbortController().signal,
  );
  return { answer, shown };
}

const chosen = (option: string): PersonsAnswer => ({ kind: "chosen", option });
const written = (text: string): PersonsAnswer => ({ kind: "written", text });
const properties = {
  day: { type: "string", title: "Day" },
  seats: { type: "integer", description: "how many" },
  inside: { type: "boolean" },
  menu: { type: "string", enum: ["meat", "fish", "vegan", "none"] },
};
const schema = { type: "object", properties, required: ["day", "seats"] };

it("asks for one value after the other, and again where an answer does not fit", async () => {
  const { answer, shown } = await asked(schema, [written("Monday"), written("two"), written("2"), chosen("Yes"), written("fish")]);
  expect(answer).toEqual({ action: "accept", content: { day: "Monday", seats: 2, inside: true, menu: "fish" } });
  expect(shown).toEqual([
    'The server "s" asks: Book a table? — Day. Write the answer [Decline, Cancel]',
    'The server "s" asks: Book a table? — seats: how many. Write the answer [Decline, Cancel]',
    'The server "s" asks: Book a table? — seats: how many. Write the answer ("two" is not an answer) [Decline, Cancel]',
    'The server "s" asks: Book a table? — inside [Yes, No, Decline]',
    'The server "s" asks: Book a table? — menu. Write one of: meat, fish, vegan, none [Leave it out, Decline]',
  ]);
});

it.each([
  ["declines", [chosen("Decline")], { action: "decline" }],
  ["cancels", [chosen("Cancel")], { action: "cancel" }],
  ["does not answer", [{ kind: "none", reason: "interrupted" }], { action: "cancel" }],
  ["cannot be asked", [{ kind: "nobody" }], { action: "decline" }],
  ["never gives an answer that fits", [written(""), written(" "), written("")], { action: "decline" }],
] as const)("sends nothing if the person %s", async (_what, answers, answer) => {
  expect((await asked(schema, [...answers])).answer).toEqual(answer);
});

it.each([
  [chosen("Yes"), { action: "accept", content: {} }],
  [written("Yes"), { action: "decline" }],
])("a mere confirmation takes only its own answer: %o", async (given, answer) => {
  expect((await asked({ type: "object", properties: {} }, [given])).answer).toEqual(answer);
});

it("declines what is no form of plain values, without a question", async () => {
  expect(await asked({ type: "object", properties: { a: { type: "array" } } }, [])).toEqual({ answer: { action: "decline" }, shown: [] });
});

// AskUser: one question that only the user can answer, with a few answers to choose from and room to write another.
import { z } from "zod";
import { because, done, refused } from "./answer.ts";
import type { Tool } from "./tool.ts";

/** `none`: the user leaves the decision to the agent, or something else answered instead. `nobody`: there is no screen. */
export type PersonsAnswer =
  | { kind: "chosen"; option: string }
  | { kind: "written"; text: string }
  | { kind: "none"; reason: string | undefined }
  | { kind: "nobody" };

export interface AskDesk {
  /** Resolves once the user has answered, or the signal aborts. `call`: the tool call that asks. */
  ask(question: { text: string; options: string[]; call?: string | undefined }, signal: AbortSignal): Promise<PersonsAnswer>;
}

const longest = { question: 1_000, option: 200 };

const decide = "Decide it yourself, go on, and say what you decided and what depends on it.";

export const askUserText = {
  description: "Ask the person what only they can know: one question, 2 to 4 answers, your own choice first. They may write another.",
  nobody: `Nobody can be asked here. ${decide}`,
  none: "The person gave no answer",
};

const input = z.strictObject({ question: z.string(), options: z.array(z.string()).min(2).max(4) });

export function askUserTool(desk: AskDesk): Tool<z.infer<typeof input>> {
  return {
    name: "AskUser",
    description: askUserText.description,
    input,
    readOnly: false,
    subject: ({ question }) => question.trim().split("\n")[0] ?? "",
    async run({ question, options }, { signal, call }) {
      const text = question.trim();
      const answers = options.map((option) => option.trim().replaceAll(/\s+/g, " "));
      const wrong = problemOf(text, answers);
      if (wrong) return refused(`Cannot ask this: ${wrong}. Nobody was asked`, "refused");
      const answer = await desk.ask({ text, options: answers, call }, signal);
      switch (answer.kind) {
        case "chosen":
          return done(`The person chose: ${answer.option}`, answer.option);
        case "written":
          return done(`The person chose none of these and wrote: ${answer.text}`, answer.text);
        case "none":
          return done(`${askUserText.none}${because(answer.reason)}. ${decide}`, "no answer");
        case "nobody":
          return refused(askUserText.nobody, "nobody to ask");
      }
    },
  };
}

function problemOf(question: string, options: string[]): string | undefined {
  if (question === "") return "the question is blank";
  if (question.length > longest.question)
    return `the question has ${question.length} characters, and at most ${longest.question} are shown`;
  const bad = options.findIndex((option) => option === "" || option.length > longest.option);
  if (bad >= 0) return `option ${bad + 1} is blank or longer than ${longest.option} characters`;
  const twice = options.find((option, index) => options.indexOf(option) !== index);
  return twice === undefined ? undefined : `"${twice}" is offered twice`;
}

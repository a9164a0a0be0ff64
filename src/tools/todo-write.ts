// TodoWrite: a solo agent's list of its own work. It is stored nowhere else: the latest call in the transcript is the current list.

import { z } from "zod";
import { plural } from "../wording/figures.ts";
import { done, refused } from "./answer.ts";
import type { Aliases } from "./arguments.ts";
import type { Tool } from "./tool.ts";

const mostItems = 50;
const longestItem = 200;

const input = z.strictObject({
  todos: z.array(z.strictObject({ content: z.string(), status: z.enum(["pending", "in_progress", "completed"]) })),
});

/** Ignored on purpose: the list is short, in order, and replaced as a whole, so that items need no id or priority. */
const items: Aliases = { activeForm: { ignored: true }, id: { ignored: true }, priority: { ignored: true } };

const aliases: Aliases = { todos: { name: "todos", items }, items: { name: "todos", items }, merge: { ignored: true, when: false } };

export function todoWriteTool(): Tool<z.infer<typeof input>> {
  return {
    name: "TodoWrite",
    description: `Replace the list of what you have to do, which the person sees: for work of more than two steps. One item is in_progress; mark each completed as soon as it is done. At most ${mostItems} items of ${longestItem} characters.`,
    input,
    aliases,
    readOnly: false,
    subject: ({ todos }) => `${todos.filter(({ status }) => status === "completed").length} of ${todos.length}`,
    async run({ todos }) {
      const cannot = (reason: string) => refused(`Cannot keep this list: ${reason}. The list is as it was`, "refused");
      if (todos.length > mostItems)
        return cannot(`it has ${todos.length} items, and at most ${mostItems} are kept. Put small steps together`);
      const wrong = todos.findIndex(({ content }) => content.trim() === "" || content.length > longestItem);
      if (wrong >= 0) return cannot(`item ${wrong + 1} is blank or longer than ${longestItem} characters`);
      const working = todos.filter(({ status }) => status === "in_progress").length;
      if (working > 1) return cannot(`${working} items are in_progress, and only one may be`);
      const lines = todos.map(({ content, status }) => `${marks[status]} ${content.trim().replaceAll(/\s+/g, " ")}`);
      return done(lines.join("\n") || "(the list is empty)", plural(todos.length, "item"));
    },
  };
}

const marks = { pending: "[ ]", in_progress: "[>]", completed: "[x]" };

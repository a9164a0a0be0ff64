// Other programs that may be members of a team. They run with the person's rights and outside of the rules, so a repository can never name one.
import { z } from "zod";

const words = z.array(z.string()).min(1, "a program and its arguments; the list is empty");

/** How a running program hears of mail and of tasks: a line on its input, or a command that is run. Without it, it looks by itself. */
const wake = z
  .strictObject({ input: z.string().min(1).optional(), command: words.optional() })
  .refine(({ input, command }) => (input === undefined) !== (command === undefined), 'either "input" or "command"');

const memberSchema = z.strictObject({
  command: words,
  env: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*(=[^\n]*)?$/, "the name of a variable, or NAME=value")).default([]),
  wake: wake.optional(),
});
export type ProgramEntry = z.infer<typeof memberSchema>;

export const memberSettings = z.record(z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, "a name of a-z, 0-9 and -"), memberSchema);

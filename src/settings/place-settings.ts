// Places that the person has configured: commands that run a program somewhere else. They run with the person's rights, so a repository can
// never configure one.
import { z } from "zod";

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,29}$/, "a name of a-z, 0-9 and -")
  .refine((text) => text !== "home", "another name: this one is the person's own machine");

const variable = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, "the name of a variable")
  .refine((text) => !/^(ANTHROPIC|TOOL)_/i.test(text), "another name: keys and settings of this program stay at home");

const placeSchema = z.strictObject({
  command: z.array(z.string().min(1, "a word of the command; it is empty")).min(1, "a command as a list of words; it is empty"),
  folder: z.string().regex(/^(\/|~\/.)/, "an absolute path there, or one that begins with ~/"),
  arguments: z.enum(["separate", "joined"]).optional(),
  node: z.string().min(1).optional(),
  atOnce: z.int().min(1).max(1_000).optional(),
  env: z.record(variable, z.string()).optional(),
});

export const placeSettings = z.record(name, placeSchema);
export type PlaceSettings = z.infer<typeof placeSchema>;

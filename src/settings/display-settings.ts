// Displays that the user has configured: five commands that show teammates in an unknown terminal program. They run with the user's rights,
// so a repository can never configure one.
import { z } from "zod";

const command = z.string().regex(/\S/, "a command; it is empty");

const driverSchema = z.strictObject({
  open: command,
  state: command,
  close: command,
  focus: command.optional(),
  label: command.optional(),
});

/** The built-in names of --display are not allowed. */
const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,29}$/, "a name of a-z, 0-9 and -")
  .refine((text) => !["auto", "tmux", "iterm2", "in-process", "plain"].includes(text), "another name: this one is built in");

export const displaySettings = z.record(name, driverSchema);
export type DriverCommands = z.infer<typeof driverSchema>;

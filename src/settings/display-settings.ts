// Displays that a person has configured: five commands by which teammates are shown in a terminal program that we do not know. They run on
// the person's machine with their rights, so that a repository can never name one.
import { z } from "zod";

const command = z.string().regex(/\S/, "a command, and it is empty");

const driverSchema = z.strictObject({
  open: command,
  state: command,
  close: command,
  focus: command.optional(),
  label: command.optional(),
});

/** The names that --display has of itself are not theirs. */
const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,29}$/, "a name of a-z, 0-9 and -")
  .refine((text) => !["auto", "tmux", "iterm2", "in-process", "plain"].includes(text), "another name: this one is built in");

export const displaySettings = z.record(name, driverSchema);
export type DriverCommands = z.infer<typeof driverSchema>;

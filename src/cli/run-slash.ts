// A typed line that is a slash command, run: the same in every pane.
import { readSlashLine, type SlashCommand, unknownCommandText } from "../screen/commands.ts";
import type { Pane } from "../screen/pane.ts";

/** True when the line was a command, or looks so much like one that it is not for the model. */
export function runSlash(line: string, commands: SlashCommand[], pane: Pick<Pane, "warn" | "echo">): boolean {
  const read = readSlashLine(line, commands);
  if (!read) return false;
  pane.echo(line.trim());
  if (read.kind === "unknown") {
    pane.warn(unknownCommandText(read));
    return true;
  }
  const failed = (error: unknown) => pane.warn(error instanceof Error ? error.message : String(error));
  Promise.resolve()
    .then(() => read.command.run(read.argument))
    .catch(failed);
  return true;
}

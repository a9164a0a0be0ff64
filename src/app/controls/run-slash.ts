// Runs a typed line that is a slash command, in every pane alike.

import { readSlashLine, type SlashCommand, unknownCommandText } from "../../screen/commands/commands.ts";
import type { Style } from "../../screen/style.ts";
import type { Pane } from "../../screen/terminal/pane.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { capital } from "../../wording/capital.ts";
import { errorText } from "../../wording/error-text.ts";

/**
 * `explain`: why an expected name is not a command. True if the line was a command, or so close to one that it must not go to the model. The line is
 * printed above its answer.
 */
export function runSlash(
  line: string,
  commands: SlashCommand[],
  { pane, style, explain }: { pane: Pick<Pane, "warn" | "print">; style: Style; explain?: (name: string) => string | undefined },
): boolean {
  const read = readSlashLine(line, commands);
  if (!read) return false;
  pane.print(`\n${style.bold(`> ${visibleLine(line.trim())}`)}`);
  if (read.kind === "unknown") {
    pane.warn(explain?.(read.name) ?? unknownCommandText(read));
    return true;
  }
  const { name, argument, group } = read.command;
  if (read.argument && group !== undefined && argument === undefined) {
    pane.warn(`/${name} takes no argument. Nothing was done: type /${name} alone.`);
    return true;
  }
  const failed = (error: unknown) => pane.warn(capital(errorText(error))); // the command line continues its own "tool: ";
  Promise.resolve()
    .then(() => read.command.run(read.argument))
    .catch(failed);
  return true;
}

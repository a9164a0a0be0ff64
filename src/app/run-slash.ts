// A typed line that is a slash command, run: the same in every pane.
import { readSlashLine, type SlashCommand, unknownCommandText } from "../screen/commands.ts";
import type { Style } from "../screen/style.ts";
import type { Pane } from "../screen/terminal/pane.ts";
import { visibleLine } from "../screen/visible-text.ts";

/** `explain`: why a name that one would expect is no command. True when the line was a command, or looks so much like one that it is not for the model. It stands above its answer. */
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
  const failed = (error: unknown) => pane.warn(error instanceof Error ? error.message : String(error));
  Promise.resolve()
    .then(() => read.command.run(read.argument))
    .catch(failed);
  return true;
}

// /tasks of a session, the part about background commands: their list, and the actions on each.
import type { CommandRecord } from "../../background/command.ts";
import type { Commands } from "../../background/commands.ts";
import { commandTable, commandText } from "../../screen/commands/command-table.ts";
import type { Style } from "../../screen/style.ts";
import { visibleLine } from "../../screen/visible-text.ts";

export type CommandActions = { commands: Commands; style: Style; nowMs: () => number; columns?: () => number };

export const commandVerbs = ["stop", "show"] as const;

/** Returns the text to print. */
export function commandTask(verb: (typeof commandVerbs)[number], record: CommandRecord, { commands, nowMs }: CommandActions): string {
  const name = visibleLine(record.id);
  switch (verb) {
    case "stop":
      if (record.state !== "running") return `Command ${name} has ended already.`;
      commands.stop(record.id);
      return `Command ${name} is being stopped.`;
    case "show":
      return commandText({ record, lastLine: commands.lastLine(record.id) }, nowMs());
  }
}

/** Empty if there are none. */
export function commandList({ commands, style, nowMs, columns }: CommandActions): string {
  const all = commands.list();
  if (all.length === 0) return "";
  const shown = all.map((record) => ({ record, lastLine: commands.lastLine(record.id) }));
  return `${commandTable(shown, style, { nowMs: nowMs(), ...(columns && { columns: columns() }) })}\n\n${style.dim("/tasks stop <command>, /tasks show <command>")}`;
}

// /tasks of a session, of its commands in the background: beside its agents in the list, and what can be done with each.
import type { Commands } from "../../background/commands.ts";
import { commandTable, commandText } from "../../screen/command-table.ts";
import type { Style } from "../../screen/style.ts";
import { visibleLine } from "../../screen/visible-text.ts";

export type CommandDesk = { commands: Commands; style: Style; nowMs: () => number };

/** What is printed where the words are about a command: undefined where they are not. */
export function commandTask(words: string, { commands, nowMs }: CommandDesk): string | undefined {
  const [verb = "", id = ""] = words.trim().split(/\s+/);
  const record = commands.find(id);
  if (!record) return undefined;
  const name = visibleLine(record.id);
  switch (verb) {
    case "stop":
      if (record.state !== "running") return `Command ${name} has ended already.`;
      commands.stop(id);
      return `Command ${name} is being stopped.`;
    case "show":
      return commandText({ record, lastLine: commands.lastLine(id) }, nowMs());
    default:
      return `/tasks stop ${name}, /tasks show ${name}`;
  }
}

/** Empty where there are none. */
export function commandList({ commands, style, nowMs }: CommandDesk): string {
  const all = commands.list();
  if (all.length === 0) return "";
  const shown = all.map((record) => ({ record, lastLine: commands.lastLine(record.id) }));
  return `${commandTable(shown, style, nowMs())}\n\n${style.dim("/tasks stop <command>, /tasks show <command>")}`;
}

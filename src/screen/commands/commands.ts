// Slash commands: one table for the editor's completion, for /help and for running them. The opener of a session adds the commands that it supports;
// skills and /batch add theirs.

import { editDistance } from "../../wording/edit-distance.ts";
import { wrap } from "../line-widths.ts";

export type SlashCommand = {
  /** Without the slash. */
  name: string;
  /** The arguments as /help shows them, such as `[focus]`. */
  argument?: string;
  summary: string;
  /** Another name for the same, which only /help lists. */
  alias?: string;
  /** Where /help lists it; skills have none. */
  group?: CommandGroup;
  /** `argument` is trimmed and may be empty. An error is shown as the command's answer. */
  run(argument: string): void | Promise<void>;
};

/** In the order of /help. */
const groups = ["conversation", "model", "agents", "this session", "permissions", "skills"] as const;
export type CommandGroup = (typeof groups)[number];

export type SlashLine = { kind: "command"; command: SlashCommand; argument: string } | { kind: "unknown"; name: string; near: string[] };

/** Undefined if the line is not a slash command, such as the path `/etc/hosts` or a line with a blank before the slash. */
export function readSlashLine(line: string, commands: SlashCommand[]): SlashLine | undefined {
  const [, name, argument = ""] = /^\/([^\s/]+)(?:\s+(.*))?$/s.exec(line.trimEnd()) ?? [];
  if (name === undefined) return undefined;
  const command = commandNamed(name, commands);
  if (command) return { kind: "command", command, argument: argument.trim() };
  if (!/^[a-z][\w:-]*$/i.test(name)) return undefined;
  return {
    kind: "unknown",
    name,
    near: commands.filter((candidate) => isMeant(candidate.name, name.toLowerCase())).map((near) => near.name),
  };
}

/** In any case, or by its alias. */
function commandNamed(name: string, commands: SlashCommand[]): SlashCommand | undefined {
  const typed = name.toLowerCase();
  return commands.find((candidate) => candidate.name.toLowerCase() === typed || candidate.alias === typed);
}

/** `listed`: where all of them are listed. */
export function unknownCommandText({ name, near }: Extract<SlashLine, { kind: "unknown" }>, listed = "/help lists them all."): string {
  const advice = near.length > 0 ? `Did you mean ${near.map((other) => `/${other}`).join(" or ")}?` : listed;
  return `There is no command /${name}. ${advice} To send a line that begins with a slash, put a space before it.`;
}

const usage = ({ name, argument }: SlashCommand) => `/${name}${argument ? ` ${argument}` : ""}`;

/** One line for each command, in the given order. */
export function allCommandsText(commands: SlashCommand[]): string {
  const widest = Math.max(...commands.map((command) => usage(command).length));
  return commands.map((command) => `  ${usage(command).padEnd(widest)}  ${command.summary}`).join("\n");
}

/** The commands of each group on a line, within the width of a small terminal. */
export function groupsText(commands: SlashCommand[]): string {
  return groups
    .flatMap((group) => {
      const members = commands.filter(({ alias, group: own = "skills" }) => alias === undefined && own === group);
      return members.length === 0
        ? []
        : [wrap(`  ${group.padEnd(16)}  ${members.map(({ name }) => `/${name}`).join("  ")}`, helpWidth, 20)];
    })
    .join("\n");
}

const helpWidth = 79;

/** Names that people bring from other tools. */
const namesElsewhere: Record<string, string> = {
  new: "clear",
  reset: "clear",
  continue: "resume",
  sessions: "resume",
  undo: "rewind",
  usage: "cost",
  stats: "cost",
  config: "status",
  settings: "status",
  approvals: "permissions",
  sandbox: "permissions",
  plan: "mode",
  think: "effort",
  memory: "init",
  ps: "tasks",
};

function isMeant(name: string, typed: string): boolean {
  if (Object.hasOwn(namesElsewhere, typed)) return namesElsewhere[typed] === name;
  return name.startsWith(typed) || typed.startsWith(name) || editDistance(name, typed) <= Math.max(1, name.length / 3);
}

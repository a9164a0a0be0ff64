// Slash commands: one table for the editor's completion, for /help and for running them. The opener of a session adds the commands that it supports;
// skills and /batch add theirs.
import { editDistance } from "../../tools/edit-distance.ts";

export type SlashCommand = {
  /** Without the slash. */
  name: string;
  /** The arguments as /help shows them, such as `[focus]`. */
  argument?: string;
  summary: string;
  /** `argument` is trimmed and may be empty. An error is shown as the command's answer. */
  run(argument: string): void | Promise<void>;
};

export type SlashLine = { kind: "command"; command: SlashCommand; argument: string } | { kind: "unknown"; name: string; near: string[] };

/** Undefined if the line is not a slash command, such as the path `/etc/hosts` or a line with a blank before the slash. */
export function readSlashLine(line: string, commands: SlashCommand[]): SlashLine | undefined {
  const [, name, argument = ""] = /^\/([^\s/]+)(?:\s+(.*))?$/s.exec(line.trimEnd()) ?? [];
  if (name === undefined) return undefined;
  const command = commands.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
  if (command) return { kind: "command", command, argument: argument.trim() };
  if (!/^[a-z][\w:-]*$/i.test(name)) return undefined;
  return {
    kind: "unknown",
    name,
    near: commands.filter((candidate) => isNear(candidate.name, name.toLowerCase())).map((near) => near.name),
  };
}

export function unknownCommandText({ name, near }: Extract<SlashLine, { kind: "unknown" }>): string {
  const advice = near.length > 0 ? `Did you mean ${near.map((other) => `/${other}`).join(" or ")}?` : "All of them: /help.";
  return `There is no command /${name}. ${advice} To send a line that begins with a slash, put a space before it.`;
}

/** One line for each command, in the given order. */
export function helpText(commands: SlashCommand[]): string {
  const usage = commands.map(({ name, argument }) => `/${name}${argument ? ` ${argument}` : ""}`);
  const widest = Math.max(...usage.map((text) => text.length));
  return commands.map(({ summary }, index) => `  ${usage[index]!.padEnd(widest)}  ${summary}`).join("\n");
}

function isNear(name: string, typed: string): boolean {
  return name.startsWith(typed) || typed.startsWith(name) || editDistance(name, typed) <= 2;
}

// Slash commands: one table, read by the editor's completion, by /help and by what runs them. Who opens a session joins the commands
// that it can serve; skills and /batch join theirs.
import { editDistance } from "../tools/edit-distance.ts";

export type SlashCommand = {
  /** Without the slash. */
  name: string;
  /** What may follow, as /help shows it: `[focus]`. */
  argument?: string;
  summary: string;
  /** `argument` is trimmed; empty when there is none. What it throws is shown as its answer. */
  run(argument: string): void | Promise<void>;
};

export type SlashLine = { kind: "command"; command: SlashCommand; argument: string } | { kind: "unknown"; name: string; near: string[] };

/** Undefined for a line that is no slash command: a path such as `/etc/hosts` is none, nor is a line with a blank before the slash. */
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

/** One line for each command, sorted as given. */
export function helpText(commands: SlashCommand[]): string {
  const usage = commands.map(({ name, argument }) => `/${name}${argument ? ` ${argument}` : ""}`);
  const widest = Math.max(...usage.map((text) => text.length));
  return commands.map(({ summary }, index) => `  ${usage[index]!.padEnd(widest)}  ${summary}`).join("\n");
}

function isNear(name: string, typed: string): boolean {
  return name.startsWith(typed) || typed.startsWith(name) || editDistance(name, typed) <= 2;
}

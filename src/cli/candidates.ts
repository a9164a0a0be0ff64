// Computes from the command tree what may come next on a command line, for shell completion.
import type { Argument, Command, Option } from "commander";

export type Candidate = { value: string; description: string };

/** Values that must be looked up, on disk or in a list elsewhere in the program. */
export type ValueKind =
  | "teams"
  | "resumableTeams"
  | "resumableBatches"
  | "retriableBatches"
  | "members"
  | "teammates"
  | "recipients"
  | "tasks"
  | "displays"
  | "places"
  | "statuses"
  | "requests"
  | "definitions"
  | "settings"
  | "settingValues"
  | "sessions"
  | "models"
  | "changes";

export type Next = {
  /** Candidates from the command tree itself. */
  candidates: Candidate[];
  /** Values to look up; `team` is set if the line names a team, `first` if the command has an argument already. */
  values?: { kind: ValueKind; team: string | undefined; first: string | undefined };
  /** The part of the last word before the completed part, such as `--team=` or `task-1,`. */
  before: string;
};

/** `words`: the line without the program's name; the last word is being completed and may be empty. */
export function nextOn(root: Command, words: string[]): Next {
  const line = readLine(root, words.slice(0, -1));
  const word = words.at(-1) ?? "";
  const team = line.given.get("--team");
  const values = (slot: Slot, before: string) => ({ ...valuesOf(slot, { team, first: line.operands[0] }), before });
  // bash treats `=` as a word of its own.
  if (line.awaiting && takesAsValue(line.awaiting, word))
    return values({ option: line.awaiting }, lists.has(line.awaiting.long ?? "") ? upToComma(word) : "");
  const assigned = /^(--[\w-]+=)(.*)$/.exec(word);
  if (assigned?.[1]) {
    const option = findOption(line.command, assigned[1].slice(0, -1));
    const inList = option && lists.has(option.long ?? "") ? upToComma(assigned[2] ?? "") : "";
    return option ? values({ option }, assigned[1] + inList) : nothing;
  }
  if (word.startsWith("-") && !line.optionsEnded) return { candidates: optionsOf(line.command, line.given), before: "" };
  if (line.command.parent === root && line.command.name() === "help") return { ...nothing, candidates: helped(root, words) };
  const argument = line.command.registeredArguments[line.operands.length];
  const commands = line.operands.length === 0 && !line.optionsEnded ? commandsOf(line.command) : [];
  const next = argument ? valuesOf({ argument }, { team, first: line.operands[0] }) : nothing;
  return { ...next, candidates: [...commands, ...next.candidates], before: "" };
}

/** After `help`: the names of commands and of other help topics. */
function helped(root: Command, words: string[]): Candidate[] {
  const path = words.slice(words.indexOf("help") + 1, -1);
  const command = path.reduce<Command | undefined>((at, word) => at?.commands.find((child) => child.name() === word), root);
  const modes = { value: "modes", description: "when to use one agent, sub-agents or a team" };
  return [...(command ? commandsOf(command) : []), ...(path.length === 0 ? [modes] : [])];
}

const nothing: Next = { candidates: [], before: "" };

/** Keyed by the option's long name, by the whole option if the same name means something else in another command, or by the argument's name. */
const kinds: Record<string, ValueKind> = {
  "--team": "teams",
  "--resume [team]": "resumableTeams",
  "--resume <id>": "resumableBatches",
  "-r, --resume [id]": "sessions",
  "--retry": "retriableBatches",
  "--as": "members",
  "--assignee": "teammates",
  "--depends": "tasks",
  "--display": "displays",
  "--model": "models",
  "--fallback-model": "models",
  "--place": "places",
  "--places": "places",
  "--status": "statuses",
  team: "teams",
  to: "recipients",
  id: "tasks",
  request: "requests",
  definition: "definitions",
  place: "places",
  setting: "settings",
  value: "settingValues",
  changes: "changes",
};

/** Options with several values, separated by commas. */
const lists = new Set(["--depends", "--places"]);

/** The words before the completed one. `given`: options by long name. `operands`: the arguments of the command. */
type Line = { command: Command; operands: string[]; given: Map<string, string>; awaiting: Option | undefined; optionsEnded: boolean };

function readLine(root: Command, words: string[]): Line {
  const line: Line = { command: root, operands: [], given: new Map(), awaiting: undefined, optionsEnded: false };
  for (const word of words) {
    if (line.awaiting && word === "=") continue;
    const option = line.awaiting;
    line.awaiting = undefined;
    if (option && takesAsValue(option, word)) line.given.set(option.long ?? "", word);
    else if (line.optionsEnded || !word.startsWith("-")) readOperand(line, word);
    else if (word === "--") line.optionsEnded = true;
    else readOption(line, word);
  }
  return line;
}

function readOperand(line: Line, word: string): void {
  const command =
    line.operands.length === 0 && !line.optionsEnded ? line.command.commands.find((child) => child.name() === word) : undefined;
  if (command) line.command = command;
  else line.operands.push(word);
}

function readOption(line: Line, word: string): void {
  const [name = "", ...value] = word.split("=");
  const option = findOption(line.command, name);
  if (!option) return;
  if (!option.required || value.length > 0) line.given.set(option.long ?? "", value.join("="));
  if ((option.required || option.optional) && value.length === 0) line.awaiting = option;
}

/** Whether the word after this option is its value. If the value is optional, a word that looks like an option is not. */
function takesAsValue(option: Option, word: string): boolean {
  return option.required || !word.startsWith("-");
}

function findOption(command: Command, name: string): Option | undefined {
  return command.options.find((option) => option.long === name || option.short === name);
}

type Slot = { option: Option } | { argument: Argument };

function valuesOf(slot: Slot, line: { team: string | undefined; first: string | undefined }): Omit<Next, "before"> {
  const choices = "option" in slot ? slot.option.argChoices : slot.argument.argChoices;
  if (choices) return { candidates: choices.map((value) => ({ value, description: "" })) };
  const kind = "option" in slot ? (kinds[slot.option.flags] ?? kinds[slot.option.long ?? ""]) : kinds[slot.argument.name()];
  return { candidates: [], ...(kind && { values: { kind, ...line } }) };
}

/** Options that were not given yet, and those that may be repeated. */
function optionsOf(command: Command, given: ReadonlyMap<string, string>): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => !given.has(option.long ?? "") || Array.isArray(command.getOptionValue(option.attributeName())))
    .map(({ long, short, description }) => ({ value: long ?? short ?? "", description }));
}

function commandsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((child) => ({ value: child.name(), description: child.description() }));
}

function upToComma(word: string): string {
  return word.slice(0, word.lastIndexOf(",") + 1);
}

// The state of the walk through a script at one point.
import type { SimpleCommand } from "./analysis.ts";
import type { Known } from "./expand.ts";
import type { Variables } from "./variables.ts";

export type State = {
  /** For the user; see `SimpleCommand.where`. */
  where: string;
  parent?: SimpleCommand;
  /** The parent runs the commands that follow, as its text; see `SimpleCommand.isRun`. */
  isRun?: true;
  /** Where the command may run: "" is where it started, undefined is anywhere. */
  folders: (string | undefined)[];
  known: Known;
  /** The input, if it is neither the terminal nor empty. */
  stdin?: Stdin;
  depth: number;
};

/** `text`: the whole input, if known. */
export type Stdin = { text?: string };

export type Walk = {
  commands: SimpleCommand[];
  variables: Variables;
  /** Why the whole text cannot be relied on. */
  faults: string[];
  functions: Set<string>;
  /** A redirection opens a file, not only devices. */
  opensFile?: boolean;
  /** Results by the text of a command, so that a repeated one is analysed once. */
  seen: Map<string, Seen>;
  /** Parses a text that a command receives, and walks through it. */
  script: (text: string, state: State) => void;
  /** Finds out about a command that `begun` has added, and adds every command that it is known to run. */
  simple: (command: SimpleCommand, state: State) => void;
};

/** The result for one command of the tree with all that it runs, how many of the tree were visited, and the inputs that it depends on. */
export type Seen = { commands: SimpleCommand[]; visited: number; state: State; functions: number; counted: number; wordsChange: boolean };

/** Adds a command before its program is looked up, so that commands inside its words follow it and can name their parent. */
export function begun(
  { commands }: Walk,
  { text, words = [], assignments = [], files = [] }: Pick<SimpleCommand, "text"> & Partial<SimpleCommand>,
  { where, parent, isRun }: State,
): SimpleCommand {
  const command: SimpleCommand = { text, where, parent, isRun, words, assignments, files, looks: false, possibleCommands: [] };
  commands.push(command);
  return command;
}

const mostFolders = 4;

/** Field by field, so that all states have the same shape: they are copied at every step. */
export function copyOf({ where, parent, isRun, folders, known, stdin, depth }: State): State {
  return { where, parent, isRun, folders, known, stdin, depth };
}

/** The state for commands inside a command, or run by it. */
export function stateInside({ where, folders, known, stdin, depth }: State, parent: SimpleCommand): State {
  return { where, parent, isRun: undefined, folders, known, stdin, depth };
}

/** Merges the states after several branches, when the branch that was taken is unknown. */
export function join(state: State, ways: State[]): void {
  state.folders = ways.map(({ folders }) => folders).reduce(either);
}

/** The folders of both: a command that goes to another folder may fail, or not run at all. */
export const either = (one: State["folders"], other: State["folders"]): State["folders"] =>
  one === other ? one : someOf([...one, ...other]);

export function someOf(folders: State["folders"]): State["folders"] {
  const all = [...new Set(folders)];
  return all.length > mostFolders || all.includes(undefined) ? [undefined] : all;
}

/** Whether the same command has the same result in both states. */
export const sameState = (one: State, other: State): boolean =>
  one.where === other.where &&
  one.parent === other.parent &&
  one.isRun === other.isRun &&
  one.depth === other.depth &&
  one.stdin?.text === other.stdin?.text &&
  !one.stdin === !other.stdin &&
  one.known === other.known &&
  (one.folders === other.folders || one.folders.join("\0") === other.folders.join("\0"));

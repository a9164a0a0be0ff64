// The state of the walk through a script at one point.
import type { SimpleCommand } from "./analysis.ts";
import type { Variables } from "./variables.ts";

export type State = {
  /** For the user; see `SimpleCommand.where`. */
  where: string;
  parent?: SimpleCommand;
  /** The parent runs the commands that follow, as its text; see `SimpleCommand.isRun`. */
  isRun?: true;
  /** Where the command may run: "" is where it started, undefined is anywhere. */
  folders: (string | undefined)[];
  /** Variables that have certainly been set by now. Sets are replaced, never changed, so that states can share them. */
  definite: ReadonlySet<string>;
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
export function copyOf({ where, parent, isRun, folders, definite, stdin, depth }: State): State {
  return { where, parent, isRun, folders, definite, stdin, depth };
}

/** The state for commands inside a command, or run by it. */
export function stateInside({ where, folders, definite, stdin, depth }: State, parent: SimpleCommand): State {
  return { where, parent, isRun: undefined, folders, definite, stdin, depth };
}

export function withNames(set: ReadonlySet<string>, names: string[]): ReadonlySet<string> {
  return names.every((name) => set.has(name)) ? set : new Set([...set, ...names]);
}

/** Merges the states after several branches, when the branch that was taken is unknown. */
export function join(state: State, ways: State[]): void {
  if (ways.every((way) => way.folders === state.folders && way.definite === state.definite)) return;
  state.folders = someOf(ways.flatMap(({ folders }) => folders));
  state.definite = inAll(ways.map(({ definite }) => definite));
}

/** A command that changes the folder may fail, and then it is as `before`. What it sets, it sets either way. */
export function mayFail(state: State, before: State["folders"]): void {
  if (state.folders !== before) state.folders = someOf([...before, ...state.folders]);
}

export function someOf(folders: (string | undefined)[]): (string | undefined)[] {
  if (folders.length < 2) return folders;
  const all = [...new Set(folders)];
  return all.length > mostFolders || all.includes(undefined) ? [undefined] : all;
}

function inAll(sets: ReadonlySet<string>[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = sets;
  if (others.every((other) => other === first)) return first;
  const shared = [...first].filter((each) => others.every((other) => other.has(each)));
  return shared.length === first.size ? first : new Set(shared);
}

/** Whether the same command has the same result in both states. */
export const sameState = (one: State, other: State): boolean =>
  one.where === other.where &&
  one.parent === other.parent &&
  one.isRun === other.isRun &&
  one.depth === other.depth &&
  one.stdin?.text === other.stdin?.text &&
  !one.stdin === !other.stdin &&
  one.folders.join("\0") === other.folders.join("\0") &&
  (one.definite === other.definite ||
    (one.definite.size === other.definite.size && [...one.definite].every((name) => other.definite.has(name))));

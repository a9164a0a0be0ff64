// What the walk through a script knows at one place of it.
import type { FileUse, Listed, SimpleCommand, Word } from "./analysis.ts";
import type { Variables } from "./variables.ts";

export type State = {
  /** For a person; see `SimpleCommand.where`. */
  where: string;
  parent?: SimpleCommand;
  /** Where the command may be: "" is where it started; undefined stands for anywhere. */
  folders: (string | undefined)[];
  /** Names that have certainly been given a value by now. Sets are replaced and never changed, so that states may share them. */
  definite: ReadonlySet<string>;
  /** Functions that are certainly defined by now. */
  functions: ReadonlySet<string>;
  /** What is read from when it is neither the terminal nor nothing. */
  stdin?: Stdin;
  depth: number;
};

/**
 * `text` is all that is read, when it is known; `listed`: it is names of files; `prefixed`: each begins with its root; `splits`: they are
 * taken apart at blanks.
 */
export type Stdin = { text?: string; listed?: Listed; prefixed?: true; splits?: boolean };

/** What is gathered on the way. */
export type Walk = {
  commands: SimpleCommand[];
  variables: Variables;
  /** Why the whole text cannot be relied on. */
  faults: string[];
  /** Names of functions of the text. */
  functions: Set<string>;
  /** By their text: what a loop or a list repeats is looked at once. */
  seen: Map<string, Seen>;
  /** Parses a text that a command is given, and walks through it. */
  script: (text: string, state: State) => void;
  /** Adds one simple command, and what it is known to run in turn. */
  simple: (made: MadeCommand, state: State) => void;
};

/** What one command of the tree came to: itself and all that it runs; `visited` commands of the tree. All else is what decided it. */
export type Seen = { commands: SimpleCommand[]; visited: number; state: State; functions: number; counted: number; wordsChange: boolean };

/** A simple command before anything is known of its program. */
export type MadeCommand = {
  text: string;
  words: Word[];
  assignments: { name: string; value?: string }[];
  files: FileUse[];
  unclear?: string;
  offset?: number;
  /** Made already, so that what stands inside its words could name its parent. */
  command?: SimpleCommand;
};

const mostFolders = 4;

/** Where the text begins. */
export function initialState(): State {
  return { where: "", parent: undefined, folders: [""], definite: new Set(), functions: new Set(), stdin: undefined, depth: 0 };
}

/** Field by field, so that all states are of one make: they are copied at every turn. */
export function copyOf({ where, parent, folders, definite, functions, stdin, depth }: State): State {
  return { where, parent, folders, definite, functions, stdin, depth };
}

/** For what stands inside of a command, or is run by it. */
export function stateInside(state: State, parent: SimpleCommand): State {
  const inside = copyOf(state);
  inside.parent = parent;
  return inside;
}

export function withNames(set: ReadonlySet<string>, names: string[]): ReadonlySet<string> {
  return names.every((name) => set.has(name)) ? set : new Set([...set, ...names]);
}

/** After one of several ways was taken, and it is not known which. */
export function join(state: State, ways: State[]): void {
  state.folders = someOf(ways.flatMap(({ folders }) => folders));
  state.definite = inAll(ways.map(({ definite }) => definite));
  state.functions = inAll(ways.map(({ functions }) => functions));
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

/** Whether the same command comes to the same in both. */
export function sameState(one: State, other: State): boolean {
  return (
    one.where === other.where &&
    one.parent === other.parent &&
    one.depth === other.depth &&
    sameNames(one.definite, other.definite) &&
    sameNames(one.functions, other.functions) &&
    one.folders.length === other.folders.length &&
    one.folders.every((folder, at) => folder === other.folders[at]) &&
    sameInput(one.stdin, other.stdin)
  );
}

function sameNames(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one === other || (one.size === other.size && [...one].every((name) => other.has(name)));
}

function sameInput(one: Stdin | undefined, other: Stdin | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

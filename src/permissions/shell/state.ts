// What the walk through a script knows at one place of it.
import type { FileUse, SimpleCommand, Word } from "./analysis.ts";
import type { Variables } from "./variables.ts";

export type State = {
  /** For a person; see `SimpleCommand.where`. */
  where: string;
  parent?: number;
  /** Where the command may be: "" is where it started; undefined stands for anywhere. */
  folders: (string | undefined)[];
  definite: Set<string>;
  /** Functions that are certainly defined by now. */
  functions: Set<string>;
  /** What is read from when it is neither the terminal nor nothing. */
  stdin?: Stdin;
  depth: number;
};

/** `text` is all that is read, when it is known; `roots` are folders below which all names lie that are read; `prefixed`: each begins with its root. */
export type Stdin = { text?: string; roots?: string[]; prefixed?: true };

/** What is gathered on the way. */
export type Walk = {
  commands: SimpleCommand[];
  variables: Variables;
  /** Why the whole text cannot be relied on. */
  faults: string[];
  /** Names of functions of the text. */
  functions: Set<string>;
  /** Parses a text that a command is given, and walks through it. */
  script: (text: string, state: State) => void;
  /** Adds one simple command, and what it is known to run in turn. */
  simple: (made: MadeCommand, state: State) => number;
};

/** A simple command before anything is known of its program. */
export type MadeCommand = {
  text: string;
  words: Word[];
  assignments: { name: string; value?: string }[];
  files: FileUse[];
  unclear?: string;
  offset?: number;
  /** The place that is kept for it. */
  place?: number;
};

const mostFolders = 4;

export function copyOf(state: State): State {
  return { ...state, folders: [...state.folders], definite: new Set(state.definite), functions: new Set(state.functions) };
}

/** After one of several ways was taken, and it is not known which. */
export function join(state: State, ways: State[]): void {
  state.folders = someOf(ways.flatMap(({ folders }) => folders));
  state.definite = inAll(ways.map(({ definite }) => definite));
  state.functions = inAll(ways.map(({ functions }) => functions));
}

export function someOf(folders: (string | undefined)[]): (string | undefined)[] {
  const all = [...new Set(folders)];
  return all.length > mostFolders || all.includes(undefined) ? [undefined] : all;
}

function inAll(sets: Set<string>[]): Set<string> {
  const [first = new Set<string>(), ...others] = sets;
  return new Set([...first].filter((each) => others.every((other) => other.has(each))));
}

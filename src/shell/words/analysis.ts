// The analysis of a command text: every simple command that can run, directly or through another, and the files that are named.
import type { Access } from "../../permissions/call.ts";

/** Pure data, made by `analyseCommand`. Repeated commands are the same object. */
export type Analysis = {
  /** The whole text. */
  text: string;
  /** In the order of the text; a command run by another one follows it. */
  commands: SimpleCommand[];
  /** Why the text as a whole cannot be relied on: it does not parse, has invisible characters, or is too long. */
  unclear?: string;
};

export type SimpleCommand = {
  /** As written, for the user and for exact rules. */
  text: string;
  /** For the user: "" for the text itself, else "inside $( … )", "given to sh -c", "run by xargs". */
  where: string;
  /** The command that contains or runs this one. */
  parent?: SimpleCommand;
  /** The index of its first word among the parent's words; it extends to the parent's end. */
  offset?: number;
  /** The program and its arguments after expansion by the shell. */
  words: Word[];
  assignments: Assignment[];
  files: FileUse[];
  /** Why no wildcard may allow it. */
  unclear?: string;
  /** Uses of the program that run, write or fetch something: a wildcard rule does not cover them, an exact rule does. */
  hazards: Hazard[];
  /** Other repositories that git talks to: hazards, unless they are configured. */
  repositories: OtherRepository[];
  /** It changes nothing and needs no rule of its own if another part is allowed: `cd`, `echo`, `timeout 5` before a command. */
  harmless: boolean;
  /** It only does what `files` says: it needs no rule if each of them may be read or changed. */
  plain: boolean;
  /** The same inside the sandbox: settings of the tree may make it start programs. */
  plainInside: boolean;
  /** It only prints, or sets variables, by code that the tree can replace: it needs no rule once code of the tree may run. */
  followsTree: boolean;
  /** Known to change nothing, with any operands. */
  readOnly: boolean;
  /** The text it reads from standard input, if the command contains that. */
  stdinText?: string;
  /** A rule that covers it also covers the commands that it runs. */
  coversChildren?: true;
  /** The program is in no table: any of its words may be a program that it runs. */
  unknownProgram?: true;
  /** Names among its words that a shell or xargs splits at spaces: a name with a space becomes several words. */
  splits?: Named[];
  /** Commands that it might run, when that cannot be determined: deny and ask rules apply to them too. */
  possibleCommands: Word[][];
};

/** Why `source` is unclear; a rule for exactly this text was written for that file. */
export const runsFile = "it runs a file in this shell";

/**
 * `at` is the index of the word that causes it; a rule that spells out that word and its value covers it. `unseen`: it runs something that
 * the command does not show. `exactOnly`: spelling it out is not enough. `code`: an option by which a language gets source code; a rule
 * that ends in the option means exactly that.
 */
export type Hazard = { at: number; option: boolean; does: string; unseen?: true; exactOnly?: true; code?: true };

/** `repository`: its name or address; absent if unknown, or if it cannot be configured. */
export type OtherRepository = Hazard & { repository?: string };

/** One word after expansion, as far as that is known before the command runs. */
export type Word = {
  /** As written. */
  text: string;
  /** The value, if it is known and there is only one. */
  value?: string;
  /** All possible values, if they are known. */
  choices?: string[];
  /** A known prefix of the value. */
  start: string;
  /** It may expand to no word, or to several. */
  many?: boolean;
  /** A glob pattern that the shell expands to file names; `value` is absent then. */
  pattern?: string;
  /** It is one of these glob patterns; `pattern` is the first. */
  patterns?: string[];
  /** The path it names, relative to where the whole command started, if the value itself is unknown: `$PWD/a`. */
  place?: string;
  /** Names that another command prints: `$(git ls-files)`. */
  listed?: Listed;
  /** Its names are split at spaces and expanded as globs again: `$f` without quotes. */
  splits?: boolean;
  /** It begins with an unquoted tilde, kept in `value` as `~` or `~/…`: the user's home. */
  home?: boolean;
  /** The id of the last process that this text started: `$!`, or a variable that only ever gets that. */
  job?: true;
};

/**
 * Names of files below `roots`, relative to the folder where the search ran. `prefixed`: each begins with its root; `loose`: among other
 * words; `outputs`: only build outputs; `descends`: no name leads up, so that behind a folder it names something below that folder.
 */
export type Listed = {
  roots: string[];
  from: (string | undefined)[];
  prefixed?: true;
  loose?: true;
  outputs?: true;
  descends?: true;
};

/** A path, a glob, or everything below a path. */
export type Named = Pick<FileUse, "path" | "pattern" | "recursive" | "outputs">;

export type Assignment = { name: string; value?: string };

export type FileUse = {
  access: Access;
  /**
   * Relative to where the whole command started, or absolute, or `~/…` for the user's home; absent: not known before it runs. Not
   * normalised: in `link/../x` the kernel follows the link first.
   */
  path?: string;
  /** `path` is a glob (`src/*.ts`) and stands for each file that matches. */
  pattern?: true;
  /** Includes everything below, as in `grep -r`. */
  recursive?: true;
  /** Only build outputs below the path, which can be created again. */
  outputs?: true;
  /**
   * A word that an unknown program may use as a file: only rules that deny or ask for the path by name apply, no defaults. `possible`: it
   * may also be no file, or not be used in this way, so a deny rule only asks.
   */
  mention?: "named" | "possible";
  /** The program's purpose is to change this file, so a rule for the program is enough where the default would ask. */
  purpose?: true;
};

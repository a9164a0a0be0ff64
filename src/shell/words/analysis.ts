// What a command text comes to: every simple command that can run, whoever starts it, and the files that are named.
import type { Access } from "../../permissions/call.ts";

/** Pure data, made by `analyseCommand`. What the text repeats is one and the same command each time. */
export type Analysis = {
  /** The whole text as it was given. */
  text: string;
  /** In the order of the text; a command given to another one stands behind it. */
  commands: SimpleCommand[];
  /** Why the text as a whole cannot be relied on: it does not parse, has invisible characters, is too long. */
  unclear?: string;
};

export type SimpleCommand = {
  /** As written, for a person and for exact rules. */
  text: string;
  /** For a person: "" for the text itself, else "inside $( … )", "given to sh -c", "run by xargs". */
  where: string;
  /** The one that this one is a part of. */
  parent?: SimpleCommand;
  /** Its first word is this one of its parent's, whose words run on to its own end. */
  offset?: number;
  /** The program and its arguments as the shell would make them. */
  words: Word[];
  assignments: Assignment[];
  files: FileUse[];
  /** Why no wildcard may allow it. */
  unclear?: string;
  /** Uses of the program that run, write or fetch something: a wildcard does not cover them, an exact rule does. */
  hazards: Hazard[];
  /** Other repositories that git talks to: as hazards, unless they are configured. */
  repositories: OtherRepository[];
  /** It changes nothing and needs no rule of its own as long as another part is allowed: `cd`, `echo`, `timeout 5` before a command. */
  harmless: boolean;
  /** It does nothing but what is done to `files`: it needs no rule where each of them may be read or changed. */
  plain: boolean;
  /** The same where the sandbox confines it: it follows what the tree says of programs. */
  plainInside: boolean;
  /** Known to change nothing, whatever its operands are. */
  readOnly: boolean;
  /** What it reads instead of the terminal, where the text has it. */
  stdinText?: string;
  /** A rule that covers it covers what it runs as well. */
  coversChildren?: true;
  /** No table knows its program: any of its words may be a program that it runs. */
  unknownProgram?: true;
  /** Names among its words that a shell or xargs splits at blanks: where one of them has any, other words are made of it. */
  splits?: Named[];
  /** What may be run by it, where that cannot be read for certain: deny and ask rules look there too. */
  possibleCommands: Word[][];
};

/** Why `source` is not clear; a rule for exactly this text knows which file it is. */
export const runsFile = "it runs a file in this shell";

/** `at` is the place of the word that makes it so; a rule that spells that word and its value out has taken it into account. `unseen`: it runs what it is told there. `exactOnly`: nobody has, whatever is spelled out. `code`: the option by which a language is handed its program, which a rule that spells it means. */
export type Hazard = { at: number; option: boolean; does: string; unseen?: true; exactOnly?: true; code?: true };

/** `repository`: its name or address; absent if that is not known or cannot be configured. */
export type OtherRepository = Hazard & { repository?: string };

/** One word after expansion, as far as it is known before the command runs. */
export type Word = {
  /** As written. */
  text: string;
  /** The whole value, when it is known and there is only one. */
  value?: string;
  /** All values that it can have, when they are known. */
  choices?: string[];
  /** How the value begins for certain. */
  start: string;
  /** It may become no word, or several. */
  many?: boolean;
  /** A pattern that the shell replaces by names of files; `value` is then absent. */
  pattern?: string;
  /** It is one of these patterns; `pattern` is the first. */
  patterns?: string[];
  /** The place that it names, seen from where the whole command started, where the value itself is not known: `$PWD/a`. */
  place?: string;
  /** Names that another command prints: `$(git ls-files)`. */
  listed?: Listed;
  /** The names that it stands for are split at blanks, and their signs are patterns again: `$f` without quotes. */
  splits?: boolean;
  /** It begins with an unquoted tilde, kept in `value` as `~` or `~/…`: the person's home. */
  home?: boolean;
  /** The process that this very text started last: `$!`, or a name that is given nothing else. */
  job?: true;
};

/** Names of files below these places, as seen from the folder in which they were looked for. `prefixed`: each begins with its root; `loose`: among other words; `outputs`: of what tools have made. */
export type Listed = { roots: string[]; from: (string | undefined)[]; prefixed?: true; loose?: true; outputs?: true };

/** A place, a pattern of names, or all that lies below a place. */
export type Named = Pick<FileUse, "path" | "pattern" | "recursive" | "outputs">;

export type Assignment = { name: string; value?: string };

export type FileUse = {
  access: Access;
  /**
   * From where the whole command started, or absolute, or `~/…` for the person's home; absent: not known before it runs.
   * Not normalised: `link/../x` lies where the kernel finds it and not beside `link`.
   */
  path?: string;
  /** `path` is a pattern of names (`src/*.ts`), and each file that fits is meant. */
  pattern?: true;
  /** Everything below is meant as well, as in `grep -r`. */
  recursive?: true;
  /** Of what lies below, nothing but what tools have made and make again. */
  outputs?: true;
  /**
   * A word that may be a file to a program that is not known here: only what forbids or asks by name counts, no default. `possible`: it
   * may as well be none, or not be touched in this way, so what forbids only asks.
   */
  mention?: "named" | "possible";
  /** The program is there to change this file, so a rule that allows the program is enough where the default would be to ask. */
  purpose?: true;
};

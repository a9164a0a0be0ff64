// The analysis of a command text: every simple command that can run, directly or through another, and the files that are named.
import type { Access } from "../../permissions/call.ts";

/** Pure data, made by `analyseCommand`. Repeated commands are the same object. */
export type Analysis = {
  text: string;
  /** In the order of the text; a command run by another one follows it. */
  commands: SimpleCommand[];
  /** Whether the text does no more than its commands say. Nothing else is known to only look where no sandbox confines it. */
  plain: boolean;
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
  /** The parent runs it: the parent's words name it, and it is not inside one of them as in `$( … )`. */
  isRun?: true;
  /** The program and its arguments after expansion by the shell. */
  words: Word[];
  assignments: Assignment[];
  files: FileUse[];
  unclear?: string;
  /** It only reads or changes `files`, or passes words on: no rule is needed if each may be. `stages`: it also changes git's index. */
  looks: boolean | "stages";
  /** The text it reads from standard input, if the command contains that. */
  stdinText?: string;
  /** Commands that it might run, when that cannot be determined: deny and ask rules apply to them too. */
  possibleCommands: Word[][];
};

/** Why `source` is unclear; a rule for exactly this text was written for that file. */
export const runsFile = "it runs a file in this shell";

/** One word after expansion, as far as that is known before the command runs. */
export type Word = {
  text: string;
  /** The value, if it is known and there is only one. */
  value?: string;
  /** All possible values, if they are known. */
  choices?: string[];
  /** A known prefix of the value. */
  start: string;
  /** It may expand to no word, or to several. */
  many?: boolean;
  /** `choices` are glob patterns that the shell expands to file names; `value` is absent then. */
  pattern?: true;
  /** It begins with an unquoted tilde, kept in `value` as `~` or `~/…`: the user's home. */
  home?: boolean;
};

export type Named = Pick<FileUse, "path" | "pattern">;

export type Assignment = { name: string; value?: string };

export type FileUse = {
  access: Access;
  /** From where the whole command started, absolute, or `~/…`; absent: not known. `link/../x` stays, since the kernel follows the link. */
  path?: string;
  /** `path` is a glob (`src/*.ts`) and stands for each file that matches. */
  pattern?: true;
  /** Includes everything below, if it is a folder: as in `grep -r`, or also what links in it lead to, as in `diff`. */
  recursive?: true | "through links";
  /** The program may use the word as a file: as one path (`named`), or perhaps not at all (`possible`), where a deny rule only asks. */
  mention?: "named" | "possible";
  /** All that the command does is to change it, or put another in its place: a rule for it is enough where Write would be asked about. */
  purpose?: "changes" | "replaces";
  /** The settings of a repository, in which git sets what the command is for. */
  settings?: true;
  /** A redirection that does not append opens it: what it holds is gone. */
  emptied?: boolean;
};

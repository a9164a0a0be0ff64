// A program with its arguments. The subcommand is found once, for all tables that need it.
import type { Word } from "./analysis.ts";
import { subcommandAt } from "./subcommand.ts";

export type Invocation = {
  /** The name without its folder. */
  program: string;
  words: Word[];
  /** The index of the subcommand; undefined for programs without subcommands, or if there is none. */
  sub: number | undefined;
  /** The subcommand, if it is known. */
  verb: string | undefined;
};

/** The name of a program without its folder. */
export const nameOf = (program: string) => program.slice(program.lastIndexOf("/") + 1);

export function invocationOf(program: string, words: Word[]): Invocation {
  const sub = subcommandAt(program, words);
  return { program, words, sub, verb: sub === undefined ? undefined : words[sub]!.value };
}

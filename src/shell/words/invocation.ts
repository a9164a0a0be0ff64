// A program with the words that it is given. Which of them says what it is to do is asked by several tables, and found once.
import type { Word } from "./analysis.ts";
import { subcommandAt } from "./subcommand.ts";

export type Invocation = {
  /** The name without its folder. */
  program: string;
  words: Word[];
  /** The place of the word that names the subcommand; undefined for programs that have none, or when there is no such word. */
  sub: number | undefined;
  /** That word, as far as it is known. */
  verb: string | undefined;
};

export function invocationOf(program: string, words: Word[]): Invocation {
  const sub = subcommandAt(program, words);
  return { program, words, sub, verb: sub === undefined ? undefined : words[sub]!.value };
}

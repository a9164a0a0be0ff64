// Which words of a wrapper are about itself.
import type { Word } from "./analysis.ts";
import { readOptions } from "./options.ts";
import { wrappers } from "./wrappers.ts";

/** Behind the name of the command that it runs stand words that are not its own. For any other program: all. */
export function ownWords(program: string, words: Word[]): Word[] {
  const wrapper = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined;
  const inner = wrapper && readOptions(words, wrapper.options, { leading: true }).operands[wrapper.operands ?? 0];
  return inner === undefined ? words : words.slice(0, inner + 1);
}

// Which words of a wrapper belong to the wrapper itself.

import { subWrappers } from "../tables/sub-wrappers.ts";
import { wrappers } from "../tables/wrappers.ts";
import type { Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { readOptions } from "../words/options.ts";

/** Leaves out the words after the name of the command that it runs. For any other program: all words. */
export function ownWords({ program, words, sub, verb }: Invocation): Word[] {
  const runner = sub === undefined ? undefined : subWrappers.get(`${program} ${verb}`);
  const wrapper = runner?.runner ? runner : wrappers.get(program);
  if (!wrapper) return words;
  const { operands } = readOptions(words, wrapper.options, { leading: true, from: wrapper === runner ? sub! + 1 : 1 });
  const inner = operands[wrapper.operands ?? 0];
  return inner === undefined ? words : words.slice(0, inner + 1);
}

/** Leaves out the words after an interpreter's script. For any other program: all words. */
export function wordsBeforeScript(program: string, words: Word[]): Word[] {
  if (!interpreters.has(program)) return words;
  // After an option the word may be its value.
  const at = words.findIndex(({ value = "" }, index) => index > 0 && script.test(value) && (index === 1 || isOperand(words[index - 1]!)));
  return at === -1 ? words : words.slice(0, at + 1);
}

const interpreters = new Set("python python2 python3 pypy pypy3 node nodejs ruby perl php lua tsx ts-node".split(" "));

const script = /^[^-].*\.(py|[mc]?[jt]s|rb|pl|php|lua)$/s;

const isOperand = ({ value }: Word) => value !== undefined && !value.startsWith("-");

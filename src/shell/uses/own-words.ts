// Which words of a wrapper are about itself.

import { subWrappers } from "../tables/sub-wrappers.ts";
import { wrappers } from "../tables/wrappers.ts";
import type { Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { readOptions } from "../words/options.ts";

/** Behind the name of the command that it runs stand words that are not its own. For any other program: all. */
export function ownWords({ program, words, sub, verb }: Invocation): Word[] {
  const runner = sub === undefined ? undefined : subWrappers.get(`${program} ${verb}`);
  const wrapper = runner?.runner ? runner : wrappers.get(program);
  if (!wrapper) return words;
  const { operands } = readOptions(words, wrapper.options, { leading: true, from: wrapper === runner ? sub! + 1 : 1 });
  const inner = operands[wrapper.operands ?? 0];
  return inner === undefined ? words : words.slice(0, inner + 1);
}

/** What stands behind the file of an interpreter is for that to read. For any other program: all. */
export function wordsBeforeScript(program: string, words: Word[]): Word[] {
  if (!interpreters.has(program)) return words;
  // Behind an option it may be the value of that one.
  const at = words.findIndex(({ value = "" }, index) => index > 0 && script.test(value) && (index === 1 || isOperand(words[index - 1]!)));
  return at === -1 ? words : words.slice(0, at + 1);
}

const interpreters = new Set("python python2 python3 pypy pypy3 node nodejs ruby perl php lua tsx ts-node".split(" "));

const script = /^[^-].*\.(py|[mc]?[jt]s|rb|pl|php|lua)$/s;

const isOperand = ({ value }: Word) => value !== undefined && !value.startsWith("-");

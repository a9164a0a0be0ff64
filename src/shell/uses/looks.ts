// Recognizes read-only uses of language and system programs, from the table of such uses.
import { type LookRow, lookRows, names } from "../tables/looks.ts";
import type { Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { readOptions } from "../words/options.ts";

type Look = { words: string[]; where: LookRow[1]; options: string; operands: RegExp; most: number };

const table = new Map<string, Look[]>();
for (const [command, where, options, operands, most = Infinity] of lookRows)
  for (const words of spellings(command.split(" "))) {
    const [program = ""] = words;
    table.set(program, [...(table.get(program) ?? []), { words, where, options, operands, most }]);
  }

/** Where the command needs no rule, if its files may be read; undefined if it may do more than read. */
export function looksOnly({ program, words }: Invocation): LookRow[1] | undefined {
  const look = table.get(program)?.find((each) => each.words.every((word, at) => (at === 0 ? program : words[at]?.value) === word));
  if (!look) return undefined;
  const { operands, unknown } = readOptions(words, look.options, { from: look.words.length });
  const isOperand = ({ value, pattern, start }: Word) => {
    if (value !== undefined) return look.operands.test(value);
    // Names that a glob finds behind a folder are no options.
    const isPlace = look.operands === names && pattern !== undefined && start.includes("/");
    return look.operands.source === "^" || (isPlace && names.test(pattern.replaceAll(/[*?]/g, "x")));
  };
  return !unknown && operands.length <= look.most && operands.every((at) => isOperand(words[at]!)) ? look.where : undefined;
}

/** `npm ls,why` stands for two commands. */
function spellings([first = "", ...rest]: string[]): string[][] {
  const behind = rest.length > 0 ? spellings(rest) : [[]];
  return first.split(",").flatMap((word) => behind.map((others) => [word, ...others]));
}

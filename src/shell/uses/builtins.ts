// Shell builtins that run text, or change what later words mean.
import type { Word } from "../words/analysis.ts";
import type { Variables } from "../words/variables.ts";

/** Why no wildcard may allow this use of a builtin, or undefined. Where the text has arrays, bash evaluates values as lists. */
export function builtinRisk(program: string, words: Word[], { arrays }: Variables): string | undefined {
  if (program === "test" || program === "[")
    return isPlainTest(words.slice(1)) ? undefined : `${program} evaluates a name that is not plain`;
  const rule = risks.get(program);
  if (!rule) return undefined;
  const valued = (start: string) => (!arrays && program !== "printf" && /^[A-Za-z_]\w*=/.test(start) ? "x" : unknown);
  const text = words.slice(1).map(({ value, start }) => value?.replaceAll(/\s/g, "\u00A0") ?? `${start}${valued(start)}`);
  return rule.plain.test(text.join(" ")) ? undefined : rule.risk.replace(/^it\b/, program);
}

const unknown = "\uFFFD";

/** No word that is not known can be the operator -v, which evaluates what follows it: an operator does, or nothing. */
function isPlainTest(words: Word[]): boolean {
  const given = words.at(-1)?.value === "]" ? words.slice(0, -1) : words;
  return given.every(({ value, text, many }, at) => {
    if (/^-[vR]$/.test(given[at - 1]?.value ?? "")) return /^[A-Za-z_]\w*$/.test(value ?? "");
    const isOne = !many || /^"[^"@]*"$/.test(text);
    return value !== undefined || (isOne && (at === given.length - 1 || binary.test(given[at + 1]!.value ?? "")));
  });
}

const binary = /^(?:[=!]?=|[<>]|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o))$/;

/** `plain`: the words, joined by spaces, of a use that does nothing else. */
const table: [programs: string, plain: RegExp, risk: string][] = [
  ["alias enable hash", /^$/, "it changes what later words mean"],
  ["bind complete compgen compopt history suspend logout", /^$/, "it can run commands and write files"],
  ["fc let", /^(?!)/, "it can run commands"],
  ["shopt", /^(?:(?:-[squp]+|globstar|nullglob|failglob)(?: |$))*$/, "a setting of the shell changes"],
  ["set", /^(?:[-+](?:[eux]+|[eux]*o (?:errexit|nounset|pipefail|xtrace))(?: |$))*$/, "a setting of the shell changes"],
  ["printf", /^(?:-- |(?!-- ))(?!-[v\uFFFD]|[^ ]*(?:\uFFFD|(?<!%)(?:%%)*%[-#'+\u00A0\d*.]*[hjlLtz]*n))/, "it may set a variable"],
  ["read getopts unset wait mapfile readarray", /^(?!.*(?:^| )-\w*C)[^[$`(\uFFFD]*$/, "it may run a command, by an option or a name"],
  [
    "declare typeset local export readonly",
    /^(?:-[pfF]+(?: \w+)*|(?:(?:-[a-eghjkmoq-tv-zA-EG-Z]*|[A-Za-z_]\w*(?:=(?![(\uFFFD])[^ ]*)?)(?: |$))*)$/,
    "it sets a name that is not plain, or changes how values are evaluated",
  ],
];

const risks = new Map(table.flatMap(([programs, plain, risk]) => programs.split(" ").map((program) => [program, { plain, risk }])));

const names =
  ": . [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait";
export const builtins = new Set(names.split(" "));

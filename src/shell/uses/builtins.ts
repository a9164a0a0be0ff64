// Shell builtins that run text, or change what later words mean.
import type { Word } from "../words/analysis.ts";

/** Why no wildcard may allow this use of a builtin, or undefined. */
export function builtinRisk(program: string, words: Word[]): string | undefined {
  const rule = risks.get(program);
  if (!rule) return undefined;
  const text = words.slice(1).map(({ value, start }) => value?.replaceAll(/\s/g, "\u00A0") ?? `${start}${unknown}`);
  return rule.plain.test(text.join(" ")) ? undefined : rule.risk.replace(/^it\b/, program);
}

const unknown = "\uFFFD";

/** `plain`: the words, joined by spaces, of a use that does nothing else. */
const table: [programs: string, plain: RegExp, risk: string][] = [
  ["alias", /^$/, "an alias changes what later words mean"],
  ["enable hash", /^$/, "it changes which program a name runs"],
  ["bind complete compgen compopt history suspend logout", /^$/, "it can run commands and write files"],
  ["fc", /^(?!)/, "it can run commands and write files"],
  [
    "shopt",
    /^(?:(?:-[squp]+|globstar|nullglob|failglob|lastpipe|inherit_errexit|nocasematch|dotglob|extglob)(?: |$))*$/,
    "a setting of the shell changes",
  ],
  [
    "set",
    /^(?:(?:[-+](?:[eux]+|[eux]*o (?:errexit|nounset|pipefail|xtrace))|--|[^-+\uFFFD ][^\uFFFD ]*)(?: |$))*$/,
    "a setting of the shell changes",
  ],
  ["printf", /^(?:$|[^-\uFFFD]|-(?![v\uFFFD])|-v ?[A-Za-z_]\w*(?: |$))/, "it may set a variable that is not a plain name"],
  ["test [", /^(?!.*(?:^| )-[vR] (?![A-Za-z_]\w*(?: |$)))(?!.*(?:^| )-\S*\uFFFD)/s, "it evaluates a name that is not plain"],
  ["read getopts unset wait", /^[^[$`(\uFFFD]*$/, "it evaluates a name that is not plain"],
  ["mapfile readarray", /^(?!.*(?:^| )-\w*C)[^[$`(\uFFFD]*$/, "it runs a command for each line, or evaluates a name that is not plain"],
  ["let", /^(?!.*[A-Za-z_]\w*\s*[^=+\w\s-]?=\s*[A-Za-z_])[\w\s+*/%<>=!&|^~?:()-]*$/, "it evaluates a value that is not known"],
  [
    "declare typeset local export readonly",
    /^(?:-[pfF]+(?: \w+)*|(?:(?:-[a-eghjkmoq-tv-zA-EG-Z]*|[A-Za-z_]\w*(?:=[^ ]*)?)(?: |$))*)$/,
    "it sets a name that is not plain, or changes how values are evaluated",
  ],
];

const risks = new Map(table.flatMap(([programs, plain, risk]) => programs.split(" ").map((program) => [program, { plain, risk }])));

export const builtins = new Set(
  ": . [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait".split(
    " ",
  ),
);

// Effects of shell builtins beyond their output: some run text, some change the meaning of later words.
import type { Word } from "../words/analysis.ts";

type Use = {
  program: string;
  rest: Word[];
  values: (string | undefined)[];
  /** Whether the word is empty or an option is known only at run time. */
  unknown: boolean;
};

/** Why no wildcard may allow this use of a builtin, or undefined. */
export function builtinRisk(program: string, words: Word[]): string | undefined {
  if (!builtins.has(program)) return undefined;
  const rest = words.slice(1);
  const unknown = rest.some(({ value, start }) => value === undefined && (start === "" || start.startsWith("-")));
  return risks[program]?.({ program, rest, values: rest.map(({ value }) => value), unknown });
}

const isPlainName = (word: Word | undefined) => word?.value !== undefined && /^[A-Za-z_]\w*$/.test(word.value);

const standsForOther = ({ program, rest }: Use) => (rest.length > 0 ? `${program} changes which program a name runs` : undefined);

const runsCommands = ({ program, rest }: Use) =>
  rest.length > 0 || program === "fc" ? `${program} can run commands and write files` : undefined;

function changesShell(known: RegExp): (use: Use) => string | undefined {
  return ({ values }) => (values.some((value) => value === undefined || !known.test(value)) ? "a setting of the shell changes" : undefined);
}

function setsByPrintf({ unknown, values, rest }: Use): string | undefined {
  if (unknown && values[0] === undefined) return "printf may set a variable";
  const at = values.findIndex((value) => value?.startsWith("-v"));
  if (at !== 0) return undefined;
  return /^-v[A-Za-z_]\w*$/.test(values[0]!) || (values[0] === "-v" && isPlainName(rest[1]))
    ? undefined
    : "printf sets a variable that is not a plain name";
}

function testsName({ values, rest }: Use): string | undefined {
  return values.some((value, at) => (value === "-v" || value === "-R") && !isPlainName(rest[at + 1])) ||
    (rest.length > 1 && rest.some(({ value, start }) => value === undefined && start.startsWith("-")))
    ? "a test evaluates a name that is not plain"
    : undefined;
}

function evaluatesNames({ program, values, unknown }: Use): string | undefined {
  if (unknown || values.some((value) => /[[$`(]/.test(value ?? "["))) return `${program} evaluates a name that is not plain`;
  return (program === "mapfile" || program === "readarray") && values.some((value) => value?.startsWith("-C") || /^-\w*C/.test(value ?? ""))
    ? `${program} runs a command for each line`
    : undefined;
}

function calculates({ values }: Use): string | undefined {
  return values.every(
    (value) => value !== undefined && /^[\w\s+*/%<>=!&|^~?:()-]*$/.test(value) && !/[A-Za-z_]\w*\s*[^=+\w\s-]?=\s*[A-Za-z_]/.test(value),
  )
    ? undefined
    : "let evaluates a value that is not known";
}

function declares({ program, values, rest }: Use): string | undefined {
  if (values.some((value) => /^[-+]\w*[inulfFp]/.test(value ?? "")))
    return values.every((value) => /^-[pfF]+$|^\w+$/.test(value ?? "=")) ? undefined : `${program} changes how values are evaluated`;
  return rest.some(
    ({ value, start }) => !/^[A-Za-z_]\w*(=|$)|^-[a-zA-Z]+$/.test(value ?? start) || (value === undefined && !start.includes("=")),
  )
    ? `${program} sets a name that is not plain`
    : undefined;
}

const each = (programs: string, risk: (use: Use) => string | undefined) => programs.split(" ").map((program) => [program, risk] as const);

const risks: Record<string, (use: Use) => string | undefined> = Object.fromEntries([
  ...each("alias", ({ rest }) => (rest.length > 0 ? "an alias changes what later words mean" : undefined)),
  ...each("enable hash", standsForOther),
  ...each("bind complete compgen compopt fc history suspend logout", runsCommands),
  ...each("shopt", changesShell(/^-[squp]+$|^(globstar|nullglob|failglob|lastpipe|inherit_errexit|nocasematch|dotglob|extglob)$/)),
  ...each("set", changesShell(/^[-+][euxo]+$|^(pipefail|errexit|nounset|xtrace)$|^--$|^[^-+]/)),
  ...each("printf", setsByPrintf),
  ...each("test [", testsName),
  ...each("read mapfile readarray getopts unset wait", evaluatesNames),
  ...each("let", calculates),
  ...each("declare typeset local export readonly", declares),
]);

export const builtins = new Set(
  ": . [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait".split(
    " ",
  ),
);

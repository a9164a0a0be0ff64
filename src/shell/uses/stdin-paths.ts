// Output of the first stages of a pipeline, if it is only file names: `find src | xargs grep x` reads below src.
import type { SimpleCommand } from "../words/analysis.ts";
import type { State, Stdin } from "../words/state.ts";
import { findsOutputs } from "./found-outputs.ts";

/** The names that the first stages print; undefined if they may print anything else. */
export function namesFrom(stages: SimpleCommand[], from: State["folders"]): Stdin | undefined {
  const [first, ...filters] = stages;
  const roots = first && isQuiet(first) && listed(first);
  if (!roots || !filters.every(isQuietFilter)) return undefined;
  const written = new Set(first.words.slice(1).map(({ value }) => value));
  const prefixed = roots.every(
    (root) => !root.startsWith("-") && (written.has(root) || (root === "." && first.words[0]?.value === "find")),
  );
  const begins = prefixed && first.words[0]?.value !== "ls" && first.words[0]?.value !== "git" && { prefixed: true as const };
  const isLoose = first.words[0]?.value === "ls" && { loose: true as const };
  const outputs = findsOutputs(first.words) && { outputs: true as const };
  const descends = isDescending(first) && { descends: true as const };
  return { listed: { roots, from, ...begins, ...isLoose, ...outputs, ...descends }, ...begins };
}

/** Whether none of the printed names has `..` in it: only ls prints such a name that it was not given. */
function isDescending({ words }: SimpleCommand): boolean {
  const program = words[0]?.value;
  if (program !== "ls" && program !== "find") return false;
  const all = program === "ls" ? /^-\w*[af]|^--a/ : /^-files0-from$/;
  return words.every(({ value, start }) => !(value ?? start).includes("..") && !all.test(value ?? start));
}

/** The same names, or some of them, after further stages. */
export function namesBehind(names: Stdin, stages: SimpleCommand[]): Stdin | undefined {
  return stages.every(isQuietFilter) ? names : undefined;
}

const isQuietFilter = (stage: SimpleCommand) => isQuiet(stage) && isFilter(stage);

/** An error message may contain text chosen by anyone. */
function isQuiet({ text, words }: SimpleCommand): boolean {
  const isSearch = /^(?:[ef]?grep|rg)$/.test(words[0]?.value ?? "");
  const [pattern] = isSearch ? words.slice(1).filter(({ value }) => !value?.startsWith("-")) : [];
  return !/[>|]&|&>/.test(text) && !words.some((word) => word !== pattern && /\s/.test(word.value ?? ""));
}

function listed({ words, files, hazards, unclear }: SimpleCommand): string[] | undefined {
  const values = words.map(({ value }) => value);
  if (hazards.length > 0 || unclear !== undefined) return undefined;
  if (values[0] === "ls" && words.every(({ value, pattern }) => pattern !== undefined || (value !== undefined && !tells.test(value))))
    return [".", ...files.flatMap(({ path, pattern }) => (path === undefined ? [] : pattern ? folderOf(path) : path))];
  if (words.some(({ value, start }) => value === undefined && !chooses.test(start))) return undefined;
  const has = (...names: string[]) => names.some((name) => values.includes(name));
  const below = () =>
    files.some(({ path }) => path === undefined) ? undefined : files.length > 0 ? files.map(({ path }) => path!) : ["."];
  switch (values[0] ?? "") {
    case "find":
      return has("-ls", "-printf", "-exec", "-execdir", "-ok") ? undefined : below();
    case "fd":
    case "fdfind":
      return has("--format", "-l", "--list-details") ? undefined : below();
    case "git":
      return values[1] === "ls-files" ||
        (values[1] === "grep" && has("-l", "--name-only", "--files-with-matches")) ||
        (values[1] === "diff" && has("--name-only"))
        ? ["."]
        : undefined;
    case "rg":
      return has("-l", "--files", "--files-with-matches", "--files-without-match") ? below() : undefined;
    case "grep":
      return values.some((value) => /^-[a-zA-Z]*[lL]|^--files-with/.test(value ?? "")) ? below() : undefined;
    default:
      return undefined;
  }
}

/** Options with which ls says more than names: where a link leads is a path too. */
const tells = /^-(?!-)\w*[lgnoisFpm]|^--(?!color|sort|time|reverse|recursive|almost-all|all|directory|ignore|hide|group)/;

/** Options that only choose which files are searched, even with an unquoted `*`. */
const chooses = /^--(?:include|exclude)=/;

/** The folder that contains every file a glob can match. */
const folderOf = (pattern: string) => /^(?:[^*?[\\]*\/)?/.exec(pattern)![0] || ".";

/** Programs that pass or drop whole lines. */
function isFilter({ words, files, hazards }: SimpleCommand): boolean {
  const [program, ...rest] = words.map(({ value }) => value);
  if (files.length > 0 || hazards.length > 0) return false;
  if (program === "grep" || program === "egrep" || program === "fgrep" || program === "rg")
    return !rest.some(
      (value) =>
        value === undefined || /^-[a-zA-Z]*[onrbHc]|^--(only|replace|line|byte|with|count|json|vimgrep|column|heading)/.test(value),
    );
  if (program === "sort" || program === "head" || program === "tail" || program === "cat")
    return !rest.some((value) => /^-[a-zA-Z]*[bnETAv]/.test(value ?? "-b") && program === "cat");
  return program === "uniq" && rest.length === 0;
}

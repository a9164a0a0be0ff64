// What git prints of a repository without being given its name: a whole commit, a difference, an object.
import type { SimpleCommand } from "../words/analysis.ts";
import { subcommandAt } from "../words/subcommand.ts";

const printing = new Set(
  "log show diff whatchanged reflog stash diff-tree diff-index diff-files range-diff grep cat-file blame annotate shortlog".split(" "),
);

/** Whether it prints the contents of files that it does not name. `below`: only those below these paths. */
export function printsUnnamed({ words }: SimpleCommand): { below: string[] } | undefined {
  const at = subcommandAt("git", words) ?? words.length;
  const name = words[at]?.value ?? "";
  const values = words.slice(at + 1).map(({ value }) => value);
  if (!printing.has(name) || !(name === "cat-file" ? values.some(mayBeBlob) : printsContent(name, values))) return undefined;
  const options = values.filter((value) => value?.startsWith("-"));
  const isPatch = options.some((value) => /^(?:-p|-u|--patch)/.test(value!));
  const isList = name === "grep" ? /^-[a-z]*[lLc]$|^--(?:files|name-only|count)/ : /^(?:-s|--no-patch)$/;
  if (!isPatch && options.some((value) => listing.test(value!) || isList.test(value!))) return undefined;
  const operands = values.filter((value) => value === undefined || !value.startsWith("-"));
  if (name === "show" && operands.length > 0 && operands.every((value) => atPath.test(value ?? ""))) return undefined;
  const end = values.indexOf("--");
  const paths = end === -1 ? [] : values.slice(end + 1);
  return { below: paths.every((path) => /^[\w@+,=./-]+$/.test(path ?? "")) ? (paths as string[]) : [] };
}

const listing = /^--(?:stat|shortstat|numstat|name-only|name-status|dirstat|summary|quiet|raw|oneline)\b/;

function printsContent(name: string, values: (string | undefined)[]): boolean {
  if (name === "log" || name === "reflog" || name === "shortlog" || name === "stash")
    return values.some((value) =>
      /^(?:-p|-u|-c|-m|-W|-U\d*|--cc|--binary|--check|--patch.*|--unified.*|--word-diff.*|--color-words.*|--remerge-diff|--diff-merges.*)$/.test(
        value ?? "",
      ),
    );
  return name !== "cat-file" && name !== "blame" && name !== "annotate";
}

/** `HEAD:a`, `:a`; in `:/fix` and `HEAD@{9:30}` no file is named. */
const atPath = /^(?:[^:{]|\{[^}]*\})*:(?!\/)/;

/** The id of a file, as `git ls-tree` lists it. */
const mayBeBlob = (value: string | undefined) => value === undefined || /^[0-9a-f]{4,}$/i.test(value);

// What the shell's own commands do beyond their output: some run text, some change what later words mean.
import type { Word } from "../words/analysis.ts";

/** Why no wildcard may allow this use of a builtin, or undefined. */
export function builtinRisk(program: string, words: Word[]): string | undefined {
  if (!builtins.has(program)) return undefined;
  const rest = words.slice(1);
  const values = rest.map(({ value }) => value);
  const unknown = rest.some(({ value, start }) => value === undefined && (start === "" || start.startsWith("-")));
  const plainName = (word: Word | undefined) => word?.value !== undefined && /^[A-Za-z_]\w*$/.test(word.value);
  switch (program) {
    case "alias":
      return rest.length > 0 ? "an alias changes what later words mean" : undefined;
    case "enable":
    case "hash":
      return rest.length > 0 ? `${program} changes which program a name stands for` : undefined;
    case "bind":
    case "complete":
    case "compgen":
    case "compopt":
    case "fc":
    case "history":
    case "suspend":
    case "logout":
      return rest.length > 0 || program === "fc" ? `${program} can run commands and write files` : undefined;
    case "shopt":
      return values.some(
        (value) =>
          value === undefined ||
          !/^-[squp]+$|^(globstar|nullglob|failglob|lastpipe|inherit_errexit|nocasematch|dotglob|extglob)$/.test(value),
      )
        ? "a setting of the shell is changed"
        : undefined;
    case "set":
      return values.some((value) => value === undefined || !/^[-+][euxo]+$|^(pipefail|errexit|nounset|xtrace)$|^--$|^[^-+]/.test(value))
        ? "a setting of the shell is changed"
        : undefined;
    case "printf": {
      if (unknown && values[0] === undefined) return "printf may be told to set a variable";
      const at = values.findIndex((value) => value?.startsWith("-v"));
      if (at !== 0) return undefined;
      return /^-v[A-Za-z_]\w*$/.test(values[0]!) || (values[0] === "-v" && plainName(rest[1]))
        ? undefined
        : "printf sets a variable that is not a plain name";
    }
    case "test":
    case "[":
      return values.some((value, at) => (value === "-v" || value === "-R") && !plainName(rest[at + 1])) ||
        (rest.length > 1 && rest.some(({ value, start }) => value === undefined && start.startsWith("-")))
        ? "a test evaluates a name that is not plain"
        : undefined;
    case "read":
    case "mapfile":
    case "readarray":
    case "getopts":
    case "unset":
    case "wait":
      if (unknown || values.some((value) => /[[$`(]/.test(value ?? "["))) return `${program} evaluates a name that is not plain`;
      return (program === "mapfile" || program === "readarray") &&
        values.some((value) => value?.startsWith("-C") || /^-\w*C/.test(value ?? ""))
        ? `${program} runs a command for each line`
        : undefined;
    case "let":
      return values.every(
        (value) =>
          value !== undefined && /^[\w\s+*/%<>=!&|^~?:()-]*$/.test(value) && !/[A-Za-z_]\w*\s*[^=+\w\s-]?=\s*[A-Za-z_]/.test(value),
      )
        ? undefined
        : "let evaluates what is not known";
    case "declare":
    case "typeset":
    case "local":
    case "export":
    case "readonly":
      if (values.some((value) => /^[-+]\w*[inulfFp]/.test(value ?? "")))
        return values.every((value) => /^-[pfF]+$|^\w+$/.test(value ?? "=")) ? undefined : `${program} changes how values are evaluated`;
      return rest.some(
        ({ value, start }) => !/^[A-Za-z_]\w*(=|$)|^-[a-zA-Z]+$/.test(value ?? start) || (value === undefined && !start.includes("=")),
      )
        ? `${program} sets a name that is not plain`
        : undefined;
    case "trap":
      return undefined;
    case "ulimit":
    case "umask":
      return undefined;
    default:
      return undefined;
  }
}

export const builtins = new Set(
  ": . [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait".split(
    " ",
  ),
);

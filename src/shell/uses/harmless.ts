// Parts of a command that change nothing and reveal nothing: next to a part that has a rule, they need none.
import type { Word } from "../words/analysis.ts";

/** `hasFiles`: it names files, so it is more than a filter. */
export function isHarmless(program: string, words: Word[], { hasFiles }: { hasFiles: boolean }): boolean {
  const rest = words.slice(1);
  const known = rest.every(({ value }) => value !== undefined);
  const values = rest.map(({ value }) => value ?? "");
  switch (program) {
    case ":":
    case "true":
    case "false":
    case "echo":
    case "pwd":
    case "break":
    case "continue":
    case "exit":
    case "return":
    case "shift":
    case "sleep":
    case "basename":
    case "dirname":
    case "seq":
    case "cd":
    case "pushd":
    case "popd":
    case "nproc":
    case "uname":
    case "whoami":
    case "arch":
    case "which":
    case "type":
      return true;
    case "kill":
      return true; // any process that this text did not start is a hazard
    case "wait":
      return rest.every(({ value, text }) => /^\d+$|^%/.test(value ?? "") || /^"?\$!"?$/.test(text));
    case "git":
      return known && printsOneName.test(values.join(" "));
    case "test":
    case "[":
      return !rest.some(
        ({ value, start }) =>
          value === "-v" || value === "-R" || value === "-o" || value === "-a" || (value === undefined && start === "-"),
      );
    case "printf":
      return rest[0]?.value !== undefined && !rest[0].value.startsWith("-");
    case "set":
      return known && values.every((value) => /^[-+][euxo]+$|^pipefail$|^errexit$|^nounset$|^xtrace$/.test(value));
    case "read":
      return known && !hasFiles && values.every((value) => /^-[rs]+$|^[A-Za-z_]\w*$/.test(value));
    case "local":
    case "export":
    case "readonly":
    case "declare":
    case "typeset":
      return rest.every(({ value, start }) => /^[A-Za-z_]\w*(=|$)/.test(value ?? start) || /^-[rxgaA]+$/.test(value ?? ""));
    case "unset":
      return known && values.every((value) => /^[A-Za-z_]\w*$/.test(value));
    case "date":
      return known && values.every((value) => /^\+|^-(u|I.*)$|^--(utc|iso-8601.*)$/.test(value));
    default:
      return filters.has(program) && !hasFiles;
  }
}

/** Prints what a repository calls itself and its branches. */
const printsOneName =
  /^(rev-parse( --(short|verify|abbrev-ref|show-toplevel|show-prefix|git-dir|is-inside-work-tree))*( [\w.@~^/-]+)?|branch --show-current|merge-base( [\w.@~^/-]+){2})$/;

/** Without files these read the output of the previous stage, and print some of it. */
const filters = new Set([
  "cat",
  "head",
  "tail",
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "wc",
  "sort",
  "uniq",
  "cut",
  "tr",
  "nl",
  "tac",
  "rev",
  "column",
  "fold",
  "fmt",
  "paste",
  "comm",
  "sed",
  "awk",
  "jq",
  "expand",
  "unexpand",
  "od",
  "xxd",
  "hexdump",
  "base64",
  "md5sum",
  "sha1sum",
  "sha256sum",
  "sha512sum",
  "cksum",
  "strings",
  "less",
  "more",
]);

// git's pathspecs: patterns that git itself compares with the files that it knows (`'src/*.ts'`), or that say where and how they count
// (`:(top)src`, `:!src`). Source: gitglossary(7).
import type { Word } from "../words/analysis.ts";

/** `top`: from the top of the repository. `rest`: all that it does not exclude. `pattern`: a glob whose `*` also stands for slashes. */
export type Pathspec = { top: boolean; rest: boolean; pattern: string };

/** Undefined for a word that is no more than a path. */
export function pathspecOf(value: string): Pathspec | undefined {
  const [, magic, signs, path] = /^:(?![0-3]:)(?:\(([^)]*)\)|([/!^]+):?)?(.*)$/s.exec(value) ?? [];
  if (path === undefined) return /^(?!-).*[*?[\\]/s.test(value) ? { top: false, rest: false, pattern: value } : undefined;
  const says = `${magic ?? ""}${signs ?? ""}`;
  const rest = /exclude|[!^]/.test(says);
  return { top: /top|\//.test(says), rest, pattern: path === "" || rest || says.includes("attr") ? "*" : path };
}

/** The glob of each pathspec that the word may be. `looks`: what one leaves out is no more than is read without it. */
export function matchedBy({ choices = [] }: Word, verb = "", looks = false): Pick<Word, "choices" | "pattern" | "home"> {
  const specs = takesNone.test(verb) ? [] : choices.flatMap((value) => pathspecOf(value) ?? []);
  return { choices: specs.flatMap(({ pattern, rest }) => (looks && rest ? [] : pattern)), pattern: true };
}

/** Subcommands whose words are names, addresses or, of a search, regular expressions. */
const takesNone =
  /^(?:grep|branch|tag|describe|for-each-ref|show-ref|ls-remote|config|remote|rev-parse|name-rev|push|fetch|pull|clone|merge|rebase)$/;

/** What comes before the first wildcard. */
export const literalStart = (pattern: string) => pattern.replace(/(?:^|\/)[^/]*[*?[\\].*$/s, "");

/** The file or folder in which all lies that a search takes in. git removes `..` also behind a wildcard. */
export function reachOf(value: string): string {
  const start = value.startsWith(":") ? "" : literalStart(value);
  return /(?:^|[/:)])\.\.(?:\/|$)|^:.*[:)]\//s.test(value.slice(start.length)) ? "/" : start || ".";
}

// Parses the text in the parentheses of a rule about files: a pattern as in .gitignore, and its base folder.
import { dirname, join, relative } from "node:path";
import { fold } from "./fold.ts";
import { ignoreFile, saysSomething } from "./ignore-patterns.ts";

/** Absolute folders. `folder`: what a leading single slash of a pattern refers to. */
export type RulePlaces = { cwd: string; home: string; folder: string };

/** `pattern`: an ignore line in `base`. `start`: the folder of all it covers; `rest`: what follows, if fixed. `loose`: at any depth. */
export type PathPattern = { written: string; base: string; pattern: string; start: string; rest?: string; loose: boolean };

export type ParsedPath = { ok: true; path: PathPattern } | { ok: false; reason: string };

/** `//absolute`, `~/home`, `/settings-relative`, `./cwd` and bare patterns. One that could cover nothing is an error. */
export function parsePathPattern(inner: string, places: RulePlaces): ParsedPath {
  const written = trimmed(inner);
  const problem = problemOf(written);
  if (problem) return { ok: false, reason: problem };
  const { base, rest, anchored } = begin(written, places);
  const parts = rest.split("/").filter((part, index, all) => part !== "." && (part !== "" || index === all.length - 1));
  let from = base;
  while (parts[0] === "..") {
    from = dirname(from);
    parts.shift();
  }
  if (parts.includes("..")) return { ok: false, reason: '".." is allowed only at the beginning' };
  const body = parts.join("/");
  const up = rest.startsWith("..");
  const pattern = body === "" ? "/**" : `${anchored || up ? "/" : ""}${body}`;
  if (!saysSomething(escapeFirst(pattern))) return { ok: false, reason: 'a "[" has no "]", so it would cover nothing' };
  return {
    ok: true,
    path: { written, base: from, pattern, ...begins(from, pattern), loose: !anchored && !up && !/.\//.test(withoutDepth(pattern)) },
  };
}

const withoutDepth = (pattern: string) => pattern.replace(/^(\*\*\/)+/, "");

function begins(base: string, pattern: string): { start: string; rest?: string } {
  if (!/.\//.test(pattern.replace(/\/$/, "")) && !pattern.startsWith("/")) return { start: base };
  const parts = pattern.replace(/^\//, "").split("/");
  const signs = parts.findIndex((part) => /[*?[\\]/.test(part));
  const plain = signs === -1 ? parts.length : signs;
  return { start: join(base, ...parts.slice(0, plain)), rest: parts.slice(plain).join("/") };
}

/** Trailing spaces count if they are escaped. */
function trimmed(inner: string): string {
  const start = inner.trimStart();
  return /^(?:\\[\s\S]|[^\\\s]|\s+(?!\s*$)|\\$)*/.exec(start)![0];
}

function problemOf(written: string): string | undefined {
  if (written === "") return "the parentheses are empty";
  if (written.startsWith("!"))
    return 'it cannot begin with "!": a rule cannot make exceptions to another one. Write \\! for a name that begins with "!"';
  if (/[\0\n\r]/.test(written)) return "it has a line break or a zero byte";
  if (/(?<!\\)\{[^}]*,[^}]*\}/.test(written)) return "braces are not supported. Write one rule for each alternative, or \\{ for a brace";
  if (/(^|[^\\])(\\\\)*\\$/.test(written)) return "it ends in a backslash";
  return undefined;
}

function begin(written: string, { cwd, home, folder }: RulePlaces): { base: string; rest: string; anchored: boolean } {
  if (written.startsWith("//")) return { base: "/", rest: written.slice(2), anchored: true };
  if (written === "~" || written.startsWith("~/")) return { base: home, rest: written.slice(2), anchored: true };
  if (written.startsWith("/")) return { base: folder, rest: written.slice(1), anchored: true };
  if (written === "." || written.startsWith("./")) return { base: cwd, rest: written.slice(2), anchored: true };
  return { base: cwd, rest: written, anchored: false };
}

/** In an ignore file `#` would begin a comment. */
const escapeFirst = (pattern: string) => (pattern.startsWith("#") ? `\\${pattern}` : pattern);

/** Whether a path, as written, is covered. False in doubt. `folder`: it may be a folder, as in a search. */
export type Covers = (path: string, folder: boolean) => boolean;

/** For allow rules: exactly as written. A wildcard at the end matches one level, not the contents of a folder that it matches. */
export function exactly({ base, pattern }: PathPattern): Covers {
  const oneLevel = endsInSign(pattern);
  const judge = ignoreFile(escapeFirst(pattern), oneLevel ? "itself" : "with what is in it");
  return (path, folder) => {
    if (folder && oneLevel) return false; // a search goes deeper
    const below = relativeTo(base, path);
    if (below === undefined) return false;
    if (below === "") return folder && pattern === "/**";
    return judge(below) !== undefined || (folder && judge(`${below}/`) !== undefined);
  };
}

/** Whether the last name has a star, a question mark or a class, except for a `**` that stands for everything below. */
function endsInSign(pattern: string): boolean {
  const last = pattern.slice(pattern.lastIndexOf("/") + 1).replaceAll(/\\[\s\S]/g, "");
  return last !== "**" && /[*?[]/.test(last);
}

/** For deny and ask rules: covers in doubt, including names that a file system may treat as the same, and folders with their contents. */
export function broadly({ base, pattern }: PathPattern): Covers {
  const line = escapeFirst(pattern);
  const lines = [line, ...(/[^*/]\/\*\*\/?$/.test(line) ? [line.replace(/\/\*\*\/?$/, "/")] : [])].join("\n");
  const judges = [ignoreFile(lines), ignoreFile(foldPattern(lines))] as const;
  return (path) => {
    const exact = relativeTo(base, path);
    const folded = relativeTo(fold(base), fold(path));
    return (
      (exact !== undefined && covered(judges[0], { path: exact, pattern })) ||
      (folded !== undefined && covered(judges[1], { path: folded, pattern }))
    );
  };
}

function covered(judge: ReturnType<typeof ignoreFile>, { path, pattern }: { path: string; pattern: string }): boolean {
  return path === "" ? pattern === "/**" : judge(path) !== undefined || judge(`${path}/`) !== undefined;
}

/** Whether a pattern names a folder at this path, so that what is in another one there may be what it covers: `a/x` for `x/key.txt` anywhere. */
export function namesFolder({ base, pattern }: Pick<PathPattern, "base" | "pattern">): (path: string) => boolean {
  const parts = foldPattern(pattern).split("/").filter(Boolean);
  const top = pattern.replace(/\/$/, "").includes("/") ? "/" : "**/";
  const named = parts.map((_, at) => parts.slice(0, at + 1)).filter((way) => !way.every((part) => /^\*+$/.test(part)));
  const folders = pattern.endsWith("/") ? named : named.filter((way) => way.length < parts.length);
  const judge = ignoreFile(folders.map((way) => `${top}${way.join("/")}`).join("\n"), "itself");
  return (path) => judge(relativeTo(fold(base), fold(path)) ?? "") !== undefined;
}

/** An upper-case class would match nothing in a folded path. */
export const foldPattern = (pattern: string) => fold(pattern).replaceAll("[:upper:]", "[:lower:]");

/** The way from the folder to a path in it; undefined for one outside. */
export function relativeTo(base: string, path: string): string | undefined {
  const way = relative(base, path);
  return way === ".." || way.startsWith("../") ? undefined : way;
}

/** A pattern that matches only this path. */
export const escapePattern = (path: string) =>
  path.replaceAll(/[\\*?[\]!#{}]/g, "\\$&").replace(/ +$/, (blanks) => blanks.replaceAll(" ", "\\ "));

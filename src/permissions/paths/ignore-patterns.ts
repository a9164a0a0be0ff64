// Patterns of ignore files, with git's meaning: which line of such a file decides about a path.
import { matches, wildcards } from "./wildmatch.ts";

/** A line with a pattern: `text` as written, `line` counted from 1. */
export type IgnoreLine = { text: string; line: number; negative: boolean };

/** The line that decides about a path relative to the file's folder; the path of a folder ends in a slash. */
export type IgnoreFile = (path: string) => IgnoreLine | undefined;

/** Compiles an ignore file. No line includes again what is in an ignored folder; `itself`: parent folders are not considered. */
export function ignoreFile(text: string, reach: "with what is in it" | "itself" = "with what is in it"): IgnoreFile {
  const patterns = text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line, index) => pattern(line, index + 1))
    .reverse();
  const about = (path: string) => {
    const folder = path.endsWith("/");
    const whole = folder ? path.slice(0, -1) : path;
    const name = whole.slice(whole.lastIndexOf("/") + 1);
    return patterns.find(({ folderOnly, fits }) => (folder || !folderOnly) && fits(whole, name))?.said;
  };
  const folders = new Map<string, IgnoreLine | undefined>();
  /** The line that ignores the folder or one above it. */
  const hidden = (folder: string): IgnoreLine | undefined => {
    if (folder === "") return undefined;
    if (folders.has(folder)) return folders.get(folder);
    const said = hidden(above(folder)) ?? about(folder);
    const decided = said?.negative ? undefined : said;
    if (folders.size >= maxFolders) folders.clear();
    folders.set(folder, decided);
    return decided;
  };
  return (path) => {
    const bytes = asBytes(path);
    if (bytes === "") return undefined;
    return (reach === "itself" ? undefined : hidden(above(bytes))) ?? about(bytes);
  };
}

/** The lines that ignore something, with their parsed patterns. */
export function ignoringLines(text: string): { said: IgnoreLine; pattern: string }[] {
  return text.split("\n").flatMap((line, index) =>
    pattern(line, index + 1)
      .filter(({ said }) => !said.negative)
      .map(({ said }) => ({ said, pattern: withoutBlanksAtTheEnd(said.text) })),
  );
}

/** Whether the line could ever ignore anything. */
export const saysSomething = (line: string) => pattern(line, 1).length > 0;

const maxFolders = 10_000;

/** The parent folder of a path, with its slash; empty at the top. */
const above = (path: string) => path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);

/** One character per byte of UTF-8, because git compares bytes. */
const asBytes = (text: string) => (/^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1"));

type Pattern = { folderOnly: boolean; fits: (path: string, name: string) => boolean; said: IgnoreLine };

function pattern(written: string, line: number): Pattern[] {
  // Reads a line as git does: up to a zero byte, without one carriage return at the end, and with trailing spaces only if they are escaped.
  const text = written.replace(/\r$/, "").replace(/\0.*$/s, "");
  if (text.startsWith("#")) return [];
  const kept = withoutBlanksAtTheEnd(text);
  const negative = kept.startsWith("!");
  const bytes = asBytes(negative ? kept.slice(1) : kept);
  const folderOnly = bytes.endsWith("/");
  const body = folderOnly ? bytes.slice(0, -1) : bytes;
  const fits = body.includes("/") ? pathPattern(body) : namePattern(body);
  return fits ? [{ folderOnly, fits, said: { text, line, negative } }] : [];
}

function withoutBlanksAtTheEnd(text: string): string {
  const [kept = ""] = /^(?:\\[\s\S]|[^\\ ]| +(?! *$))*/.exec(text) ?? [];
  // A backslash at the very end escapes nothing: git then keeps the line unchanged.
  return text.slice(kept.length).startsWith("\\") ? text : kept;
}

/** A pattern without a slash matches the name alone, at any depth. */
function namePattern(body: string): Pattern["fits"] | undefined {
  if (body === "") return undefined;
  if (!/[*?[\\]/.test(body)) return (_, name) => name === body;
  const compiled = wildcards(body, false);
  return compiled && ((_, name) => matches(compiled, name));
}

/** git compares the literal prefix and matches only the rest, so that in `a**` + `/b` the stars are at the beginning. */
function pathPattern(body: string): Pattern["fits"] | undefined {
  const anchored = body.startsWith("/") ? body.slice(1) : body;
  const plain = /^[^*?[\\]*/.exec(anchored)![0];
  const rest = wildcards(anchored.slice(plain.length), true);
  return rest && ((path) => path.startsWith(plain) && matches(rest, path.slice(plain.length)));
}

/** For a walk through a tree with several such files, where the deepest one with a matching line decides. */
export function ignorePatterns(text: string): (path: string) => "ignored" | "kept" | "unsaid" {
  const decide = ignoreFile(text);
  return (path) => {
    const said = decide(path);
    return said === undefined ? "unsaid" : said.negative ? "kept" : "ignored";
  };
}

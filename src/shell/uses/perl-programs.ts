// Recognizes perl one-liners that certainly only replace or print lines of the files that they name, as sed does: `perl -pi -e 's/a/b/' x.ts`.
import type { Word } from "../words/analysis.ts";
import type { Use } from "./named-files.ts";

/** Whether it does no more than that. False in doubt. */
export const isPerlEdit = (words: Word[]): boolean => perlEdits(words) !== undefined;

/** The files that it reads or changes; undefined if it may do anything else. */
export function perlEdits(words: Word[]): Use[] | undefined {
  const [program, ...rest] = words;
  if (program?.value !== "perl") return undefined;
  const at = rest.findIndex(({ value }) => /^-[^-]*e$/.test(value ?? ""));
  const options = rest.slice(0, at + 1).map(({ value = "" }) => value);
  const [code, ...files] = rest.slice(at + 1);
  if (options.length === 0 || !options.every((one) => plainOption.test(one)) || !/[pn]/.test(options.join(""))) return undefined;
  if (!replaces(code?.value) || files.length === 0 || !files.every(isPlainName)) return undefined;
  const changes = options.some((one) => one.endsWith("i"));
  return files.map((word): Use => (changes ? { word, access: "write", purpose: true } : { word, access: "read" }));
}

/** Line by line, or the whole file as one line; in place, where more letters would be the suffix of a backup. */
const plainOption = /^-(?:0(?:777)?)?[pnw]*[ie]?$/;

/** perl opens a name with `<`, `>` or `|` at either end, or spaces, as something else than a file. */
const isPlainName = ({ value, pattern }: Word) => /^[\w.][\w./@+*-]*\w$/.test(value ?? pattern ?? "");

/** Whether each statement is a substitution, or prints the lines that a pattern finds. */
function replaces(code: string | undefined): boolean {
  let rest = code?.trim() ?? "";
  do {
    const found = statements.map((one) => one.exec(rest)).find(Boolean);
    const { pattern = "", text = "" } = found?.groups ?? {};
    if (!found || runsCode.test(`${pattern}${text}`) || !isInert(pattern, atEnd) || !isInert(text, group)) return false;
    rest = rest.slice(found[0].length);
  } while (rest !== "");
  return true;
}

const end = String.raw`(?:\s*;\s*|\s*$)`;
const between = (mark: string, name: string) => String.raw`(?<${name}>(?:[^\\${mark}\n]|\\[^\n])*)${mark}`;
const statements = [
  ...["/", "\\|", ",", "!", "#"].map((mark) => new RegExp(`^s${mark}${between(mark, "pattern")}${between(mark, "text")}[gims]*${end}`)),
  new RegExp(`^print (?:if|unless) /${between("/", "pattern")}[ims]*${end}`),
];

/** Code inside a pattern, and names of characters, which perl looks up. */
const runsCode = /\(\?+p?\{|\(\*|\\N|\\p|\\P/;

/** Whether no variable in it is more than what the pattern found: what follows a name may be an index, which is code. */
function isInert(text: string, own: RegExp): boolean {
  return !/[$@]/.test(text.replaceAll(/\\./gs, "").replaceAll(own, ""));
}

const atEnd = /\$(?=$|[)|])/g;
const group = /\$(?:\d+|&)(?![[{\d-])/g;

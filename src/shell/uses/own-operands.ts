// Programs with their own syntax for operands: `dd if=a of=b`, `rsync a host:b`, `git config`.
import type { Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { literal, unknownWord } from "../words/literal.ts";
import { archivedFiles } from "./archived-files.ts";
import { looksOnly } from "./looks.ts";
import type { Use } from "./named-files.ts";

/** Undefined for every other program, and if the common tables suffice. */
export function ownUses({ program, words, sub, verb }: Invocation): Use[] | undefined {
  switch (program) {
    case "dd":
      return assigned(words);
    case "tar":
    case "gtar":
    case "bsdtar":
      return archivedFiles(words);
    case "rsync":
      return copied(words);
    case "sqlite3":
      return looksOnly({ program, words, sub, verb }) ? databaseIn(words) : undefined;
    case "git":
      return sub !== undefined && verb === "config" ? configured(words.slice(sub + 1)) : undefined;
    default:
      return undefined;
  }
}

/** sqlite3 creates a database that is missing, and takes back what an interrupted program left in it. */
function databaseIn(words: Word[]): Use[] {
  const [database, ...statements] = words.slice(1).filter(({ value }) => !value?.startsWith("-"));
  return database && statements.length > 0 ? [{ word: database, access: "write", purpose: true }] : [];
}

/** Files named by options of programs whose other words are read too; empty if there are none. */
export function writtenByOptions(program: string, words: Word[]): Use[] {
  const option = writingOptions.get(program);
  if (!option) return [];
  return words.flatMap(({ value, start }, at): Use[] => {
    const [found, attached] = at === 0 ? [] : (option.exec(value ?? start) ?? []);
    if (found === undefined) return [];
    const word = attached ? (value === undefined ? unknownWord(start, attached) : literal(attached)) : words[at + 1];
    return word
      ? [
          {
            word,
            access: "write",
            ...(building.has(program) && !inRepositoryFolder.test(word.value ?? word.start) && { purpose: true as const }),
          },
        ]
      : [];
  });
}

/** Writing their output is the purpose of these. */
const building = new Set(["go", "gcc", "cc", "g++", "c++", "clang", "clang++"]);

const inRepositoryFolder = /(^|\/)\.git(\/|$)/i;

const compiler = /^-o(.*)$/s;
const writingOptions = new Map(
  Object.entries({
    go: /^--?(?:o|coverprofile)(?:=(.*))?$/s,
    time: /^(?:-o|--output=?)(.*)$/s,
    gtime: /^(?:-o|--output=?)(.*)$/s,
    terraform: /^--?out=?(.*)$/s,
    tofu: /^--?out=?(.*)$/s,
    gcc: compiler,
    cc: compiler,
    "g++": compiler,
    "c++": compiler,
    clang: compiler,
    "clang++": compiler,
  }),
);

/** Files that curl sends, named after an `@` or `<`, and addresses that are files. */
export function sentByCurl(words: Word[]): Use[] {
  return words.flatMap((word, at): Use[] => {
    if (at === 0) return [];
    const text = word.value ?? word.start;
    const named =
      /^file:(?:\/\/(?:localhost)?)?(\/.*)$/is.exec(text)?.[1] ??
      /(?:^|=)[@<]([^;]+)/s.exec(text)?.[1] ??
      /^(?:-d|--?[\w-]+=)?[\w.-]+@([^:;]+)$/s.exec(text)?.[1];
    const cookies = /^(-b|--cookie)$/.test(words[at - 1]!.value ?? "") && !text.includes("=");
    if (cookies) return [{ word, access: "read" }];
    if (named === undefined) return [];
    return [{ word: word.value === undefined ? unknownWord(word.text, named) : literal(named), access: "read", mention: "named" }];
  });
}

/** `dd if=a of=b`. */
function assigned(words: Word[]): Use[] {
  return words.slice(1).flatMap((word): Use[] => {
    const [, name, path] = /^(if|of)=(.*)$/s.exec(word.value ?? word.start) ?? [];
    if (name === undefined || path === undefined) return [];
    const operand: Word = word.value === undefined ? unknownWord(word.text, path) : literal(path);
    return [name === "if" ? { word: operand, access: "read" } : { word: operand, access: "write", purpose: true }];
  });
}

/** The last operand is written, unless it is on another host. */
function copied(words: Word[]): Use[] {
  const operands = words.slice(1).filter(({ value, start }) => !(value ?? start).startsWith("-"));
  const destination = operands.length > 1 ? operands.at(-1) : undefined;
  const named = operands.flatMap((word): Use[] => {
    if (/^[^/]*:/.test(word.value ?? word.start)) return [];
    return [word === destination ? { word, access: "write", purpose: true, recursive: true } : { word, access: "read", recursive: true }];
  });
  return [...named, ...words.slice(1).flatMap((word) => namedByOption(word, destination))];
}

/** The value of `--copy-dest=DIR` and the like, whose relative folders start at the destination, and the files of filters. */
function namedByOption({ value, start }: Word, destination: Word | undefined): Use[] {
  const text = value ?? start;
  const [, name, path] = /^--(compare-dest|copy-dest|link-dest|partial-dir)=(.*)$/s.exec(text) ?? [];
  const access = name === "partial-dir" ? "write" : "read";
  const inDestination = path?.startsWith("/") ? path : `${destination?.value ?? "."}/${path}`;
  if (name !== undefined)
    return [{ word: value === undefined ? unknownWord(text, inDestination) : literal(inDestination), access, recursive: true }];
  const [, file] = /^--(?:exclude|include)-from=(.*)$/s.exec(text) ?? rulesFile.exec(text) ?? [];
  return file === undefined ? [] : [{ word: value === undefined ? unknownWord(text, file) : literal(file), access: "read" }];
}

/** `--filter='merge FILE'`, `-f'. FILE'`, or the rule alone as the value of the word before. */
const rulesFile = /^(?:--filter=|-f)?(?:(?:dir-)?merge|[.:])[^\s_]*[\s_]+(.*)$/s;

/** The file that it changes, unless it only prints. */
function configured(words: Word[]): Use[] {
  const values = words.map(({ value }) => value);
  const file = words[values.findIndex((value) => value === "-f" || value === "--file") + 1];
  const named = values.includes("-f") || values.includes("--file") ? file : undefined;
  const attached = values.flatMap((value) => /^--file=(.*)$/s.exec(value ?? "")?.[1] ?? []).map(literal)[0];
  const place = named ?? attached ?? literal(values.includes("--system") ? "/etc/gitconfig" : ".git/config");
  const target: Word = values.includes("--global") ? { ...literal("~/.gitconfig"), home: true } : place;
  const operands = values.filter((value, at) => value === undefined || (!value.startsWith("-") && words[at] !== named));
  const shows =
    !values.includes(undefined) &&
    (values.some((value) => /^(--get.*|--list|-l|--show-.*|--name-only)$/.test(value ?? "")) ||
      ["get", "list"].includes(operands[0] ?? "") ||
      (operands.length === 1 &&
        !values.some((value) => /^(-e|--edit|--unset.*|--add|--remove-section|--rename-section|--replace-all)$/.test(value ?? "")) &&
        !["edit", "unset", "set"].includes(operands[0] ?? "")));
  return [{ word: target, access: shows ? "read" : "write" }];
}

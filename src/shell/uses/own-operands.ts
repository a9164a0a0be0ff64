// Programs with their own syntax for operands: `dd if=a of=b`, the grouped letters of tar, `git config`.
import type { Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { literal, unknownWord } from "../words/literal.ts";
import type { Use } from "./named-files.ts";

/** Undefined for every other program, and if the common tables suffice. */
export function ownUses({ program, words, sub, verb }: Invocation): Use[] | undefined {
  switch (program) {
    case "dd":
      return assigned(words);
    case "tar":
    case "gtar":
    case "bsdtar":
      return archived(words);
    case "rsync":
      return copied(words);
    case "git":
      return sub !== undefined && verb === "config" ? configured(words.slice(sub + 1)) : undefined;
    default:
      return undefined;
  }
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
    const path = named ?? (cookies ? text : undefined);
    if (path === undefined) return [];
    return [{ word: word.value === undefined ? unknownWord(word.text, path) : literal(path), access: "read", mention: "named" }];
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

/** The archive, the files that are added to it, and the folder of `-C`. */
function archived(words: Word[]): Use[] {
  const uses: Use[] = [];
  const bundle = words[1]?.value ?? "";
  const letters = words
    .slice(1)
    .flatMap(({ value }, at) => (/^-[A-Za-z]/.test(value ?? "") || (at === 0 && /^[A-Za-z]+$/.test(bundle)) ? [value!] : []));
  const has = (letter: string, long: string) => letters.some((each) => each.includes(letter)) || words.some(({ value }) => value === long);
  const extracts = has("x", "--extract") || words.some(({ value }) => value === "--get");
  const creates = has("c", "--create") || has("r", "--append") || has("u", "--update");
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    const text = word.value ?? word.start;
    const [, name, attached] = /^(--[\w-]+)=(.*)$/s.exec(text) ?? [];
    const isBundle = /^-[A-Za-z]/.test(text) || (at === 1 && /^[A-Za-z]+$/.test(text));
    const file = name === "--file" ? literal(attached!) : text === "--file" || (isBundle && text.endsWith("f")) ? words[++at] : undefined;
    if (file) uses.push({ word: file, ...(creates ? { access: "write", purpose: true } : { access: "read" }) });
    else if (name === "--add-file" || name === "--files-from") uses.push({ word: literal(attached!), access: "read" });
    else if (name === "--directory" || text === "--directory") {
      const folder = name ? literal(attached!) : words[++at];
      if (folder) uses.push({ word: folder, access: extracts ? "write" : "read" });
    } else if (isBundle && /[CTX]$/.test(text) && at > 1 && words[at + 1])
      uses.push({ word: words[++at]!, access: extracts && text.endsWith("C") ? "write" : "read" });
    else if (!text.startsWith("-") && !isBundle && creates) uses.push({ word, access: "read", recursive: true });
  }
  return uses;
}

/** The last operand is written, unless it is on another host. */
function copied(words: Word[]): Use[] {
  const operands = words.slice(1).filter(({ value, start }) => !(value ?? start).startsWith("-"));
  return operands.flatMap((word, at): Use[] => {
    if (/^[^/]*:/.test(word.value ?? word.start)) return [];
    return [
      at > 0 && at === operands.length - 1
        ? { word, access: "write", purpose: true, recursive: true }
        : { word, access: "read", recursive: true },
    ];
  });
}

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

// What stands between the brackets of a rule Bash(…), and which simple commands it covers.
import type { SimpleCommand, Word } from "./analysis.ts";

/**
 * `any`: `Bash` and `Bash(*)`. `exact`: the whole text or one whole simple command, as written. `words`: these words alone, or followed by
 * further ones. `mask`: a text with `*` for any run of characters inside one simple command; `words` are those before the first `*`.
 */
export type BashPattern =
  | { kind: "any" }
  | { kind: "exact"; text: string; words: string[] }
  | { kind: "words"; words: string[] }
  | { kind: "mask"; text: string; words: string[] };

export type ParsedPattern = { ok: true; pattern: BashPattern } | { ok: false; reason: string };

/** The reason is the second half of a sentence. Never a rule that covers nothing: a deny that is silently void would be worse than none. */
export function parseBashPattern(inner: string): ParsedPattern {
  const text = inner.trim();
  if (text === "") return { ok: false, reason: "there is nothing between the brackets" };
  if (/^[*\s]+$/.test(text)) return { ok: true, pattern: { kind: "any" } };
  const prefix = /^(.*?)(?::\*|\s+\*)$/s.exec(text)?.[1]?.trim();
  if (prefix === "") return { ok: false, reason: 'there is no program before the "*"' };
  if (prefix !== undefined && !prefix.includes("*") && !/[;|&<>`\n]/.test(prefix))
    return { ok: true, pattern: { kind: "words", words: wordsOf(prefix) } };
  if (!text.includes("*")) return { ok: true, pattern: { kind: "exact", text, words: wordsOf(text) } };
  const mask = prefix === undefined ? text : `${prefix} *`;
  return { ok: true, pattern: { kind: "mask", text: mask, words: wordsOf(/^(.*\s)?/s.exec(mask.slice(0, mask.indexOf("*")))![0]) } };
}

/** The words of a rule: split at blanks, quotes around a word or a part of it taken away. */
function wordsOf(text: string): string[] {
  return (text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+|['"]/g) ?? []).map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** How many leading words an allow rule spells out for a command that it covers; undefined when it does not cover it. */
export function covers(pattern: BashPattern, command: SimpleCommand): number | undefined {
  const spelled = coversWords(pattern, command);
  const skipped = spelled === undefined ? quietOptions(command.words) : 0;
  if (skipped === 0) return spelled;
  const words = [command.words[0]!, ...command.words.slice(1 + skipped)];
  const without = coversWords(pattern, { ...command, words, text: "", bare: "" });
  return without === undefined ? undefined : without + skipped;
}

/** How many words behind the program only say where it works, which is judged as a file, or that it is to be quiet. */
function quietOptions(words: Word[]): number {
  if (words[0]?.value !== "git") return 0;
  let at = 1;
  for (;;) {
    const value = words[at]?.value;
    if (value === "--no-pager" || value === "-P" || value === "--no-optional-locks" || value === "--literal-pathspecs") at++;
    else if (value === "-C" && words[at + 1]?.value !== undefined) at += 2;
    else return at - 1;
  }
}

function coversWords(pattern: BashPattern, { words, text, bare }: SimpleCommand): number | undefined {
  switch (pattern.kind) {
    case "any":
      return 0;
    case "exact":
      return words.every(({ value }) => value !== undefined) && (text.trim() === pattern.text || bare === pattern.text)
        ? words.length
        : undefined;
    case "words":
      return pattern.words.every((word, index) => words[index]?.value === word) ? pattern.words.length : undefined;
    case "mask":
      if (pattern.words[0] !== undefined && pattern.words[0] !== words[0]?.value) return undefined;
      return maskOf(pattern.text).test(canonical(words)) ? pattern.words.length : undefined;
  }
}

/** Joined by blanks; what only a `*` may stand for is a character that no rule has: blanks inside a word, and words that are not known. */
function canonical(words: Word[]): string {
  return words.map(({ value }) => (value === undefined ? hidden : value.replaceAll(/\s/g, hidden))).join(" ");
}

const hidden = "\uE000";

function maskOf(text: string): RegExp {
  const parts = text.split(/\*+/).map((part) => part.replaceAll(/\s+/g, " ").replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

export type Forbidding = "yes" | "maybe" | "no";

/** Whether a deny or ask rule stands against a command: it looks through the program's folder, quoting and options before the words. */
export function forbids(pattern: BashPattern, command: SimpleCommand): Forbidding {
  if (pattern.kind === "any") return "yes";
  if (pattern.kind === "exact" && (command.text.trim() === pattern.text || command.bare === pattern.text)) return "yes";
  let result: Forbidding = "no";
  for (const words of [command.words, ...command.suspects]) {
    const one = pattern.kind === "mask" ? masked(pattern.text, command, words) : spelled(pattern, words);
    if (one === "yes") return "yes";
    if (one === "maybe") result = "maybe";
  }
  if (result === "no" && command.stranger && isGiven(pattern, command.words)) return "maybe";
  return result;
}

/** Whether the program that a rule is about stands among the words of another one, or in a text among them: that one may run it. */
function isGiven(pattern: Exclude<BashPattern, { kind: "any" }>, words: Word[]): boolean {
  const program = pattern.words[0];
  return (
    program !== undefined && words.slice(1).some(({ value = "" }) => value.split(/[\s;&|(]+/).some((word) => nameOf(word) === program))
  );
}

function masked(text: string, { text: written }: SimpleCommand, words: Word[]): Forbidding {
  const mask = maskOf(text);
  const [program, ...rest] = words;
  if (!program) return "no";
  const plain = [program.value?.slice(program.value.lastIndexOf("/") + 1) ?? hidden, ...rest.map(({ value }) => value ?? hidden)];
  const withoutOptions = [plain[0]!, ...plain.slice(1).filter((word) => !word.startsWith("-"))];
  const afterOptions = plain.slice(1).findIndex((word) => !word.startsWith("-"));
  const forms = [written, plain.join(" "), withoutOptions.join(" "), words.map(({ value }) => value ?? hidden).join(" ")];
  if (afterOptions > 0)
    forms.push([plain[0]!, ...plain.slice(1 + afterOptions)].join(" "), [plain[0]!, ...plain.slice(2 + afterOptions)].join(" "));
  if (forms.some((form) => mask.test(form))) return "yes";
  return plain.includes(hidden) && forms.some((form) => form.includes(hidden) && couldBe(text, form)) ? "maybe" : "no";
}

/** Whether unknown words could make it fit: the first literal words are there. */
function couldBe(mask: string, form: string): boolean {
  const head = mask.split("*")[0]!.split(" ")[0]!;
  return head === "" || form.startsWith(head) || form.startsWith(hidden);
}

function spelled(pattern: Extract<BashPattern, { kind: "words" | "exact" }>, words: Word[]): Forbidding {
  const [first, ...others] = pattern.words;
  const program = words[0];
  if (!first || !program) return "no";
  if (program.value === undefined) return program.choices?.some((choice) => nameOf(choice) === nameOf(first)) ? "maybe" : "no";
  if (program.value !== first && nameOf(program.value) !== first) return "no";
  const flags = others.filter((word) => word.startsWith("-") && word !== "-" && word !== "--");
  const plain = others.filter((word) => !flags.includes(word));
  const sequence = inOrder(plain, words, { at: 1, whole: pattern.kind === "exact" ? others.length : undefined });
  if (sequence === "no") return "no";
  const present = flags.map((flag) => hasFlag(flag, words));
  if (present.includes("no")) return "no";
  return sequence === "maybe" || present.includes("maybe") ? "maybe" : "yes";
}

/** The operands in their order, with options and what may be their values between them. `whole`: so many words and no further one. */
function inOrder(wanted: string[], words: Word[], { at, whole }: { at: number; whole: number | undefined }): Forbidding {
  const [next, ...rest] = wanted;
  if (next === undefined) {
    if (whole === undefined) return "yes";
    return words.slice(at).every(({ value }) => value?.startsWith("-")) || words.length - 1 === whole ? "yes" : "no";
  }
  const word = words[at];
  if (!word) return "no";
  const step = (to: number, left: string[]) => inOrder(left, words, { at: to, whole });
  if (word.value === undefined) {
    if (word.choices) return word.choices.includes(next) || word.many ? "maybe" : "no";
    return word.start === "" || next.startsWith(word.start) ? "maybe" : "no";
  }
  if (word.value === next) return step(at + 1, rest);
  if (!word.value.startsWith("-") && !(word.value.startsWith("+") && at === 1)) return "no";
  const without = step(at + 1, wanted);
  if (without === "yes" || word.value.includes("=") || word.value === "--") return without;
  const withValue = step(at + 2, wanted);
  return withValue === "no" ? without : withValue;
}

function hasFlag(flag: string, words: Word[]): Forbidding {
  const given = words.slice(1).flatMap(({ value }) => (value?.startsWith("-") ? [value] : []));
  if (given.some((each) => each === flag || each.startsWith(`${flag}=`))) return "yes";
  const doubt: Forbidding = words.slice(1).some(({ value, start }) => value === undefined && (start === "" || start.startsWith("-")))
    ? "maybe"
    : "no";
  if (flag.startsWith("--")) {
    const name = flag.replace(/=.*/s, "");
    const short = Object.entries(longNames).find(([, longs]) => longs.includes(name.slice(2)))?.[0];
    const fits = given.some(
      (each) =>
        (each.startsWith("--") && each.length > 3 && name.startsWith(each.replace(/=.*/s, ""))) ||
        (short !== undefined && /^-[A-Za-z]+$/.test(each) && each.includes(short)),
    );
    return fits ? "yes" : doubt;
  }
  if (!/^-[A-Za-z0-9]+$/.test(flag)) return doubt;
  const letters = flag.slice(1).split("");
  const has = (letter: string) =>
    given.some(
      (each) =>
        (/^-[A-Za-z0-9]+/.test(each) && /^-([A-Za-z0-9]*)/.exec(each)![1]!.includes(letter)) ||
        (each.startsWith("--") &&
          each.length > 3 &&
          longNames[letter]?.some((long) => long.startsWith(each.slice(2).replace(/=.*/s, "")))) ||
        (letter === "r" && /^-[A-Za-z]*R/.test(each)),
    );
  return letters.every(has) ? "yes" : doubt;
}

/** What short options are called when they are long, in most programs. */
const longNames: Record<string, string[]> = {
  a: ["all"],
  c: ["command", "call"],
  d: ["delete", "decode"],
  D: ["delete"],
  e: ["eval", "expression", "execute", "exec"],
  f: ["force", "file", "follow"],
  g: ["global"],
  i: ["in-place", "interactive"],
  m: ["message"],
  o: ["output"],
  p: ["print", "publish"],
  q: ["quiet"],
  r: ["recursive", "require"],
  R: ["recursive"],
  s: ["silent"],
  u: ["set-upstream"],
  v: ["verbose"],
  x: ["exec", "extract"],
  y: ["yes"],
};

const nameOf = (program: string) => program.slice(program.lastIndexOf("/") + 1);

/** Whether a mask that has operators of the shell in it fits the whole text. To deny only: an allow never reaches beyond one simple command. */
export function spans(pattern: BashPattern, text: string): boolean {
  return pattern.kind === "mask" && /[;|&<>`\n]/.test(pattern.text) && maskOf(pattern.text).test(text.trim().replaceAll(/[ \t]+/g, " "));
}

/** The words by which a rule is looked for in a text that cannot be taken apart. */
export function looseWords(pattern: BashPattern): string[] | undefined {
  if (pattern.kind === "any") return [];
  const words = pattern.words.filter((word) => !word.startsWith("-"));
  return words.length > 0 ? words : undefined;
}

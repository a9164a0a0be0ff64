// Whether a deny or ask rule applies to a simple command, however that is written.
import { unknownGit } from "../uses/marks.ts";
import { isMessage } from "../uses/named-files.ts";
import type { SimpleCommand, Word } from "../words/analysis.ts";
import { nameOf, subcommandAt } from "../words/invocation.ts";
import { mayBeOption, mayMean } from "../words/options.ts";
import { type BashPattern, fitsMask, hidden, isWritten } from "./bash-pattern.ts";

export type Forbidding = "yes" | "maybe" | "no";

/** Whether a deny or ask rule applies to a command, ignoring the program's folder, quoting, and options before the words. */
export function forbids(pattern: BashPattern, command: SimpleCommand): Forbidding {
  if (pattern.kind === "any") return "yes";
  if (isWritten(pattern.text, command)) return "yes";
  let result: Forbidding = "no";
  for (const words of [command.words, ...command.possibleCommands]) {
    const one = pattern.kind === "mask" ? masked(pattern.mask, command, words) : spelled(pattern, words);
    if (one === "yes") return "yes";
    if (one === "maybe") result = "maybe";
  }
  // git corrects names and is given others; a program that does more than look may run what its arguments name.
  const may = (pattern.words[0] === "git" && unknownGit(command)) || (!command.looks && isGiven(pattern, command));
  return result === "no" && may ? "maybe" : result;
}

/** Whether the rule's program is in the arguments or the input, but for a message: also behind letters (`-xrm`) and as of sed (`1erm`). */
function isGiven(pattern: Exclude<BashPattern, { kind: "any" }>, { words, stdinText }: SimpleCommand): boolean {
  const [program] = pattern.words;
  if (program === undefined) return false;
  const name = foldedName(program);
  const own = foldedName(words[0]?.value ?? "");
  const sub = subcommandAt(own, words);
  const isSpoken = (at: number) => at === sub || (sub !== undefined && isMessage.test(words[at - 1]?.value ?? ""));
  const texts = [...words.map(({ value }, at) => (at === 0 || isSpoken(at) ? "" : (value ?? ""))), stdinText ?? ""];
  const said = texts.flatMap((text) => (text.toLowerCase().includes(name) ? cutUp(text, own).map(foldedName) : []));
  return said.some((word) => word === name || (word.endsWith(name) && /^(?:-[a-z]*|[^A-Za-z]*e)$/.test(word.slice(0, -name.length))));
}

/** What is between signs that are in no name; of sed's scripts also between any that `s` may have for its own: `s-.*-rm a-e`. */
function cutUp(text: string, program: string): string[] {
  const signs = /^g?sed$/.test(program) ? new Set(Array.from(text.matchAll(/s(.)/gs), ([, sign]) => sign!)) : [];
  return [text, ...[...signs].flatMap((sign) => text.split(sign))].flatMap((part) => part.split(/[^\w./-]+/));
}

/** The text as a whole, or word by word. */
function masked(mask: string, { text }: SimpleCommand, words: Word[]): Forbidding {
  const [program, ...rest] = words.map(({ value }) => value ?? hidden);
  if (program === undefined) return "no";
  const plain = [foldedName(program), ...rest];
  const forms = [[text], [program, ...rest], plain, plain.filter((word) => !word.startsWith("-"))].map((each) => each.join(" "));
  const spelt = forms.some((form) => fitsMask(mask, form)) ? "yes" : spelled({ kind: "words", words: mask.split(/\s+/) }, words);
  const mayFit = (form: string) =>
    form.includes(hidden) && [literalHead(mask).split(" ")[0]!, hidden].some((head) => form.startsWith(head));
  return spelt === "no" && forms.some(mayFit) ? "maybe" : spelt;
}

function spelled({ kind, words: wanted }: { kind: "words" | "exact"; words: string[] }, words: Word[]): Forbidding {
  const [first, ...others] = wanted;
  const program = words[0];
  if (!first || !program) return "no";
  const isIt = (value: string) => isMeant(foldedName(first), foldedName(value));
  if (program.value === undefined) return program.choices?.some(isIt) ? "maybe" : "no";
  if (program.value !== first && !isIt(program.value)) return "no";
  const flags = others.filter((word) => word.startsWith("-") && word !== "-" && word !== "--");
  const plain = others.filter((word) => !flags.includes(word));
  const sequence = inOrder(plain, words, kind === "exact" ? others.length : undefined);
  if (sequence === "no") return "no";
  const present = flags.map((flag) => hasFlag(flag, words));
  if (present.includes("no")) return "no";
  return sequence === "maybe" || present.includes("maybe") ? "maybe" : "yes";
}

/** A word of a mask may have stars. */
const isMeant = (wanted: string, word: string) => wanted === word || (wanted.includes("*") && fitsMask(wanted, word));
const literalHead = (wanted: string) => wanted.split("*", 1)[0]!;

/** Whether the operands appear in this order, with options and their possible values between. `whole`: so many words and no more. */
function inOrder(wanted: string[], words: Word[], whole: number | undefined): Forbidding {
  const known = new Map<number, Forbidding>();
  /** Searches from the word at `at`, after `count` operands have been found. */
  const from = (at: number, count: number): Forbidding => {
    const key = at * (wanted.length + 1) + count;
    const result = known.get(key) ?? look(at, count);
    known.set(key, result);
    return result;
  };
  const look = (at: number, count: number): Forbidding => {
    const next = wanted[count];
    if (next === undefined) {
      if (whole === undefined) return "yes";
      return words.length - 1 === whole ? "yes" : onlyOptions(words.slice(at));
    }
    const rest = next === "*" ? from(at, count + 1) : "no";
    if (rest === "yes") return rest;
    const word = words[at];
    if (!word) return rest;
    const head = literalHead(next);
    if (word.value === undefined) {
      if (word.choices && !word.pattern) return word.choices.some((choice) => isMeant(next, choice)) || word.many ? "maybe" : "no";
      if (word.many && from(at + 1, count) !== "no") return "maybe"; // it may be no word at all
      return head.startsWith(word.start) || word.start.startsWith(head) ? "maybe" : "no";
    }
    if (next === "*") return from(at + 1, count);
    const glued = word.value.startsWith("-") ? [word.value.slice(2), word.value.slice(word.value.indexOf("=") + 1)] : []; // `-mpip`
    if ([word.value, ...glued].some((each) => isMeant(next, each))) return from(at + 1, count + 1);
    if (count === 0 && head.startsWith(word.value) && /^[\w-]+$/.test(head)) return from(at + 1, 1) === "no" ? "no" : "maybe"; // `npm pub`
    if (!word.value.startsWith("-") && !(word.value.startsWith("+") && at === 1)) return "no";
    const without = from(at + 1, count);
    if (without === "yes" || word.value.includes("=") || word.value === "--") return without;
    const withValue = from(at + 2, count);
    return withValue === "no" ? without : withValue;
  };
  return from(1, 0);
}

/** Whether nothing but options follows; `next` in `--tag next` may be a value or an operand. */
function onlyOptions(words: Word[]): Forbidding {
  const isOption = (word: Word | undefined) => word?.value?.startsWith("-") === true;
  if (words.every(isOption)) return "yes";
  return words.every((word, at) => isOption(word) || isOption(words[at - 1])) ? "maybe" : "no";
}

function hasFlag(flag: string, words: Word[]): Forbidding {
  const given = words.slice(1).flatMap(({ value }, at) => (value?.startsWith("-") ? [{ each: value, next: words[at + 2]?.value }] : []));
  const isLetters = /^-[A-Za-z0-9]+$/.test(flag) && !given.some(({ each }) => each === flag);
  const [, name = flag, wanted] = /^(-[^=]*)=(.*)$/s.exec(flag) ?? [];
  const all = isLetters ? Array.from(flag.slice(1), (letter) => `-${letter}`) : [name];
  const isIt = (one: string) =>
    given.some(({ each, next }) => (isMeant(one, each) || mayMean(each, literalHead(one))) && hasValue(each, next));
  const hasValue = (each: string, next = wanted) =>
    wanted === undefined || isMeant(wanted, each.includes("=") ? each.slice(each.indexOf("=") + 1) : next!);
  if (all.every(isIt)) return "yes";
  return words.slice(1).some((word) => word.value === undefined && mayBeOption(word)) ? "maybe" : "no";
}

/** Without its folder, and in lower case, because some file systems ignore case. */
const foldedName = (program: string) => nameOf(program.toLowerCase()).replace(/\.exe$/, "");

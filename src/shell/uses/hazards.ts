// Finds the hazards of one simple command, from the table of programs.

import { handsCode } from "../tables/inline-code.ts";
import { everyday, exactOnly, hazards, runsUnseen } from "../tables/programs.ts";
import type { Hazard, Word } from "../words/analysis.ts";
import { type Invocation, invocationOf } from "../words/invocation.ts";
import { mayBeOption } from "../words/options.ts";
import { subcommandPrograms } from "../words/subcommand.ts";
import { findsOutputs } from "./found-outputs.ts";
import { isQuietSetting } from "./git-settings.ts";
import { looksOnly } from "./looks.ts";
import { runsTree } from "./mentioned-files.ts";
import { ownWords, wordsBeforeScript } from "./own-words.ts";
import { saysVersion } from "./says-version.ts";
import { scriptHazards } from "./script-hazards.ts";

/** `subcommand`: the program and its second word, if the entry is about that alone. */
type Entry = {
  program: string;
  subcommand?: string;
  options: string[];
  operands: string[];
  signs: Set<string>;
  /** Its first operand is a group of option letters. */
  bundles: boolean;
  /** Words that look like options count as such even after "--". */
  expressive: boolean;
  does: string;
  unseen: boolean;
};

const table = new Map<string, Entry[]>();
for (const entry of hazards) {
  const [first = "", ...others] = entry[0].split(" ");
  const isSubcommand = subcommandPrograms.has(first) && others.length === 1 && hazards.some(([program]) => program === first);
  const listed = entry[1].split(" ").filter(Boolean);
  for (const key of isSubcommand ? [entry[0]] : [first, ...others])
    table.set(key, [
      ...(table.get(key) ?? []),
      {
        program: entry[0],
        ...(isSubcommand && { subcommand: entry[0] }),
        options: listed.filter((each) => /^[-!]./.test(each)),
        operands: listed.filter((each) => each.startsWith("=") && each !== "=2" && each !== "=1").map((each) => each.slice(1)),
        signs: new Set(listed.filter((each) => ["*", "**", "-", "=1", "=2"].includes(each))),
        bundles: others.includes("bsdtar"),
        expressive: first === "find",
        does: entry[2],
        unseen: runsUnseen.has(entry[2]),
      },
    ]);
}

export function isListed(program: string): boolean {
  return table.has(program);
}

export function hazardsOf(invocation: Invocation): Hazard[] {
  const { program, sub, verb } = invocation;
  if (saysVersion(invocation.words)) return [];
  const words = wordsBeforeScript(program, ownWords(invocation));
  let found = scriptHazards({ program, words, sub, verb });
  if (exactOnly.has(program))
    found.push({ at: 0, option: false, does: `${program} runs programs outside of this command`, exactOnly: true });
  const ofVerb = verb === undefined ? undefined : table.get(`${program} ${verb}`);
  const looks = looksOnly(invocation) !== undefined;
  for (const entry of table.get(program) ?? []) {
    if (looks && entry.signs.has("*")) continue; // the entry is about the other uses of the program
    // Options after a subcommand with its own entries belong to that subcommand, and git reads its own options only before it.
    const own = sub !== undefined && (program === "git" || ofVerb) ? words.slice(0, sub + 1) : words;
    const uses = usesIn(looks ? otherUses(entry, own) : entry, own, 1);
    if (uses.length > 0) found.push(...(program === "git" ? uses.filter(({ at }) => !isQuietSetting(own, at)) : uses));
  }
  if (sub !== undefined && verb === undefined)
    found.push({ at: sub, option: false, does: `what ${program} does is not known before it runs` });
  if (verb !== undefined && everyday.get(program)?.has(verb) === false) {
    const does = `${program} ${verb} is not one of ${program}'s everyday commands`;
    found.push({ at: sub!, option: false, does, ...(program === "git" && { exactOnly: true }) });
  }
  for (const entry of ofVerb ?? []) found.push(...usesIn(entry, words, sub! + 1));
  if (program === "curl") found = found.filter(({ at }) => !isThrownAway(words, at));
  if (program === "find" && findsOutputs(words)) found = found.filter(({ at }) => words[at]?.value !== "-delete");
  // Without an operand, code is read from standard input, as with "-".
  for (const hazard of found)
    if (handsCode(program, hazard.at > 0 ? words[hazard.at]?.value : hazard.option ? "-" : undefined)) hazard.code = true;
  if (runsTree.has(program) && program !== "go") found.push(...inlineSettings(words));
  // `python -m pytest -p x` is `pytest -p x`.
  if (words[1]?.value === "-m" && words[2]?.value !== undefined && /^python[23]?$/.test(program))
    found.push(...hazardsOf(invocationOf(words[2].value, words.slice(2))).map((hazard) => ({ ...hazard, at: hazard.at + 2 })));
  return found;
}

/** Without the subcommand, whose read-only uses have a table. */
const otherUses = (entry: Entry, [, verb]: Word[]): Entry => ({
  ...entry,
  operands: entry.operands.filter((each) => each !== verb?.value),
});

/** `-o /dev/null`: the output is discarded. */
function isThrownAway(words: Word[], at: number): boolean {
  return /^(?:-[sSfiIkg]*o|--output)$/.test(words[at]?.value ?? "") && words[at + 1]?.value === "/dev/null";
}

/** Settings and code in the arguments themselves, as opposed to a file of the tree. */
function inlineSettings(words: Word[]): Hazard[] {
  if (!words.some(({ text, value }) => (value === undefined ? text.startsWith("<(") : /[{:]|\/(?:dev|proc)\//.test(value)))) return [];
  return words.flatMap(({ text, value = text }, at): Hazard[] => {
    const [, name = words[at - 1]?.value ?? "", given = value] = /^(--?[\w-]+)=(.*)$/s.exec(value) ?? [];
    const brings = /^-(?:f|c|-?config|-?file|-?makefile|-?plugin|-?reporters?|-?loader|-?parser)$/.test(name) && broughtAlong.test(given);
    return at > 0 && brings ? [{ at, option: true, does: "its arguments contain settings or code" }] : [];
  });
}

const broughtAlong = /^(?:\{|<\(|data:|\/dev\/(?:stdin|fd\/)|\/proc\/)/;

function usesIn(
  { program, subcommand, options, operands, signs, bundles, expressive, does, unseen }: Entry,
  words: Word[],
  from: number,
): Hazard[] {
  const found: Hazard[] = [];
  const add = (at: number, option: boolean) =>
    found.push({ at, option, does: `${subcommand ?? words[0]?.text} ${does}`, ...(unseen && { unseen }) });
  if (signs.has("*")) add(from - 1, false);
  if (signs.has("**")) add(words.length, false); // no wildcard rule spells that out
  if (options.length + operands.length + signs.size === 0) return found;
  const taking = valued.get(program);
  let count = 0;
  for (let at = from; at < words.length; at++) {
    const word = words[at]!;
    // The first word of tar is a group of options even without a dash.
    const text = at === 1 && bundles && /^[A-Za-z]/.test(word.value ?? "") ? `-${word.value}` : word.value;
    if (taking && !word.many && taking.test(words[at - 1]?.value ?? "")) continue;
    if (text === "--" && !expressive) {
      if (signs.has("=2") && count + words.length - at - 1 >= 2) add(at, false);
      break;
    }
    if (
      text === undefined &&
      mayBeOption(word) &&
      (word.start === "" || signs.has("-") || options.some((each) => mayBecome(each, word.start)))
    ) {
      if (options.some((each) => each.startsWith("-")) || signs.has("-")) add(at, true);
    }
    if (text?.startsWith("-") && text.length > 1) {
      if (!holding.get(words[0]?.value ?? "")?.test(text) && isListedOption(text, options)) add(at, true);
    } else {
      const before = count;
      count += word.pattern === undefined && !word.many ? 1 : 2;
      if (signs.has("-") && (text === "-" || isStream(word))) add(at, true);
      if ((before === 0 && signs.has("=1")) || (before < 2 && count >= 2 && signs.has("=2"))) add(at, false);
      if (operands.some((each) => fitsOperand(each, text ?? word.start))) add(at, false);
    }
  }
  // An interpreter without operands reads its program from standard input, which others may write.
  if (
    signs.has("-") &&
    count === 0 &&
    !words.slice(1).some(({ value }) => /^(--version|--help|-V|-v|-h|--test|--check|--v8-options)$/.test(value ?? ""))
  )
    add(0, true);
  return found;
}

/** A script read from a place that the command itself may write. */
const isStream = ({ text, value }: Word) =>
  value === undefined ? text.startsWith("<(") : /^\/(dev\/(stdin|fd\/)|proc\/[^/]+\/fd\/)/.test(value);

const mayBecome = (listed: string, start: string) => listed.startsWith(start) || start.startsWith(listed);

/** The word after one of these options is its value, even if it looks like an option. */
const valued = new Map(
  Object.entries({
    xxd: /^-[lscgon]$/,
    "git commit": /^-[a-z]*m$|^--message$|^--author$|^--date$/,
    "git tag": /^-[a-z]*m$|^--message$/,
    "git merge": /^-m$|^--message$/,
    "git log": /^(-S|-G|--grep|--author|--since|--until|--after|--before|--format|--pretty|-n|-L)$/,
    "git push": /^(-o|--push-option)$/,
    gh: /^(-t|--title|-b|--body|-l|--label|-a|--assignee|-r|--reviewer|-m|--milestone|-q|--jq|--json|-B|--base|-H|--head|-L|--limit|-s|--state|-S|--search)$/,
  }),
);

/** Options with their value attached: what follows the letter is not a group of options. */
const holding = new Map(
  Object.entries({ "awk gawk mawk nawk": /^-[Fv]./, rg: /^-[tTge]./, "fd fdfind": /^-[etE]./ }).flatMap(([programs, option]) =>
    programs.split(" ").map((program) => [program, option] as const),
  ),
);

function fitsOperand(word: string, begin: string): boolean {
  return /^[a-z][a-z-]*$/.test(word)
    ? begin === word || (["git", "http", "file"].includes(word) && begin.startsWith(word))
    : begin.startsWith(word);
}

export function isListedOption(text: string, listed: string[]): boolean {
  const name = text.replace(/=.*/s, "");
  if (listed.length === 0) return false;
  // Programs with one-dash long options often accept them with two dashes.
  if (name.startsWith("--") && listed.includes("!clusters") && listed.includes(name.slice(1))) return true;
  if (listed.includes(`!${name}`)) return false;
  if (text.startsWith("--"))
    return listed.some((each) => each === text || (each.startsWith("--") && name.length > 2 && each.startsWith(name)));
  if (
    listed.some(
      (each) =>
        each.startsWith("-") &&
        !each.startsWith("--") &&
        each.length > 2 &&
        (each === name || (each.endsWith(":") && name.startsWith(each)) || (each.endsWith("*") && name.startsWith(each.slice(0, -1)))),
    )
  )
    return true;
  if (listed.includes("!clusters")) return listed.includes(name);
  return listed.some((each) => each.length === 2 && each.startsWith("-") && (each === text || clusterHas(text, each[1]!)));
}

/** Short options may be combined, and the last may have its value attached; in doubt, a letter counts anywhere in the group. */
function clusterHas(text: string, letter: string): boolean {
  const letters = /^-([A-Za-z0-9:#@?]*)/.exec(text)![1]!;
  return letters.includes(letter);
}

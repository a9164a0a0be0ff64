// All the phrases that secrets stand in, and how they are looked for: near their marks, since most of a long text has none.

import { mayHave, type Pairs } from "../formats/marks.ts";
import type { Found } from "../values/assignments.ts";
import { isPlaceholder } from "../values/placeholders.ts";
import { callPhrases } from "./calls.ts";
import { clientPhrases } from "./clients.ts";
import { commandPhrases } from "./commands.ts";
import { devicePhrases } from "./devices.ts";
import { inputPhrases } from "./input.ts";
import { optionPhrases } from "./options.ts";
import { pagePhrases } from "./pages.ts";
import { pairPhrases } from "./pairs.ts";
import type { Phrase } from "./phrase.ts";
import { placePhrases } from "./places.ts";
import { programPhrases } from "./programs.ts";
import { sentencePhrases } from "./sentences.ts";
import { statementPhrases } from "./statements.ts";
import { storePhrases } from "./stores.ts";

export const phrases: Phrase[] = [
  ...statementPhrases,
  ...sentencePhrases,
  ...placePhrases,
  ...programPhrases,
  ...commandPhrases,
  ...storePhrases,
  ...devicePhrases,
  ...optionPhrases,
  ...inputPhrases,
  ...callPhrases,
  ...clientPhrases,
  ...pagePhrases,
  ...pairPhrases,
];

/** Many phrases have the same marks: each is looked for once in a text, by its number. */
const allMarks = [...new Set(phrases.flatMap(({ marks }) => marks))];
const numberOf = new Map(allMarks.map((mark, number) => [mark, number]));
const numbered = phrases.map((phrase) => ({ ...phrase, numbers: phrase.marks.map((mark) => numberOf.get(mark)!) }));

const nowhere: readonly number[] = [];

/** `small`: the text in small letters, and the pairs of its characters. */
export function findPhrases(text: string, { small, pairs }: { small: string; pairs: Pairs }): Found[] {
  const known: (readonly number[])[] = allMarks.map((mark) => (mayHave(pairs, mark) ? placesIn(small, mark) : nowhere));
  return numbered.flatMap(({ kind, numbers, pattern, each, fits }) => {
    const places: number[] = [];
    for (const number of numbers) if (known[number] !== nowhere) places.push(...known[number]!);
    return places.length === 0
      ? []
      : matchesNear(regionsOf(places), { text, pattern }).flatMap((match) => {
          const list = match.groups?.["list"];
          const offset = list === undefined || !each ? 0 : match.index + match[0].indexOf(list);
          return (list === undefined || !each ? [match] : [...list.matchAll(each)]).flatMap((one) => {
            const groups = { ...one.groups } as Record<string, string>;
            const secret = groups["secret"] ?? groups["other"] ?? groups["bare"] ?? "";
            if (!(fits ? fits(groups) : !isPlaceholder(secret))) return [];
            const start = offset + one.index + one[0].lastIndexOf(secret);
            return { kind, start, end: start + secret.length };
          });
        });
  });
}

type Region = { start: number; end: number };

function placesIn(small: string, mark: string): number[] {
  const found: number[] = [];
  for (let at = small.indexOf(mark); at !== -1; at = small.indexOf(mark, at + reachBehind / 4)) found.push(at);
  return found;
}

/** Around each of the marks, as far before and behind it as a match can reach: most of a long text need not be looked at. */
function regionsOf(places: number[]): Region[] {
  const regions: Region[] = [];
  for (const at of places.toSorted((a, b) => a - b)) {
    const last = regions.at(-1);
    const end = at + reachBehind;
    if (last && at - reachBefore <= last.end) last.end = Math.max(last.end, end);
    else regions.push({ start: Math.max(0, at - reachBefore), end });
  }
  return regions;
}

const reachBefore = 600;
/** A session may be 4,000 characters long; marks nearer than a quarter of this are within the reach of the one before. */
const reachBehind = 6000;

function matchesNear(regions: Region[], { text, pattern }: { text: string; pattern: RegExp }): RegExpExecArray[] {
  return regions.flatMap(({ start, end }) => {
    const lineEnd = text.indexOf("\n", end);
    const part = end >= text.length ? text : text.slice(0, lineEnd !== -1 && lineEnd < end + reachBehind ? lineEnd : end);
    const matches: RegExpExecArray[] = [];
    pattern.lastIndex = start;
    for (let match = pattern.exec(part); match; match = pattern.exec(part)) {
      matches.push(match);
      if (match[0] === "") pattern.lastIndex++;
    }
    return matches;
  });
}

// All rules that find a secret by its context. Only the surroundings of their keywords are searched, because most of a long text has none.

import { ruleSearch } from "../formats/keyword-search.ts";
import type { Found } from "../values/assignments.ts";
import { isPlaceholder } from "../values/placeholders.ts";
import { callRules } from "./calls.ts";
import { clientRules } from "./clients.ts";
import { commandRules } from "./commands.ts";
import type { ContextRule } from "./context-rule.ts";
import { deviceRules } from "./devices.ts";
import { inputRules } from "./input.ts";
import { optionRules } from "./options.ts";
import { pageRules } from "./pages.ts";
import { pairRules } from "./pairs.ts";
import { placeRules } from "./places.ts";
import { programRules } from "./programs.ts";
import { sentenceRules } from "./sentences.ts";
import { statementRules } from "./statements.ts";
import { storeRules } from "./stores.ts";

export const contextRules: ContextRule[] = [
  ...statementRules,
  ...sentenceRules,
  ...placeRules,
  ...programRules,
  ...commandRules,
  ...storeRules,
  ...deviceRules,
  ...optionRules,
  ...inputRules,
  ...callRules,
  ...clientRules,
  ...pageRules,
  ...pairRules,
];

const reachBefore = 600;
/** A session token may have 4,000 characters; keywords closer to each other than a quarter of this share a region. */
const reachBehind = 6000;

const search = ruleSearch(contextRules, reachBehind / 4);

export function findByContext(text: string): Found[] {
  return search(text.toLowerCase()).flatMap(([number, near]) => {
    const rule = contextRules[number]!;
    return matchesNear(regionsOf(near), { text, pattern: rule.pattern }).flatMap((match) => judged(match, rule));
  });
}

function judged(match: RegExpExecArray, { kind, each, accepts }: ContextRule): Found[] {
  const list = each && match.groups?.["list"];
  const offset = list === undefined ? 0 : match.index + match[0].indexOf(list);
  return (list === undefined ? [match] : [...list.matchAll(each!)]).flatMap((one) => {
    const { secret: quoted, other, bare, name = "" } = one.groups ?? {};
    const secret = quoted ?? other ?? bare ?? "";
    if (!(accepts ? accepts(secret, name) : !isPlaceholder(secret))) return [];
    const start = offset + one.index + one[0].lastIndexOf(secret);
    return { kind, start, end: start + secret.length };
  });
}

type Region = { start: number; end: number };

/** The regions around the keywords, as far before and after as a match can reach. */
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

// What a hook's matcher says: names, regular expressions and permission rules, in the forms that hooks of other products use too.

import type { RulePlaces } from "../permissions/paths/path-rules.ts";
import { parseRule, type Rule } from "../permissions/rules.ts";
import { ourTool } from "./other-tool-names.ts";

/** `rule`: a call that it is about. `name`: exactly that name. `pattern`: a name in which it is found. */
export type Alternative =
  | { kind: "name"; name: string }
  | { kind: "pattern"; pattern: RegExp }
  | { kind: "rule"; rule: Rule; pattern?: RegExp };

/** One of the alternatives has to fit; none at all fits everything. */
export type Matcher = readonly Alternative[];

/**
 * `Edit|Write` are names, `Bash(git push:*)` is a permission rule, and everything else, such as `mcp__.*__write`, is a regular expression. What can
 * be read as a rule and as an expression counts as both. The reason continues a sentence about the matcher.
 */
export function readMatcher(text: string, places?: RulePlaces): { ok: true; matcher: Matcher } | { ok: false; reason: string } {
  if (text === "" || text === "*") return { ok: true, matcher: [] };
  const read = alternativesIn(text).map((part) => readAlternative(part, places));
  const wrong = read.find((one) => "reason" in one);
  return wrong ? { ok: false, reason: wrong.reason } : { ok: true, matcher: read as Alternative[] };
}

/** Plain names of it, for a look at whether they exist. */
export function namesIn(text: string): string[] {
  return alternativesIn(text).filter((part) => plainName.test(part));
}

const plainName = /^[\w:-]+$/;

function readAlternative(text: string, places: RulePlaces | undefined): Alternative | { reason: string } {
  if (plainName.test(text)) return { kind: "name", name: text };
  const pattern = expression(text);
  const [, tool, inner] = /^([A-Za-z]\w*)\s*\((.*)\)$/s.exec(text) ?? [];
  const parsed = tool === undefined ? undefined : parseRule(`${ourTool(tool)}(${inner})`, places);
  if (parsed?.ok) return { kind: "rule", rule: parsed.rule, ...(pattern && { pattern }) };
  if (pattern) return { kind: "pattern", pattern };
  return { reason: parsed ? `is no rule: ${parsed.reason.replace(/^.*?": /, "")}` : "is neither names nor a regular expression" };
}

/** Divided at `|` and `,` outside of brackets. */
export function alternativesIn(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const sign of text) {
    if ("([{".includes(sign)) depth++;
    if (")]}".includes(sign)) depth--;
    if (depth === 0 && (sign === "|" || sign === ",")) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

function expression(text: string): RegExp | undefined {
  try {
    return new RegExp(text);
  } catch {
    return undefined; // not an expression: a rule, or the person is told
  }
}

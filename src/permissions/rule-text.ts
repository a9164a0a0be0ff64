// Writes rules about files as a person would: with relative patterns for paths below the working directory.
import { relative } from "node:path";
import type { PathPattern, RulePlaces } from "./paths/path-rules.ts";
import { within } from "./paths/places.ts";
import { parseRule, type Rule, showRule } from "./rules.ts";

type Places = Pick<RulePlaces, "cwd" | "home">;

/** `Edit(src/**)` for `Edit(//repo/src/**)` in `/repo`; the absolute form if no relative one covers exactly the same. */
export function ruleText(rule: Rule, places: Places): string {
  const absolute = showRule(rule);
  const at = patternOf(rule, places);
  if (!at || at.loose || at.rest === undefined || !within(places.cwd, at.start)) return absolute;
  const path = [relative(places.cwd, at.start), at.rest].filter((part) => part !== "").join("/");
  const found = [path, `./${path}`].find((candidate) => sameFiles(patternIn(`${rule.tool}(${candidate})`, places), at));
  return found === undefined ? absolute : `${rule.tool}(${found})`;
}

/** Rewrites a relative rule so that it means the same in another working directory. */
export function lastingText(text: string, cwd: string): string {
  const places = { cwd, home: cwd };
  const at = patternIn(text, places);
  if (!at || at.loose || at.rest === undefined || /^[/~]/.test(at.written)) return text;
  const [, tool] = /^\s*(\w+)/.exec(text) ?? [];
  const lasting = `${tool}(/${[at.start, at.rest].filter((part) => part !== "").join("/")})`;
  return sameFiles(patternIn(lasting, places), at) ? lasting : text;
}

function patternOf(rule: Rule, places: Places): PathPattern | undefined {
  if (rule.kind === "path") return rule.pattern;
  return rule.kind === "file" ? patternIn(showRule(rule), places) : undefined;
}

function patternIn(text: string, { cwd, home }: Places): PathPattern | undefined {
  const parsed = parseRule(text, { cwd, home, folder: cwd });
  return parsed.ok && parsed.rule.kind === "path" ? parsed.rule.pattern : undefined;
}

function sameFiles(one: PathPattern | undefined, other: PathPattern): boolean {
  return one !== undefined && !one.loose && one.start === other.start && one.rest === other.rest;
}

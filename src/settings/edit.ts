// Adds a rule or a value to a settings file or removes one, leaving the rest of the file as it was written.
import { isDeepStrictEqual } from "node:util";
import { type JsonPlace, jsonPlaces } from "./json-places.ts";
import type { Settings } from "./settings.ts";

export type RuleKind = "allow" | "ask" | "deny";

/** The new text, and whether the rule was already there. The text must be valid settings; undefined if there is no file yet. */
export function addRule(text: string | undefined, kind: RuleKind, rule: string): { text: string; there: boolean } {
  const before = text?.trim() ? withoutMark(text) : "{}\n";
  const settings = JSON.parse(before) as Settings;
  const rules = settings.permissions?.[kind] ?? [];
  if (rules.includes(rule)) return { text: before, there: true };
  const wanted = { ...settings, permissions: { ...settings.permissions, [kind]: [...rules, rule] } };
  return { text: kept(insertRule(before, kind, rule), wanted), there: false };
}

/** Removes the rule from each of the kinds, and lists that become empty. `removed`: the kinds that contained it. */
export function removeRule(text: string, kinds: RuleKind[], rule: string): { text: string; removed: RuleKind[] } {
  const removed: RuleKind[] = [];
  let now = withoutMark(text);
  for (const kind of kinds) {
    const settings = JSON.parse(now) as Settings;
    const rules = settings.permissions?.[kind] ?? [];
    if (!rules.includes(rule)) continue;
    const left = rules.filter((one) => one !== rule);
    const { [kind]: _emptied, ...others } = settings.permissions ?? {};
    const { permissions: _all, ...rest } = settings;
    if (left.length > 0) {
      const indexes = rules.flatMap((one, index) => (one === rule ? [index] : []));
      now = kept(cutRules(now, kind, indexes), { ...settings, permissions: { ...settings.permissions, [kind]: left } });
    } else if (Object.keys(others).length > 0) now = kept(cut(now, ["permissions", kind]), { ...settings, permissions: others });
    else now = kept(cut(now, ["permissions"]), rest);
    removed.push(kind);
  }
  return { text: now, removed };
}

/** `path`: the keys that lead to the value. The text must be JSON; undefined if there is no file yet. */
export function setValue(text: string | undefined, path: readonly string[], value: unknown): string {
  const before = text?.trim() ? withoutMark(text) : "{}\n";
  return kept(placed(before, path, value), withValue(JSON.parse(before) as Tree, path, value));
}

/** Also removes the groups that become empty. Undefined if there is no such value. */
export function unsetValue(text: string, path: readonly string[]): string | undefined {
  const before = withoutMark(text);
  const scanned = jsonPlaces(before);
  if (!("places" in scanned) || !scanned.places.at(path)) return undefined;
  const isAlone = (length: number) => Object.keys(valueAt(JSON.parse(before), path.slice(0, length)) as Tree).length === 1;
  let length = path.length;
  while (length > 1 && isAlone(length - 1)) length--;
  return kept(cut(before, path.slice(0, length)), withValue(JSON.parse(before) as Tree, path.slice(0, length), undefined));
}

type Tree = { [key: string]: unknown };

/** Undefined if a key on the way does not exist. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isTree(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);

/** Undefined as the value removes the key. */
function withValue(tree: Tree, [key = "", ...rest]: readonly string[], value: unknown): Tree {
  const { [key]: inner, ...others } = tree;
  if (rest.length > 0) return { ...tree, [key]: withValue(isTree(inner) ? inner : {}, rest, value) };
  return value === undefined ? others : { ...tree, [key]: value };
}

function placed(text: string, path: readonly string[], value: unknown): string {
  const scanned = jsonPlaces(text);
  if (!("places" in scanned)) return "";
  const there = scanned.places.at(path);
  if (there) return text.slice(0, there.start) + JSON.stringify(value) + text.slice(there.end);
  const depth = path.findLastIndex((_, index) => scanned.places.at(path.slice(0, index)) !== undefined);
  const [key = "", ...rest] = path.slice(depth);
  const item = rest.toReversed().reduce((inner, name) => `{ ${JSON.stringify(name)}: ${inner} }`, JSON.stringify(value));
  return inside(text, scanned.places.at(path.slice(0, depth)) as JsonPlace, `${JSON.stringify(key)}: ${item}`);
}

/** Some editors begin a file with a byte order mark, which JSON does not allow. */
const withoutMark = (text: string) => text.replace(/^\uFEFF/, "");

/** If editing the text does not give the wanted settings, they are written from scratch. */
function kept(edited: string, wanted: unknown): string {
  try {
    if (isDeepStrictEqual(JSON.parse(edited), wanted)) return edited;
  } catch {
    // No longer JSON.
  }
  return `${JSON.stringify(wanted, null, 2)}\n`;
}

function insertRule(text: string, kind: RuleKind, rule: string): string {
  const scanned = jsonPlaces(text);
  if (!("places" in scanned)) return "";
  const at = (...path: (string | number)[]) => scanned.places.at(path);
  const list = at("permissions", kind);
  if (list) return inside(text, list, JSON.stringify(rule));
  const permissions = at("permissions");
  if (permissions) return inside(text, permissions, `${JSON.stringify(kind)}: [${JSON.stringify(rule)}]`);
  return inside(text, at() as JsonPlace, `"permissions": {\n    ${JSON.stringify(kind)}: [\n      ${JSON.stringify(rule)}\n    ]\n  }`);
}

/** Inserts an item after the last one of an object or list, on its own line if the last one has its own. */
function inside(text: string, { start, end }: JsonPlace, item: string): string {
  const body = text.slice(start + 1, end - 1);
  const filled = body.trimEnd();
  const close = text.slice(end - 1);
  if (filled === "") {
    const indent = /[^\n]*$/.exec(text.slice(0, start))![0].match(/^\s*/)![0];
    return `${text.slice(0, start + 1)}\n${indent}  ${item}\n${indent}${close}`;
  }
  const lead = /^\s*/.exec(body)![0] || " ";
  return `${text.slice(0, start + 1)}${filled},${lead}${item}${body.slice(filled.length)}${close}`;
}

function cutRules(text: string, kind: RuleKind, indexes: number[]): string {
  return indexes.toReversed().reduce((now, index) => cut(now, ["permissions", kind, index]), text);
}

/** Removes an item of a list, or a value with its name. */
function cut(text: string, path: (string | number)[]): string {
  const scanned = jsonPlaces(text);
  const item = "places" in scanned ? scanned.places.at(path) : undefined;
  if (!item) return text;
  const named = text.slice(0, item.start);
  const before = typeof path.at(-1) === "string" ? named.replace(/"(?:[^"\\]|\\.)*"\s*:\s*$/, "") : named;
  const after = text.slice(item.end);
  if (/^\s*,/.test(after)) return before + after.replace(/^\s*,\s*/, "");
  const shorter = before.replace(/,?\s*$/, "");
  return shorter + (/[[{]$/.test(shorter) ? after.trimStart() : after);
}

// Reads the front matter of a file by a table of allowed values and reports all mistakes at once. Definitions of agents and skills share it, each
// with its own table.
import type { z } from "zod";
import { parseRule, toolNames } from "../../permissions/rules.ts";
import { ourTool } from "../../settings/other-tool-names.ts";
import { nearestName } from "../../wording/nearest-name.ts";
import type { Mistake } from "./definition.ts";
import type { Entry, ReadFrontMatter } from "./front-matter.ts";

/**
 * `level`: the level of an invalid value. `expects`: completes "… must be". `elsewhere`: values of other products that have no effect here.
 * `plain`: a text that people write without quotes even where YAML reads something else.
 */
export type Key = { schema: z.ZodType; level: Mistake["level"]; expects: string; elsewhere?: readonly string[]; plain?: true };

export const key = (schema: z.ZodType, level: Key["level"], expects: string): Key => ({ schema, level, expects });

export type KeyTable = Readonly<Record<string, Key>>;

/** A mistake before its file and line are known. */
export type Noted = Omit<Mistake, "file" | "line">;

export type KeyReading<Keys extends KeyTable> = {
  keys: Keys;
  /** Keys with a text as value. */
  textKeys: readonly string[];
  /** Keys of other products that are ignored without a warning. */
  known?: readonly string[];
  /** Further mistakes in a valid value. */
  notes(key: string, value: unknown): Noted[];
};

/** `given`: all keys in the file, valid or not. */
export type ReadKeys<Keys extends KeyTable> =
  | { ok: true; values: Partial<Record<keyof Keys, unknown>>; given: ReadonlySet<string>; body: string; mistakes: Mistake[] }
  | { ok: false; mistakes: Mistake[] };

/** Never throws. */
export function readKeys<Keys extends KeyTable>(
  { text, file }: { text: string; file: string },
  readFrontMatter: ReadFrontMatter,
  reading: KeyReading<Keys>,
): ReadKeys<Keys> {
  const front = readFrontMatter(text, reading.textKeys);
  if (!front.ok) return { ok: false, mistakes: [{ level: "error", file, ...front.fault }] };
  const entries = new Map<string, Entry>();
  for (const entry of front.entries) if (!entries.has(entry.key)) entries.set(entry.key, entry);
  const mistakes: Mistake[] = front.faults.map((fault) => ({ level: "error", file, ...fault }));
  const values: Partial<Record<keyof Keys, unknown>> = {};
  for (const entry of entries.values()) {
    const read = readEntry(entry, reading);
    if (read.value !== undefined) values[entry.key as keyof Keys] = read.value;
    mistakes.push(...read.mistakes.map((mistake) => ({ ...mistake, file, line: entry.line })));
  }
  return { ok: true, values, given: new Set(entries.keys()), body: front.body, mistakes };
}

function readEntry(entry: Entry, { keys, known = [], notes }: KeyReading<KeyTable>): { value?: unknown; mistakes: Noted[] } {
  const found = Object.hasOwn(keys, entry.key) ? keys[entry.key] : undefined;
  if (!found) return { mistakes: known.includes(entry.key) ? [] : [unknownKey(entry.key, Object.keys(keys))] };
  const { schema, expects, elsewhere } = found;
  const parsed = schema.safeParse(entry.value);
  if (!parsed.success) {
    const what = `"${entry.key}" must be ${expects}, and is ${entry.value === null ? "empty" : shown(entry.value)}.`;
    const limitsNothing = entry.value === null || (typeof entry.value === "string" && elsewhere?.includes(entry.value));
    const level = limitsNothing ? "warning" : found.level;
    return { mistakes: [{ level, found: what, action: level === "error" ? "Correct it, or leave the line out." : "It is left out." }] };
  }
  return { value: parsed.data, mistakes: [...(found.plain ? [] : repairNote(entry)), ...notes(entry.key, parsed.data)] };
}

function unknownKey(name: string, keys: string[]): Noted {
  const near = nearestName(name, keys);
  const found = `Unknown key ${shown(name)}.`;
  // What was meant to limit an agent must not be without effect because of a letter.
  if (near) return { level: "error", found, action: `Did you mean "${near}"?` };
  return { level: "warning", found, action: `It has no effect. Known keys: ${keys.join(", ")}.` };
}

function repairNote({ key: name, repaired }: Entry): Noted[] {
  if (!repaired) return [];
  const found = `The text of "${name}" is not valid YAML, most often because of a colon, and is read as plain text.`;
  return [{ level: "warning", found, action: `Put it in quotes, or write "${name}: |" and the text indented below.` }];
}

/** Tools of other products whose work another tool does, in another way. */
const foreignTools: Record<string, string> = { LS: "Glob", WebSearch: "WebFetch" };

/** A tool as a definition names it, with our name if it has another one elsewhere. */
export function ourToolIn(text: string): string {
  return text.trim().replace(/^[\w-]+/, ourTool);
}

/** Mistakes in the name of a tool, or in a permission rule about one. */
export function toolNote(text: string): Noted[] {
  const name = /^\s*([\w-]+)/.exec(text)?.[1] ?? "";
  const parsed = parseRule(text);
  if (parsed.ok) return [];
  const ours = ourToolIn(text);
  if (parseRule(ours).ok) return [{ level: "warning", found: `There is no tool ${shown(text)}.`, action: `${ours} is taken instead.` }];
  if (toolNames.includes(name)) return [{ level: "error", found: `${parsed.reason}.`, action: "Correct the rule, or leave it out." }];
  const foreign = Object.hasOwn(foreignTools, name) ? foreignTools[name] : undefined;
  const near = nearestName(name, toolNames);
  const action = foreign ? `Its work is done by ${foreign}: write that.` : near ? `Did you mean ${near}?` : "It has no effect; remove it.";
  return [{ level: "warning", found: `There is no tool ${shown(text)}.`, action }];
}

/** The text of a broken YAML list without its brackets. */
export const unlisted = (text: string) => (/^\s*\[/.test(text) ? text.trim().replace(/^\[|\]$/g, "") : text);

/** An entry of a broken YAML list without the list punctuation around it. */
export const withoutListSigns = (text: string) =>
  text
    .trim()
    .replace(/^-\s+/, "")
    .replaceAll(/^["']|["']$/g, "");

/** Formats a value for a message. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}

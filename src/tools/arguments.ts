// Reads the arguments of a call as our tool expects them. Models are trained on other tools, so each of our tools lists other names for its
// arguments beside its schema. Any other name is refused, because silently dropping an argument misleads the model.

import { z } from "zod";
import { isRecord } from "../wording/is-record.ts";
import type { AnyTool } from "./tool.ts";

/** What another tool's argument means here: one of our arguments, several of them, one with translated values, or nothing. argument-names.ts reads the same
 * tables in the other direction. */
export type Alias =
  | string
  | { each: string[] }
  /** A list of objects with these arguments, of which one alone can be meant. */
  | { one: string[] }
  | { name: string; words: Record<string, string> }
  /** A path, which the other tool takes as an absolute one. */
  | { name: string; absolute: true }
  /** A list of objects, whose properties have aliases too. */
  | { name: string; items: Aliases }
  /** `when`: the only value that is ignored; any other value is refused. Without `when`, every value is ignored. */
  | { ignored: true; when?: unknown };

export type Aliases = Record<string, Alias>;

export type ReadArguments = { ok: true; input: unknown } | { ok: false; reason: string };

/** The reason continues a sentence: `"-Z" is not an argument; it takes pattern, path`. */
export function readArguments({ input, aliases = {} }: Pick<AnyTool, "input" | "aliases">, raw: unknown): ReadArguments {
  const renamed = isRecord(raw) ? withOurNames(raw, aliases) : ({ ok: true, input: raw } as const);
  if (!renamed.ok) return renamed;
  const parsed = input.safeParse(renamed.input);
  if (parsed.success) return { ok: true, input: parsed.data };
  const meant = asMeant(renamed.input, parsed.error.issues, input);
  const again = isRecord(meant) ? withOurNames(meant, aliases) : ({ ok: true, input: meant } as const);
  const reparsed = input.safeParse(again.ok ? again.input : meant);
  if (reparsed.success) return { ok: true, input: reparsed.data };
  return { ok: false, reason: parsed.error.issues.map((issue) => issueText(issue, input)).join("; ") };
}

/** Converts values whose meaning is clear although their type is wrong: `"5"` for 5, a list written as JSON, null for a missing value. */
function asMeant(raw: unknown, issues: z.core.$ZodIssue[], input: AnyTool["input"]): unknown {
  const meant = structuredClone(raw);
  for (const issue of issues) {
    const name = issue.path.at(-1);
    const holder = issue.path.slice(0, -1).reduce<unknown>((at, step) => (isHolder(at) ? at[String(step)] : undefined), meant);
    if (name === undefined || !isHolder(holder)) continue;
    const key = String(name);
    const value = holder[key];
    if ((value === null || value === "") && mayBeLeftOut(schemaAt(input, issue.path))) delete holder[key];
    else if (issue.code === "invalid_type" && typeof value === "string") holder[key] = readAs[issue.expected]?.(value) ?? value;
  }
  return meant;
}

const readAs: Record<string, (text: string) => unknown> = {
  number: numberIn,
  int: numberIn,
  boolean: (text) => (/^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined),
  array: jsonIn,
  object: jsonIn,
  record: jsonIn,
};

function numberIn(text: string): number | undefined {
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: the schema refuses it as a string
  }
}

const mayBeLeftOut = (schema: unknown) => schema instanceof z.ZodType && schema.safeParse(undefined).success;

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Our own names take precedence over an alias for several; otherwise two names of one argument must say the same. */
function withOurNames(raw: Record<string, unknown>, aliases: Aliases): ReadArguments {
  const input: Record<string, unknown> = {};
  const wide: [string[], unknown][] = [];
  for (const [key, value] of Object.entries(raw)) {
    const alias = Object.hasOwn(aliases, key) ? aliases[key]! : key;
    if (typeof alias === "object" && "ignored" in alias) {
      if ("when" in alias && value !== alias.when) input[key] = value; // the schema refuses it by its name
      continue;
    }
    if (typeof alias === "object" && "each" in alias) {
      wide.push([alias.each, value]);
      continue;
    }
    for (const [name, meant] of meaningOf(alias, key, value)) {
      if (Object.hasOwn(input, name) && input[name] !== meant)
        return { ok: false, reason: `"${key}" and "${name}" mean the same here but differ: give one of them` };
      input[name] = meant;
    }
  }
  for (const [names, value] of wide) for (const name of names) if (!Object.hasOwn(input, name)) input[name] = value;
  return { ok: true, input };
}

/** Which of our arguments it gives which value. A list of several keeps its name, by which the schema refuses it. */
function meaningOf(alias: string | Extract<Alias, { name: string } | { one: string[] }>, key: string, value: unknown): [string, unknown][] {
  if (typeof alias === "string") return [[alias, value]];
  if ("one" in alias) return Object.entries(onlyOne(value) ?? { [key]: value });
  return [[alias.name, inOurTerms(value, alias)]];
}

/** The object in a list of one. */
export function onlyOne(value: unknown): Record<string, unknown> | undefined {
  const [only, ...more] = Array.isArray(value) ? (value as unknown[]) : [];
  return more.length === 0 && isRecord(only) ? only : undefined;
}

/** An item that cannot be translated is left as it is, for the schema to refuse. */
export function inOurTerms(value: unknown, alias: Extract<Alias, { name: string }>): unknown {
  if ("absolute" in alias) return value;
  if ("words" in alias) return typeof value === "string" && Object.hasOwn(alias.words, value) ? alias.words[value] : value;
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    const renamed = isRecord(item) ? withOurNames(item, alias.items) : undefined;
    return renamed?.ok ? renamed.input : item;
  });
}

function issueText(issue: z.core.$ZodIssue, input: AnyTool["input"]): string {
  if (issue.code === "unrecognized_keys") {
    const at = schemaAt(input, issue.path);
    const known = at instanceof z.ZodObject ? Object.keys(at.shape) : [];
    const names = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    const takes = known.length > 0 ? `it takes ${known.join(", ")}` : "it takes no arguments";
    const whole = issue.path.map(String).join(".") || "it";
    return `${names} ${issue.keys.length === 1 ? "is not an argument" : "are not arguments"} of ${whole}; ${takes}`;
  }
  return issue.path.length > 0 ? `${issue.path.map(String).join(".")}: ${issue.message}` : issue.message;
}

function schemaAt(schema: unknown, [step, ...rest]: PropertyKey[]): unknown {
  if (step === undefined) return schema;
  if (schema instanceof z.ZodArray) return schemaAt(schema.element, rest);
  return schemaAt(schema instanceof z.ZodObject ? schema.shape[String(step)] : undefined, rest);
}

// The arguments of a call as a model wrote them, read as those of our tool: models are trained on other tools, whose names for the same
// thing each tool of ours lists beside its schema. Every other name is refused, since an argument that is dropped in silence misleads.
import { z } from "zod";
import type { AnyTool } from "./tool.ts";

/** What another tool's argument is here: one of ours, several of ours, one of ours with other words, or one without a meaning here. */
export type Alias =
  | string
  | { each: string[] }
  | { name: string; words: Record<string, string> }
  /** A list of objects, whose arguments have aliases too. */
  | { name: string; items: Aliases }
  /** `when`: the one value that changes nothing; another one is refused. Without it no value does. */
  | { ignored: true; when?: unknown };

export type Aliases = Record<string, Alias>;

export type ReadArguments = { ok: true; input: unknown } | { ok: false; reason: string };

/** The reason is the second half of a sentence: `"-Z" is not an argument; it takes pattern, path`. */
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

/** What a model plainly means where the type is another: `"5"` for 5, a list written as JSON, null for what is left out. */
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
};

function numberIn(text: string): number | undefined {
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: refused as the text that it is
  }
}

const mayBeLeftOut = (schema: unknown) => schema instanceof z.ZodType && schema.safeParse(undefined).success;

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** What is given by our own name counts before what an alias gives, and a narrow alias before a wide one. */
function withOurNames(raw: Record<string, unknown>, aliases: Aliases): ReadArguments {
  const input: Record<string, unknown> = {};
  const wide: [string[], unknown][] = [];
  for (const [key, value] of Object.entries(raw)) {
    const alias = Object.hasOwn(aliases, key) ? aliases[key]! : key;
    if (typeof alias === "object" && "ignored" in alias) {
      if ("when" in alias && value !== alias.when) input[key] = value; // which the schema refuses by its name
      continue;
    }
    if (typeof alias === "object" && "each" in alias) {
      wide.push([alias.each, value]);
      continue;
    }
    const [name, meant] = typeof alias === "string" ? [alias, value] : [alias.name, inOurTerms(value, alias)];
    if (Object.hasOwn(input, name) && input[name] !== meant) {
      return { ok: false, reason: `"${key}" and "${name}" mean the same here and are not the same: give one of them` };
    }
    input[name] = meant;
  }
  for (const [names, value] of wide) for (const name of names) if (!Object.hasOwn(input, name)) input[name] = value;
  return { ok: true, input };
}

/** An item that cannot be read in our names is left as it is, for the schema to refuse. */
function inOurTerms(value: unknown, alias: { words: Record<string, string> } | { items: Aliases }): unknown {
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// What a server offers: its tools, prompts and resources, checked and cleaned. A server writes these texts for a model, so nothing in them may
// break a request, a screen, or another tool's name.

import { createHash } from "node:crypto";
import { z } from "zod";
import { isRecord } from "../wording/is-record.ts";

export type OfferedTool = {
  /** As the model and rules name it: `mcp__server__tool`. */
  name: string;
  /** As the server names it. */
  called: string;
  description: string;
  schema: Record<string, unknown>;
};
export type OfferedPrompt = { name: string; description: string; arguments: { name: string; description: string; required: boolean }[] };
export type OfferedResource = { uri: string; name: string; description: string; isTemplate: boolean };

/** `leftOut`: tools that cannot be offered, each with the reason. */
export type Catalog = { tools: OfferedTool[]; prompts: OfferedPrompt[]; resources: OfferedResource[]; leftOut: string[] };

/** A server's own answers to the list requests, unchecked. */
export type RawCatalog = { tools: unknown[]; prompts: unknown[]; resources: unknown[]; templates: unknown[] };

const most = { tools: 1_000, prompts: 200, resources: 500, schemaBytes: 64 * 1024, description: 4_000, toolName: 64 };

const text = z.string().catch("");
const rawTool = z.lazy(() => z.object({ name: z.string().min(1), description: text, inputSchema: z.unknown().optional() }));
const argument = z.lazy(() => z.object({ name: z.string().min(1), description: text, required: z.boolean().catch(false) }));
const rawPrompt = z.lazy(() =>
  z.object({ name: z.string().regex(/^[\w.-]{1,64}$/), description: text, arguments: z.array(argument).catch([]) }),
);
const rawResource = z.lazy(() => z.object({ uri: z.string().min(1).max(2_000), name: text, description: text }));
const rawTemplate = z.lazy(() => z.object({ uriTemplate: z.string().min(1).max(2_000), name: text, description: text }));

export function catalogOf(server: string, raw: RawCatalog): Catalog {
  const leftOut: string[] = [];
  const tools = new Map<string, OfferedTool>();
  for (const one of raw.tools.slice(0, most.tools)) {
    const read = toolOf(server, one);
    if ("reason" in read) leftOut.push(read.reason);
    else if (tools.has(read.name)) leftOut.push(`a second tool has the name ${read.name}`);
    else tools.set(read.name, read);
  }
  if (raw.tools.length > most.tools) leftOut.push(`${raw.tools.length - most.tools} tools beyond the first ${most.tools}`);
  const resources = [
    ...read(raw.resources, rawResource).map((one) => ({ ...one, isTemplate: false })),
    ...read(raw.templates, rawTemplate).map(({ uriTemplate: uri, ...one }) => ({ ...one, uri, isTemplate: true })),
  ].map((one) => ({ ...one, name: oneLine(one.name), description: oneLine(one.description), uri: oneLine(one.uri) }));
  const prompts = read(raw.prompts, rawPrompt).map(({ name, description, arguments: given }) => ({
    name,
    description: oneLine(description),
    arguments: given.map((each) => ({ ...each, name: oneLine(each.name), description: oneLine(each.description) })),
  }));
  return { tools: [...tools.values()], prompts: prompts.slice(0, most.prompts), resources: resources.slice(0, most.resources), leftOut };
}

function read<T>(list: unknown[], schema: z.ZodType<T>): T[] {
  return list.flatMap((one) => schema.safeParse(one).data ?? []);
}

function toolOf(server: string, one: unknown): OfferedTool | { reason: string } {
  const parsed = rawTool.safeParse(one).data;
  if (!parsed) return { reason: "a tool without a name" };
  const { name: called, description, inputSchema } = parsed;
  const name = toolName(server, called);
  if (name === undefined)
    return { reason: `the tool ${JSON.stringify(oneLine(called).slice(0, 100))}: nothing of its name can be written in a rule` };
  const schema = schemaOf(inputSchema);
  if (!schema)
    return { reason: `the tool ${JSON.stringify(oneLine(called))}: its input schema is no JSON Schema of an object, or too large` };
  return { name, called, description: clean(description).slice(0, most.description).toWellFormed().trim(), schema };
}

/** One that a rule can name: other characters become `_`, of which never two follow each other, and what is too long ends in a hash of the whole. */
export function toolName(server: string, called: string): string | undefined {
  const plain = called.replaceAll(/[^A-Za-z0-9-]+/g, "_").replaceAll(/^[_-]+|[_-]+$/g, "");
  if (plain === "") return undefined;
  const whole = `mcp__${server}__${plain}`;
  if (whole.length <= most.toolName) return whole;
  const hash = createHash("sha256").update(called).digest("hex").slice(0, 6);
  return `${whole.slice(0, most.toolName - 7).replace(/[_-]+$/, "")}_${hash}`;
}

/** The server in such a name; undefined if it is the name of no server's tool. */
export function serverIn(name: string): string | undefined {
  return /^mcp__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)__[A-Za-z0-9-]/.exec(name)?.[1];
}

/** A server that takes nothing may leave the schema out. */
function schemaOf(given: unknown): Record<string, unknown> | undefined {
  const schema = given === undefined || given === null ? { type: "object" } : given;
  if (!isRecord(schema)) return undefined;
  const { $schema: _dialect, ...rest } = schema;
  const whole = { type: "object", ...rest };
  if (whole.type !== "object" || !isSchema(whole, 0)) return undefined;
  const written = JSON.stringify(whole);
  return Buffer.byteLength(written) > most.schemaBytes ? undefined : (JSON.parse(clean(written)) as Record<string, unknown>);
}

/** Shapes of the keywords of JSON Schema 2020-12 whose wrong use makes a provider refuse the whole request. */
function isSchema(value: unknown, depth: number): boolean {
  if (typeof value === "boolean") return true;
  if (!isRecord(value) || depth > 40) return false;
  return Object.entries(value).every(([key, one]) => {
    const form = keywords.get(key);
    return form === undefined || hasForm(form, one, depth + 1);
  });
}

function hasForm(form: Form, one: unknown, depth: number): boolean {
  const inner = (each: unknown) => isSchema(each, depth);
  switch (form) {
    case "schemas":
      return isRecord(one) && Object.values(one).every(inner);
    case "list":
      return Array.isArray(one) && one.length > 0 && one.every(inner);
    case "schema":
      return inner(one) || (Array.isArray(one) && one.every(inner));
    case "names":
      return Array.isArray(one) && one.every((name) => typeof name === "string");
    case "type":
      return [one].flat().every((name) => typeof name === "string" && types.includes(name));
    case "values":
      return Array.isArray(one);
    case "local":
      return typeof one === "string" && one.startsWith("#");
    case "pattern":
      return typeof one === "string" && isPattern(one);
    case "text":
      return typeof one === "string";
  }
}

type Form = "schemas" | "list" | "schema" | "names" | "type" | "values" | "local" | "pattern" | "text";

const types = ["object", "array", "string", "number", "integer", "boolean", "null"];

const keywordsOf: Record<Form, string> = {
  schemas: "properties patternProperties $defs definitions dependentSchemas",
  list: "allOf anyOf oneOf prefixItems",
  schema: "items additionalProperties not if then else contains propertyNames",
  names: "required",
  type: "type",
  values: "enum",
  local: "$ref",
  pattern: "pattern",
  text: "description title format",
};
const keywords = new Map(Object.entries(keywordsOf).flatMap(([form, list]) => list.split(" ").map((key) => [key, form as Form] as const)));

function isPattern(text: string): boolean {
  try {
    return text.length <= 1_000 && new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * The provider takes no choice between schemas at the top and no names of other characters than these: such a schema is part of the description
 * instead. https://docs.anthropic.com/en/docs/agents-and-tools/tool-use
 */
export function sendable({ description, schema }: Pick<OfferedTool, "description" | "schema">): {
  description: string;
  schema: Record<string, unknown>;
} {
  const { properties = {} } = schema;
  const isPlain = !["allOf", "anyOf", "oneOf", "not", "if"].some((key) => key in schema);
  const areNames = Object.keys(properties as object).every((name) => /^[\w.-]{1,64}$/.test(name));
  if (isPlain && areNames) return { description, schema };
  return { description: `${description}\nIts input: ${JSON.stringify(schema)}`.trim(), schema: { type: "object" } };
}

/** Without characters that a terminal acts on, that nobody sees, or that turn the direction of writing. */
export function clean(text: string): string {
  return text
    .replaceAll(sequences, "")
    .replaceAll(/[^\P{Cc}\t\n]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu, "");
}

/** ECMA-48: control sequences, strings for the terminal, and other escapes. */
const [esc, bell, csi] = [0x1b, 0x07, 0x9b].map((code) => String.fromCharCode(code));
const sequences = new RegExp(
  `(?:${esc}\\[|${csi})[0-?]*[ -/]*[@-~]|${esc}(?:[\\]P^_X][^${bell}${esc}]*(?:${bell}|${esc}\\\\)?|[ -/]*[0-~])`,
  "g",
);

export const oneLine = (text: string) => clean(text).replaceAll(/\s+/g, " ").trim();

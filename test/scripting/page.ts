// The part of docs/scripting.md that names every field, as it follows from the table; and the schemas without their tolerance.
import { z } from "zod";
import { outputs } from "./outputs.ts";
import { refusal, shapes } from "./shapes.ts";

/** The same schema, which refuses every key that it does not name. */
export function strict(schema: z.ZodType): z.ZodType {
  const of = (inner: unknown) => strict(inner as z.ZodType);
  if (schema instanceof z.ZodObject)
    return z.strictObject(Object.fromEntries(Object.entries(schema.shape).map(([key, value]) => [key, of(value)])));
  if (schema instanceof z.ZodArray) return z.array(of(schema.element));
  if (schema instanceof z.ZodOptional) return of(schema.unwrap()).optional();
  if (schema instanceof z.ZodNullable) return of(schema.unwrap()).nullable();
  if (schema instanceof z.ZodDefault) return of(schema.unwrap());
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(of));
  if (schema instanceof z.ZodLazy) return of(schema.unwrap());
  return schema;
}

const width = 150;
/** The introduction says it of all times. */
const saidOnce = "ISO 8601, UTC";

/** From its heading to the end of the page. */
export function fieldsSection(): string {
  const printed = Object.entries(outputs).flatMap(([command, list]) => list.map((output) => ({ command, ...output })));
  const named = [...new Set([refusal, ...printed.flatMap(({ schema }) => namedIn(schema))])];
  const parts = printed.flatMap(({ command, option, prints, schema, shown }) => {
    const first = printed.find((other) => other.schema === schema);
    const isFirst = first?.command === command && first.option === option;
    const as = `As \`${first?.command} ${first?.option}\`.`;
    return [`### ${command} ${option}`, isFirst ? `It prints ${prints}.\n\n${block(shown ?? typeText(schema, ""))}` : as];
  });
  const shared = named.map((schema) => `type ${typeName(schema)} = ${typeText(schema, "", true)}`);
  return `${["## Every field", introduction, ...parts, "### Types that several of them share", block(shared.join("\n\n"))].join("\n\n")}\n`;
}

const introduction = `Each field of each JSON, as types of TypeScript: \`?\` is a field that may be absent, \`[]\` a list, \`|\` one of several. \`Refusal\` and the other names stand
at the end; a command of a team that is refused prints a \`Refusal\`. Other errors are a sentence on standard error, and print no JSON. \`ok\`, which every
output of one object has, is false where the exit code is not 0. Times are ISO 8601 in UTC; \`cost_usd\` is null where a price is not known. A list or an object that is \`unknown\` here is described beside it.`;

const block = (text: string) => `\`\`\`text\n${text.trimStart()}\n\`\`\``;

const typeName = (schema: z.ZodType) => (shapes.get(schema)?.name ?? "").replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());

/** `whole`: what a named shape is, and not its name. On one line if there is room. */
function typeText(given: z.ZodType, indent: string, whole = false): string {
  const { schema, empty } = unwrapped(given);
  const text = !whole && shapes.get(schema) ? typeName(schema) : bareType(schema, indent);
  return empty ? `${text} | null` : text;
}

function bareType(schema: z.ZodType, indent: string): string {
  if (schema instanceof z.ZodString) return "string";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodLiteral) return [...schema.values].map((value) => JSON.stringify(value)).join(" | ");
  if (schema instanceof z.ZodEnum) return schema.options.map((word) => JSON.stringify(word)).join(" | ");
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map((option) => typeText(option as z.ZodType, `${indent}  `));
    const isShort = !options.some((option) => option.includes("\n")) && options.join(" | ").length < width - 40;
    return isShort ? options.join(" | ") : options.map((option) => `\n${indent}| ${option}`).join("");
  }
  if (schema instanceof z.ZodArray) {
    const item = typeText(schema.element as z.ZodType, indent);
    if (item.startsWith("\n")) return `(${item}\n${indent})[]`;
    return item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (schema instanceof z.ZodLazy) return bareType(schema.unwrap() as z.ZodType, indent);
  return schema instanceof z.ZodObject ? objectType(schema, indent) : "unknown";
}

function objectType(schema: z.ZodObject, indent: string): string {
  const fields = Object.entries(schema.shape).map(([key, value]) => {
    const { absent, said } = unwrapped(value as z.ZodType);
    const text = `${key}${absent ? "?" : ""}: ${typeText(value as z.ZodType, `${indent}  `)}`.replace(": \n", ":\n");
    return { text, said: said === saidOnce ? undefined : said };
  });
  const line = `{ ${fields.map(({ text }) => text).join("; ")} }`;
  const fits = !line.includes("\n") && indent.length + line.length < width && fields.every(({ said }) => said === undefined);
  if (fits) return line;
  const lines = fields.map(({ text, said }) => `${indent}  ${text};${said === undefined ? "" : ` // ${said}`}`);
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function unwrapped(given: z.ZodType): { schema: z.ZodType; absent: boolean; empty: boolean; said: string | undefined } {
  let [schema, absent, empty, said] = [given, false, false, given.description];
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    if (schema instanceof z.ZodOptional) absent = true;
    if (schema instanceof z.ZodNullable) empty = true;
    schema = schema.unwrap() as z.ZodType;
    said ??= schema.description;
  }
  return { schema, absent, empty, said };
}

/** The shapes in a schema, and in those. */
function namedIn(schema: unknown): z.ZodType[] {
  const { schema: inner } = unwrapped(schema as z.ZodType);
  const below =
    inner instanceof z.ZodArray
      ? [inner.element]
      : inner instanceof z.ZodObject
        ? Object.values(inner.shape)
        : inner instanceof z.ZodUnion
          ? inner.options
          : [];
  return [...(shapes.get(inner) ? [inner] : []), ...below.flatMap(namedIn)];
}

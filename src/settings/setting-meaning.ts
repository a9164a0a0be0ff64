// What each setting means, in one registry: validation, `tool config`, completion and docs/settings.md read the same words.
import { z } from "zod";

export type Meaning = {
  /** One sentence without a full stop. */
  help: string;
  /** What a repository's file may do with it: restrict, without trust; anything, once trusted. Empty: nothing, ever. */
  repository: readonly ("restricts" | "trusted")[];
  /** What counts where no file says anything. */
  without?: unknown;
  /** The variables of the environment that count before a person's own settings. */
  variables?: readonly string[];
};

const meanings = z.registry<Meaning>();

/** A key of a settings file, which may be absent. */
export function setting<T extends z.ZodType>(schema: T, meaning: Meaning): z.ZodOptional<T> {
  const made = schema.optional();
  meanings.add(made, meaning);
  return made;
}

/** Keys that hold other settings. */
export function group<T extends z.ZodRawShape>(shape: T): z.ZodOptional<z.ZodObject<T, z.core.$strict>> {
  return z.strictObject(shape).optional();
}

export type Setting = Meaning & { name: string; schema: z.ZodType };

/** The settings of a schema and of the groups in it, in order. */
export function settingsIn(shape: z.core.$ZodShape, within = ""): Setting[] {
  return Object.entries(shape).flatMap(([key, schema]): Setting[] => {
    const name = `${within}${key}`;
    const meaning = meanings.get(schema);
    if (meaning) return [{ name, schema: schema as z.ZodType, ...meaning }];
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : undefined;
    return inner instanceof z.ZodObject ? settingsIn(inner.shape, `${name}.`) : [];
  });
}

/** The words that a setting can be, if there are only so many. */
export function valuesOf(schema: unknown): string[] {
  if (schema instanceof z.ZodOptional) return valuesOf(schema.unwrap());
  if (schema instanceof z.ZodBoolean) return ["true", "false"];
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(valuesOf);
  return [];
}

/** The keys that each entry of a setting with named entries can have; none where an entry is a single value. */
export function entryKeys(schema: unknown): string[] {
  if (schema instanceof z.ZodOptional) return entryKeys(schema.unwrap());
  if (schema instanceof z.ZodRecord) return schema.valueType instanceof z.ZodObject ? Object.keys(schema.valueType.shape) : [];
  return [];
}

// The input of a call under every name that its arguments have, for the user's hooks: a program that was written for another tool finds what it looks
// for, and may change the input under either name.
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Alias, type Aliases, inOurTerms, onlyOne, type ReadArguments } from "./arguments.ts";

type Input = Record<string, unknown>;

/** Our arguments first, then the same values under their other names; as other tools do, those give paths as absolute ones. */
export function underAllNames(input: Input, aliases: Aliases, cwd: string): Input {
  const others = Object.entries(aliases).flatMap(([key, alias]) => {
    const value = Object.hasOwn(input, key) ? undefined : valueFor(alias, input, cwd);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...input, ...Object.fromEntries(others) };
}

/**
 * The input that a program means which was given `shown` and answered with `answer`, under our names: of several names of one argument the one that it
 * changed counts. Refused where it changed two of them differently. `input` is what the call had.
 */
export function underOurNames(
  answer: Input,
  { input, shown, aliases }: { input: Input; shown: Input; aliases: Aliases },
): ReadArguments & { input?: unknown } {
  const meant: Input = {};
  const changed = new Map<string, { by: string; value: unknown }>();
  for (const [key, value] of Object.entries(answer)) {
    const alias = Object.hasOwn(aliases, key) ? aliases[key]! : key;
    const ours = meaningOf(alias, value);
    if (!ours) meant[key] = value; // whoever reads the arguments ignores or refuses it
    const before = new Map(Object.hasOwn(shown, key) ? meaningOf(alias, shown[key]) : []);
    for (const [name, one] of ours ?? []) {
      if (before.has(name) && isDeepStrictEqual(before.get(name), one)) {
        if (!changed.has(name) && Object.hasOwn(input, name)) meant[name] = input[name];
        continue;
      }
      const other = changed.get(name);
      if (other && !isDeepStrictEqual(other.value, one))
        return { ok: false, reason: `"${other.by}" and "${key}" mean the same here, and were changed differently` };
      changed.set(name, { by: key, value: one });
      meant[name] = one;
    }
  }
  return { ok: true, input: meant };
}

/** Which of our arguments it gives which value; undefined if it gives none. */
function meaningOf(alias: Alias, value: unknown): [string, unknown][] | undefined {
  if (typeof alias === "string") return [[alias, value]];
  if ("ignored" in alias) return undefined;
  if ("each" in alias) return alias.each.map((name) => [name, value]);
  if ("name" in alias) return [[alias.name, inOurTerms(value, alias)]];
  const only = onlyOne(value);
  return only && Object.entries(only);
}

function namesFor(alias: Alias): string[] {
  if (typeof alias === "string") return [alias];
  if ("ignored" in alias) return [];
  if ("one" in alias) return alias.one;
  return "each" in alias ? alias.each : [alias.name];
}

function valueFor(alias: Alias, input: Input, cwd: string): unknown {
  if (typeof alias === "object" && "one" in alias) return listOfOne(alias.one, input);
  const [first, ...rest] = namesFor(alias);
  if (first === undefined || rest.some((name) => input[name] !== input[first])) return undefined;
  const value = input[first];
  if (typeof alias !== "object" || typeof value !== "string") return value;
  if ("absolute" in alias) return value.startsWith("~") ? value : resolve(cwd, value);
  if ("words" in alias) return Object.entries(alias.words).find(([, ours]) => ours === value)?.[0] ?? value;
  return value;
}

function listOfOne(names: string[], input: Input): Input[] | undefined {
  const given = names.filter((name) => Object.hasOwn(input, name));
  return given.length > 0 ? [Object.fromEntries(given.map((name) => [name, input[name]]))] : undefined;
}

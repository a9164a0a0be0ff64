// The input of a call under every name that its arguments have, for the user's hooks: a program that was written for another tool finds what it looks
// for, and may change the input under either name.
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Alias, type Aliases, inOurTerms, type ReadArguments } from "./arguments.ts";

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
    const names = namesFor(alias);
    const isSame = Object.hasOwn(shown, key) && isDeepStrictEqual(value, shown[key]);
    if (names.length === 0) meant[key] = value; // an ignored one
    for (const name of names) {
      if (isSame) {
        if (Object.hasOwn(input, name) && !changed.has(name)) meant[name] = input[name];
        continue;
      }
      const ours = typeof alias === "object" && "name" in alias ? inOurTerms(value, alias) : value;
      const before = changed.get(name);
      if (before && !isDeepStrictEqual(before.value, ours))
        return { ok: false, reason: `"${before.by}" and "${key}" mean the same here, and were changed differently` };
      changed.set(name, { by: key, value: ours });
      meant[name] = ours;
    }
  }
  return { ok: true, input: meant };
}

function namesFor(alias: Alias): string[] {
  if (typeof alias === "string") return [alias];
  if ("ignored" in alias) return [];
  return "each" in alias ? alias.each : [alias.name];
}

function valueFor(alias: Alias, input: Input, cwd: string): unknown {
  const [first, ...rest] = namesFor(alias);
  if (first === undefined || rest.some((name) => input[name] !== input[first])) return undefined;
  const value = input[first];
  if (typeof alias !== "object" || typeof value !== "string") return value;
  if ("absolute" in alias) return value.startsWith("~") ? value : resolve(cwd, value);
  if ("words" in alias) return Object.entries(alias.words).find(([, ours]) => ours === value)?.[0] ?? value;
  return value;
}

// Adds to the text of a settings file what it does not have yet. What a person has set there is never replaced.
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../wording/is-record.ts";
import type { Addition } from "./found.ts";

/** `kept`: what the file has already, with another value. */
export type Merged = { text: string; added: Addition[]; kept: Addition[] };

/** The file must be empty or an object. */
export function merged(before: string, additions: readonly Addition[]): Merged {
  const settings = (before.trim() === "" ? {} : JSON.parse(before)) as Record<string, unknown>;
  const result: Omit<Merged, "text"> = { added: [], kept: [] };
  for (const addition of additions) {
    const outcome = put(settings, addition);
    if (outcome !== "there") result[outcome].push(addition);
  }
  return { ...result, text: `${JSON.stringify(settings, null, 2)}\n` };
}

/** Rules, folders and groups of hooks stand in lists. */
const isListed = ([first, second]: readonly string[]) => first === "hooks" || (first === "permissions" && second !== "defaultMode");

function put(settings: Record<string, unknown>, { path, value }: Addition): "added" | "kept" | "there" {
  const last = path.at(-1) ?? "";
  let at = settings;
  for (const step of path.slice(0, -1)) {
    if (!isRecord(at[step])) at[step] = {};
    at = at[step] as Record<string, unknown>;
  }
  if (isListed(path)) {
    if (!Array.isArray(at[last])) at[last] = [];
    const list = at[last] as unknown[];
    if (list.some((one) => isDeepStrictEqual(one, value))) return "there";
    list.push(value);
    return "added";
  }
  if (!Object.hasOwn(at, last)) {
    at[last] = value;
    return "added";
  }
  return isDeepStrictEqual(at[last], value) ? "there" : "kept";
}

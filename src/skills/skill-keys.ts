// The keys of a skill's front matter: the values each accepts, and what an invalid value means. If a key limits the skill, an invalid value makes the
// skill unusable.
import { z } from "zod";
import { truth } from "../subagents/definitions/definition-keys.ts";
import { type KeyTable, key, unlisted, withoutListSigns } from "../subagents/definitions/read-keys.ts";

const text = z.string().transform((value) => value.trim());
const line = text.pipe(z.string().min(1));

/** Letters, digits and `-_:.`, so that it can be typed after a slash. */
const skillName = /^[\p{L}\p{N}][\p{L}\p{N}_:.-]{0,63}$/u;

export const isSkillName = (name: string) => skillName.test(name);

export const skillKeys = {
  name: key(
    text.pipe(z.string().regex(skillName)),
    "warning",
    "a name of at most 64 letters, digits and -_:. without blanks or slashes (the name of its folder or file counts instead)",
  ),
  description: key(line, "warning", "a text that says what the skill does and when to use it"),
  when_to_use: key(line, "warning", "a text that says when to use the skill"),
  "allowed-tools": key(toolList(), "error", "a list of tools, such as Read, Grep, Bash(npm test)"),
  "argument-hint": { ...key(hint(), "warning", "a text such as [issue] [priority]"), plain: true },
  model: key(text.pipe(z.string().regex(/^\S+$/)), "warning", "haiku, sonnet, opus, small, medium, large, inherit or a model's id"),
  context: key(z.enum(["inline", "fork"]), "warning", '"inline" or "fork"'),
  "disable-model-invocation": key(truth, "error", "true or false"),
  "user-invocable": key(truth, "error", "true or false"),
} as const satisfies KeyTable;

export type SkillKey = keyof typeof skillKeys;

/** Keys that other products define and that have no effect here. */
export const describingKeys = ["license", "compatibility", "metadata", "version", "author", "tags", "category"];

/** Reads `Read, Bash(git log:*)`, the same separated by blanks, or a YAML list; commas and blanks inside brackets belong to a rule. */
function toolList() {
  const list = z.union([z.array(z.string()), z.string()]).nullable();
  return list.transform((value) => (Array.isArray(value) ? value : partsOf(unlisted(value ?? ""))).map(withoutListSigns).filter(Boolean));
}

const partsOf = (value: string): string[] => value.match(/(?:[^\s,(]|\((?:[^()]|\([^()]*\))*\)|\()+/g) ?? [];

/** Turns `[issue]` and `[issue: number]`, which YAML reads as lists and maps, back into text. */
function hint() {
  const written = z.union([z.string(), z.number(), z.array(z.unknown()), z.record(z.string(), z.unknown())]);
  return written.transform((value) => asWritten(value).trim()).pipe(z.string().min(1).max(200));
}

function asWritten(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asWritten).join(", ")}]`;
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return value === null ? "" : JSON.stringify(value);
  return Object.entries(value)
    .map(([name, one]) => (one === null ? name : `${name}: ${asWritten(one)}`))
    .join(", ");
}

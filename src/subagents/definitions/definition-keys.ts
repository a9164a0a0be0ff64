// The keys of a definition's front matter: the values each accepts, and what an invalid value means. If a key limits the agent, an invalid value
// makes the definition unusable; a key that only describes the agent is ignored with a warning.
import { z } from "zod";
import { permissionModes } from "../../permissions/policy.ts";
import { efforts } from "../../settings/effort.ts";
import { isolationSchema } from "../isolated.ts";
import { type KeyTable, key, unlisted, withoutListSigns } from "./read-keys.ts";

const text = z.string().transform((value) => value.trim());
/** Accepts "true" and "false" in quotes too, which people often write although YAML needs none. */
export const truth = z.union([z.boolean(), z.enum(["true", "false"]).transform((word) => word === "true")]);
const names = z
  .union([z.array(z.string()), z.string()])
  .nullable()
  .transform(listOf);

export const definitionKeys = {
  name: key(
    text.pipe(
      z
        .string()
        .min(1)
        .max(64)
        .regex(/^[^\p{Cc}/\\]+$/u),
    ),
    "error",
    "a name of at most 64 characters on one line, without slashes",
  ),
  description: key(text.pipe(z.string().min(1)), "warning", "a text that says when to use the agent"),
  tools: key(names, "error", "a list of tools, such as Read, Grep, Bash(npm test)"),
  disallowedTools: key(names, "error", "a list of tools, such as Write, Bash"),
  model: key(text.pipe(z.string().regex(/^\S+$/)), "warning", "haiku, sonnet, opus, small, medium, large, inherit or a model's id"),
  maxTurns: key(wholeNumber(), "error", "a whole number from 1 to 10000"),
  permissionMode: {
    ...key(z.enum(permissionModes), "error", `one of ${permissionModes.join(", ")}`),
    elsewhere: ["auto", "manual", "delegate"],
  },
  background: key(truth, "error", "true or false"),
  isolation: key(isolationSchema, "error", '"worktree", "place:" and the name of a place of the settings, or left out'),
  context: key(z.enum(["fresh", "fork"]), "error", '"fresh" or "fork"'),
  color: key(text.pipe(z.string().max(32)), "warning", "the name of a color"),
  skills: key(names, "warning", "a list of skills"),
  mcpServers: key(serverNames(), "error", "a list of names of MCP servers; their entries stand in the settings or in .mcp.json"),
  effort: key(z.enum(efforts), "warning", "off, low or high"),
} as const satisfies KeyTable;

export type DefinitionKey = keyof typeof definitionKeys;

/** Names only: a definition cannot bring a server along. */
function serverNames() {
  return names.refine((list) => list.every((name) => /^[\w-]+$/.test(name)));
}

/** Accepts a number in quotes too, which people often write although YAML needs none. */
function wholeNumber() {
  const number = z.union([z.number(), z.string().regex(/^\d{1,5}$/)]).transform(Number);
  return number.pipe(z.number().int().min(1).max(10_000));
}

/** Reads `Read, Bash(git log:*), Grep` or a YAML list; commas inside brackets belong to a rule. An empty value is an empty list. */
function listOf(value: string[] | string | null): string[] {
  const all = typeof value === "string" ? (unlisted(value).match(/(?:\([^()]*\)|[^,(\n]|\((?![^()]*\)))+/g) ?? []) : (value ?? []);
  return all
    .map(withoutListSigns)
    .filter((one) => one !== "")
    .flatMap(eachAgent);
}

/** Splits `Agent(a, b)` into one rule for each agent. */
function eachAgent(rule: string): string[] {
  const inner = /^Agent\(([^()]*,[^()]*)\)$/.exec(rule)?.[1];
  return inner === undefined ? [rule] : inner.split(",").flatMap((name) => (name.trim() === "" ? [] : `Agent(${name.trim()})`));
}

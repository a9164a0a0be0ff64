// Turns the text of one file into a definition. All mistakes are reported at once, each with its line.
import { toolNames } from "../../permissions/rules.ts";
import type { Definition, DefinitionScope, Mistake, ReadDefinition } from "./definition.ts";
import { type DefinitionKey, definitionKeys } from "./definition-keys.ts";
import type { ReadFrontMatter } from "./front-matter.ts";
import { type Noted, ourToolIn, readKeys, shown, toolNote } from "./read-keys.ts";

/** The text of one file as it was found. */
export type DefinitionSource = { text: string; file: string; scope: DefinitionScope };

/** Never throws. */
export function readDefinition({ text, file, scope }: DefinitionSource, readFrontMatter: ReadFrontMatter): ReadDefinition {
  const read = readKeys({ text, file }, readFrontMatter, { keys: definitionKeys, textKeys, notes: notesOf });
  if (!read.ok) return isDocument(text, file) ? { mistakes: read.mistakes.map(asWarning) } : read;
  const { values, given, body } = read;
  const missing = whatIsMissing({ given, body, stem: stemOf(file) });
  const mistakes: Mistake[] = [...read.mistakes, ...missing.map((mistake) => ({ ...mistake, file }))].sort((a, b) => a.line - b.line);
  const agent = (values.name as string | undefined) ?? stemOf(file);
  if (mistakes.some(({ level }) => level === "error")) return { mistakes: mistakes.map((mistake) => ({ ...mistake, agent })) };
  return { definition: definitionOf(values, { body, file, scope }), mistakes };
}

/** An invalid entry of `tools` is skipped and the others are used: the list can only narrow. */
const textKeys = ["description", "name", "tools"];

/** Whether the file is documentation that people keep beside definitions. */
const isDocument = (text: string, file: string) => /^(?:readme|index|claude|agents)$/i.test(stemOf(file)) && !/^\uFEFF?---/.test(text);

const asWarning = (mistake: Mistake): Mistake => ({
  ...mistake,
  level: "warning",
  found: "The file has no front matter, and is taken for a document.",
  action: "If it is an agent, give it front matter.",
});

function definitionOf(
  values: Partial<Record<DefinitionKey, unknown>>,
  where: { body: string; file: string; scope: DefinitionScope },
): Definition {
  const { name = stemOf(where.file), description = "", model = "inherit", ...rest } = values as Partial<Definition>;
  return {
    ...defaults,
    ...rest,
    ...(values.tools !== undefined && { tools: givenTools(values.tools as string[], rest.mcpServers) }),
    disallowedTools: ((values.disallowedTools as string[] | undefined) ?? []).map(ourToolIn),
    name,
    description,
    model,
    prompt: where.body.trim(),
    scope: where.scope,
    file: where.file,
  };
}

const defaults = { disallowedTools: [], background: false, context: "fresh", skills: [] } as const satisfies Partial<
  Record<DefinitionKey, unknown>
>;

/** Whether the entry means every tool: `*`, or the words that other products use. */
const isEvery = (tool: string) => /^(?:\*|all(?: tools)?)$/i.test(tool);
const givenTools = (tools: string[], servers: readonly string[] = []) =>
  tools.some(isEvery) ? undefined : [...tools.map(ourToolIn), ...servers.map((name) => `mcp__${name}`)];

function notesOf(key: string, value: unknown): Noted[] {
  if (key === "name") return nameNotes(value as string);
  if (key !== "tools" && key !== "disallowedTools") return [];
  const list = value as string[];
  if (list.length === 0 && key === "tools") {
    return [
      {
        level: "warning",
        found: '"tools" is empty, so the agent has no tools.',
        action: "Leave the line out to give it those of its parent.",
      },
    ];
  }
  const notes = list.flatMap((text) => (text === "*" || (key === "tools" && isEvery(text)) ? [] : toolNote(text)));
  return key === "tools" && list.every(isUnknown) ? [...notes, noneOf(list)] : notes;
}

/** Neither a tool of ours, nor one of another product that stands for one. */
const isUnknown = (text: string) => !isEvery(text) && !/^mcp__\w/.test(text) && !toolNames.includes(ourToolIn(text).split("(")[0]!.trim());

const noneOf = (list: string[]): Noted => ({
  level: "error",
  found: `None of its tools exists here: ${shown(list.join(", "))}.`,
  action: `Name tools of ours, such as Read, Grep, Bash, or leave the line out to give it those of its parent.`,
});

/** Warns about a blank in the name: a person could not type it as one word. */
function nameNotes(name: string): Noted[] {
  if (!/\s/.test(name)) return [];
  return [{ level: "warning", found: `"name" contains a space: ${shown(name)}.`, action: `Write ${shown(name.replaceAll(/\s+/g, "-"))}.` }];
}

/** An agent without a name or a description is usable; a file without both is not a definition. */
function whatIsMissing({ given, body, stem }: { given: ReadonlySet<string>; body: string; stem: string }): (Noted & { line: number })[] {
  if (!given.has("name") && !given.has("description")) {
    return [{ level: "error", line: 1, found: 'There is neither "name" nor "description".', action: "Give the agent both." }];
  }
  return [
    ...(given.has("name") ? [] : [missing(`"name" is missing, and the file's name counts: ${shown(stem)}.`, "Add a line with the name.")]),
    ...(given.has("description")
      ? []
      : [missing('"description" is missing, so a model cannot tell when to use the agent.', "Say it in one sentence.")]),
    ...(body.trim() === "" ? [missing("There are no instructions below the front matter.", "Add instructions for the agent.")] : []),
  ];
}

const missing = (found: string, action: string) => ({ level: "warning", line: 1, found, action }) as const;

function stemOf(file: string): string {
  return (file.split("/").at(-1) ?? file).replace(/\.md$/i, "").slice(0, 64) || "agent";
}

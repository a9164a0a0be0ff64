// From the text of one file to a definition, with everything that is wrong in it said at once, each with its line.
import { nearestName } from "../permissions/nearest-name.ts";
import { parseRule, toolNames } from "../permissions/rules.ts";
import type { Definition, DefinitionScope, Mistake, ReadDefinition } from "./definition.ts";
import { type DefinitionKey, definitionKeys, isDefinitionKey } from "./definition-keys.ts";
import type { Entry, ReadFrontMatter } from "./front-matter.ts";

/** The text of one file, as it was found. */
export type DefinitionSource = { text: string; file: string; scope: DefinitionScope };

/** Reads a definition; never throws, whatever the text. */
export function readDefinition({ text, file, scope }: DefinitionSource, readFrontMatter: ReadFrontMatter): ReadDefinition {
  const front = readFrontMatter(text, ["description", "name"]);
  if (!front.ok) return { mistakes: [{ level: "error", file, ...front.fault }] };
  const entries = new Map<string, Entry>();
  for (const entry of front.entries) if (!entries.has(entry.key)) entries.set(entry.key, entry);
  const mistakes: Mistake[] = front.faults.map((fault) => ({ level: "error", file, ...fault }));
  const values: Partial<Record<DefinitionKey, unknown>> = {};
  for (const entry of entries.values()) {
    const read = readEntry(entry);
    if (isDefinitionKey(entry.key) && read.value !== undefined) values[entry.key] = read.value;
    mistakes.push(...read.mistakes.map((mistake) => ({ ...mistake, file, line: entry.line })));
  }
  const missing = whatIsMissing({ entries, body: front.body, stem: stemOf(file) });
  mistakes.push(...missing.map((mistake) => ({ ...mistake, file })));
  mistakes.sort((a, b) => a.line - b.line);
  if (mistakes.some(({ level }) => level === "error")) return { mistakes };
  return { definition: definitionOf(values, { body: front.body, file, scope }), mistakes };
}

function definitionOf(
  values: Partial<Record<DefinitionKey, unknown>>,
  where: { body: string; file: string; scope: DefinitionScope },
): Definition {
  const { name = stemOf(where.file), description = "", model = "inherit", ...rest } = values as Partial<Definition>;
  return {
    ...defaults,
    ...rest,
    ...(values.tools !== undefined && { tools: givenTools(values.tools as string[]) }),
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

/** `*` is every tool of its parent, as if nothing were said. */
const givenTools = (tools: string[]) => (tools.includes("*") ? undefined : tools);

type Noted = Omit<Mistake, "file" | "line">;

function readEntry(entry: Entry): { value?: unknown; mistakes: Noted[] } {
  const { key } = entry;
  if (!isDefinitionKey(key)) return { mistakes: [unknownKey(key)] };
  const { schema, level, expects } = definitionKeys[key];
  const parsed = schema.safeParse(entry.value);
  if (!parsed.success) {
    const found = `"${key}" must be ${expects}, and is ${shown(entry.value)}.`;
    return { mistakes: [{ level, found, action: level === "error" ? "Correct it, or leave the line out." : "It is left out." }] };
  }
  return { value: parsed.data, mistakes: [...repairNote(entry), ...toolNotes(key, parsed.data)] };
}

function unknownKey(key: string): Noted {
  const near = nearestName(key, Object.keys(definitionKeys));
  const action = near ? `Did you mean "${near}"?` : `It has no effect. Known keys: ${Object.keys(definitionKeys).join(", ")}.`;
  return { level: "warning", found: `Unknown key ${shown(key)}.`, action };
}

function repairNote({ key, repaired }: Entry): Noted[] {
  if (!repaired) return [];
  const found = `The text of "${key}" is not valid YAML, most often because of a colon, and is read as plain text.`;
  return [{ level: "warning", found, action: `Put it in quotes, or write "${key}: |" and the text indented below.` }];
}

function toolNotes(key: DefinitionKey, value: unknown): Noted[] {
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
  return list.flatMap((text) => (text === "*" ? [] : toolNote(text)));
}

/** Tools of other products, and what does their work here. */
const foreignTools: Record<string, string> = {
  Task: "Agent",
  MultiEdit: "Edit",
  LS: "Glob",
  NotebookEdit: "Edit",
  NotebookRead: "Read",
  WebSearch: "WebFetch",
};

function toolNote(text: string): Noted[] {
  const name = /^\s*([\w-]+)/.exec(text)?.[1] ?? "";
  const parsed = parseRule(text);
  if (parsed.ok) return [];
  if (toolNames.includes(name)) return [{ level: "error", found: `${parsed.reason}.`, action: "Correct the rule, or leave it out." }];
  const near = Object.hasOwn(foreignTools, name) ? foreignTools[name] : nearestName(name, toolNames);
  const action = near ? `What does this here is ${near}; write that.` : "It gives nothing; leave it out.";
  return [{ level: "warning", found: `There is no tool called ${shown(text)} here.`, action }];
}

/** Without a name or a description an agent can be used all the same; without either it is a document that happens to lie there. */
function whatIsMissing(given: { entries: Map<string, Entry>; body: string; stem: string }): (Noted & { line: number })[] {
  const has = (key: string) => given.entries.has(key);
  if (!has("name") && !has("description")) {
    return [{ level: "error", line: 1, found: 'There is neither "name" nor "description".', action: "Give the agent both." }];
  }
  return [
    ...(has("name") ? [] : [missing(`"name" is missing, and the file's name counts: ${shown(given.stem)}.`, "Add a line with the name.")]),
    ...(has("description")
      ? []
      : [missing('"description" is missing, so a model cannot tell when to use the agent.', "Say it in one sentence.")]),
    ...(given.body.trim() === ""
      ? [missing("There are no instructions below the front matter.", "Write there what the agent is to do.")]
      : []),
  ];
}

const missing = (found: string, action: string) => ({ level: "warning", line: 1, found, action }) as const;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}

function stemOf(file: string): string {
  return (file.split("/").at(-1) ?? file).replace(/\.md$/i, "").slice(0, 64) || "agent";
}

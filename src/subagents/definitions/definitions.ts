// All definitions that apply in a folder: from the project, from the folders of other products, and from the person's own folder.
import { basename, join } from "node:path";
import { ourAgent } from "../../wording/agent-names.ts";
import { type Definition, type DefinitionScope, type Mistake, mistakeLine, type ReadDefinition } from "./definition.ts";
import type { ReadFrontMatter } from "./front-matter.ts";
import { readDefinition } from "./read-definition.ts";

/** A Markdown file below a folder of definitions. `why`: why it cannot be read; begins with "it" and has no full stop. */
export type FoundFile = { path: string; text: string } | { path: string; why: string };

export type DefinitionFiles = {
  /** Loaded on first use. */
  frontMatter(): Promise<ReadFrontMatter>;
  /** Every `*.md` file below the folder, sorted by path; empty if there is no such folder. Never throws. */
  below(folder: string): FoundFile[];
  /** The file with that name, in any case, in each direct subfolder. Never throws. */
  inFolders(folder: string, name: string): FoundFile[];
  /** The file or folder that a person named; a file may have any name. Undefined if nothing is at that path. */
  at(path: string): FoundFile[] | undefined;
};

export type DefinitionFolder = { folder: string; scope: DefinitionScope };

export type Definitions = {
  /** One for each name, sorted by name. */
  list: Definition[];
  mistakes: Mistake[];
  /** Files of the project that are not used until a person trusts it. */
  untrusted: string[];
};

/** The folders with definitions, nearest first. */
export function definitionFolders({ root, configDir }: { root: string; configDir: string }): DefinitionFolder[] {
  const own = join(root, ".tool");
  return [
    ...(own === configDir ? [] : [{ folder: join(own, "agents"), scope: "project" } as const]), // as for skills
    { folder: join(root, ".claude/agents"), scope: "claude" },
    { folder: join(configDir, "agents"), scope: "user" },
  ];
}

export type Load = { folders: DefinitionFolder[]; trusted: boolean; builtIn?: readonly Definition[] };

/**
 * Reads every file; a bad one does not affect the others. If two have the same name, the nearer one is used and the other is reported as a mistake.
 */
export async function loadDefinitions(files: DefinitionFiles, { folders, trusted, builtIn = [] }: Load): Promise<Definitions> {
  const found: Definition[] = [];
  const mistakes: Mistake[] = [];
  const untrusted: string[] = [];
  for (const { folder, scope } of folders) {
    for (const file of files.below(folder)) {
      if (!trusted && scope !== "user") untrusted.push(file.path);
      else {
        const read = readFound(file, { scope, frontMatter: await files.frontMatter() });
        mistakes.push(...read.mistakes);
        if (read.definition) found.push(read.definition);
      }
    }
  }
  const nearest = new Map<string, Definition>();
  for (const definition of [...found, ...builtIn]) {
    const nearer = nearest.get(definition.name);
    if (!nearer) nearest.set(definition.name, definition);
    else if (definition.file !== "") mistakes.push(hiddenBy(nearer, definition));
  }
  return { list: [...nearest.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), mistakes, untrusted };
}

/**
 * The definition that somebody asks for, also by the name that it has in other products. The reason is a sentence without its beginning in upper case.
 */
export function findDefinition(
  name: string,
  { list, mistakes }: Pick<Definitions, "list" | "mistakes">,
): { definition: Definition } | { broken: string } | undefined {
  const found = list.find((one) => one.name === name);
  // A built-in definition is no substitute for the user's own: it may have more tools.
  const broken = mistakes.find(({ level, file, agent }) => level === "error" && (agent === name || basename(file, ".md") === name));
  if (broken && (!found || found.scope === "built-in"))
    return { broken: `the definition "${name}" cannot be used: its file has a mistake. ${mistakeLine(broken)}` };
  const meant = found ?? list.find((one) => one.name === ourAgent(name));
  return meant && { definition: meant };
}

/** Reads one file. */
export function readFound(
  file: FoundFile,
  { scope, frontMatter }: { scope: DefinitionScope; frontMatter: ReadFrontMatter },
): ReadDefinition {
  return "text" in file ? readDefinition({ text: file.text, file: file.path, scope }, frontMatter) : { mistakes: [unread(file)] };
}

/** The mistake in a file of definitions or skills that could not be read. */
export function unread({ path, why }: Extract<FoundFile, { why: string }>): Mistake {
  return { level: "error", file: path, line: 1, found: `The file is not read: ${why}.`, action: "Put an ordinary Markdown file there." };
}

function hiddenBy(nearer: Definition, { name, file }: Definition): Mistake {
  const found = `The agent "${name}" is defined nearer, in ${nearer.file}, and that one counts.`;
  return { level: "warning", file, line: 1, found, action: "Give one of them another name." };
}

/** Names of the scopes in lists. */
export const scopeWords: Record<DefinitionScope, string> = {
  project: "project",
  claude: "project (.claude)",
  user: "yours",
  "built-in": "built in",
};

// All definitions that count in a folder: found in the project, in what other products have left there, and in the person's own folder.
import { join } from "node:path";
import type { Definition, DefinitionScope, Mistake, ReadDefinition } from "./definition.ts";
import type { ReadFrontMatter } from "./front-matter.ts";
import { readDefinition } from "./read-definition.ts";

/** A Markdown file below a folder of definitions. `why`: it cannot be read; a sentence without its full stop that begins with "it". */
export type FoundFile = { path: string; text: string } | { path: string; why: string };

export type DefinitionFiles = {
  /** Loaded when there is something to read. */
  frontMatter(): Promise<ReadFrontMatter>;
  /** Every `*.md` below the folder, in the order of their paths; none if there is no such folder. Never throws. */
  below(folder: string): FoundFile[];
  /** The file of that name, in any case, in each folder directly below this one. Never throws. */
  inFolders(folder: string, name: string): FoundFile[];
  /** What a person names: one file, whatever its name, or a folder. Undefined when there is nothing at that path. */
  at(path: string): FoundFile[] | undefined;
};

export type DefinitionFolder = { folder: string; scope: DefinitionScope };

export type Definitions = {
  /** One for each name, in the order of their names. */
  list: Definition[];
  mistakes: Mistake[];
  /** Files of the project that wait for a person to trust it. */
  untrusted: string[];
};

/** Where definitions are, the nearest first. */
export function definitionFolders({ root, configDir }: { root: string; configDir: string }): DefinitionFolder[] {
  return [
    { folder: join(root, ".tool/agents"), scope: "project" },
    { folder: join(root, ".claude/agents"), scope: "claude" },
    { folder: join(configDir, "agents"), scope: "user" },
  ];
}

export type Load = { folders: DefinitionFolder[]; trusted: boolean; builtIn?: readonly Definition[] };

/** Reads every file; a bad one hides no other. Of two with one name the nearer counts, and the other is named as a mistake. */
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

/** What one file holds. */
export function readFound(
  file: FoundFile,
  { scope, frontMatter }: { scope: DefinitionScope; frontMatter: ReadFrontMatter },
): ReadDefinition {
  if ("text" in file) return readDefinition({ text: file.text, file: file.path, scope }, frontMatter);
  const found = `The file is not read: ${file.why}.`;
  return {
    mistakes: [{ level: "error", file: file.path, line: 1, found, action: "Put an ordinary Markdown file there." }],
  };
}

function hiddenBy(nearer: Definition, { name, file }: Definition): Mistake {
  const found = `The agent "${name}" is defined nearer, in ${nearer.file}, and that one counts.`;
  return { level: "warning", file, line: 1, found, action: "Give one of them another name." };
}

/** In words, for lists. */
export const scopeWords: Record<DefinitionScope, string> = {
  project: "project",
  claude: "project (.claude)",
  user: "yours",
  "built-in": "built in",
};

// Prints `tool agents validate`: every mistake in every file, and how many files can be used. Without a path, of all that there are here.
import { modelNamed, unknownModel } from "../../agent/requests/prices.ts";
import { openSettings } from "../../app/settings/open-settings.ts";
import type { ExitCode, World } from "../../app/world.ts";
import type { Definition, Mistake } from "../../subagents/definitions/definition.ts";
import { type DefinitionFiles, definitionFolders, type FoundFile, readFound } from "../../subagents/definitions/definitions.ts";
import { filesAt, printChecked } from "../check-files.ts";

export async function validateAgents(world: World, paths: string[], flags: { json?: boolean }): Promise<ExitCode> {
  const edge = await world.edges.definitions();
  const files = paths.length > 0 ? filesAt(edge, world.cwd, paths) : await allFiles(world, edge);
  const frontMatter = await edge.frontMatter();
  const first = new Map<string, string>();
  const checked = files.map((file) => {
    const { definition, mistakes } = readFound(file, { scope: "project", frontMatter });
    const twin = definition && first.get(definition.name);
    if (definition && twin === undefined) first.set(definition.name, file.path);
    const same = definition && twin !== undefined ? [sameName(definition, twin)] : [];
    return { file: file.path, name: definition?.name, mistakes: [...mistakes, ...same, ...modelMistakes(world, file, definition)] };
  });
  return printChecked(world, checked, flags);
}

/** Checking them needs no trust: nothing of them is used. */
async function allFiles(world: World, files: DefinitionFiles): Promise<FoundFile[]> {
  const { root } = await openSettings(world, {});
  return definitionFolders({ root, configDir: world.configDir }).flatMap(({ folder }) => files.below(folder));
}

function sameName({ name, file }: Definition, twin: string): Mistake {
  const found = `The agent "${name}" is also defined in ${twin}, and only one of them takes effect.`;
  return { level: "warning", file, line: 1, found, action: "Give one of them another name." };
}

/** Warns about a model that the provider may not have. A gateway has names of its own. */
function modelMistakes({ env }: Pick<World, "env">, file: FoundFile, definition: Definition | undefined): Mistake[] {
  if (!definition || definition.model === "inherit" || env["ANTHROPIC_BASE_URL"]) return [];
  const found = unknownModel(modelNamed(definition.model));
  if (found === undefined) return [];
  const lines = "text" in file ? file.text.split("\n") : [];
  const line = lines.findIndex((text) => /^["']?model["']?\s*:/.test(text)) + 1 || 1;
  return [{ level: "warning", file: file.path, line, found, action: "Correct it, or leave the line out." }];
}

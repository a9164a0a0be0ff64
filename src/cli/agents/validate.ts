// What `tool agents validate` prints: every mistake of every file, and how many files can be used.
import type { ExitCode, World } from "../../app/world.ts";
import { readFound } from "../../subagents/definitions.ts";
import { filesAt, printChecked } from "../check-files.ts";

export async function validateAgents(world: World, paths: string[], flags: { json?: boolean }): Promise<ExitCode> {
  const edge = await world.edges.definitions();
  const files = filesAt(edge, world.cwd, paths);
  const frontMatter = await edge.frontMatter();
  const checked = files.map((file) => {
    const { definition, mistakes } = readFound(file, { scope: "project", frontMatter });
    return { mistakes, usable: definition !== undefined };
  });
  return printChecked(world, checked, flags);
}

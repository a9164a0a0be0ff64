// Prints `tool skills validate`: every mistake in every file, and how many files can be used.
import type { ExitCode, World } from "../../app/world.ts";
import type { SkillKind } from "../../skills/skill.ts";
import { readFoundSkill } from "../../skills/skills.ts";
import { filesAt, printChecked } from "../check-files.ts";

export async function validateSkills(world: World, paths: string[], flags: { json?: boolean }): Promise<ExitCode> {
  const edge = await world.edges.definitions();
  const frontMatter = await edge.frontMatter();
  const checked = paths.flatMap((path) => {
    const files = filesAt(edge, world.cwd, [path]).map((file) => ({ file, kind: kindOf(file.path, { named: path }) }));
    return files.flatMap(({ file, kind }) => {
      if (!kind) return [];
      const { skill, mistakes } = readFoundSkill(file, { scope: "project", kind, frontMatter });
      return [{ file: file.path, name: skill?.name, mistakes }];
    });
  });
  return printChecked(world, checked, flags);
}

/** Other Markdown files in a folder of skills belong to a skill and are not skills themselves. */
function kindOf(path: string, { named }: { named: string }): SkillKind | undefined {
  const parts = path.split("/");
  if (parts.at(-1)?.toLowerCase() === "skill.md") return "skill";
  return path === named || parts.includes("commands") ? "command" : undefined;
}

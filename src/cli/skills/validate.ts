// Prints `tool skills validate`: every mistake in every file, and how many files can be used. Without a path, of all that there are here.
import { openSettings } from "../../app/settings/open-settings.ts";
import type { ExitCode, World } from "../../app/world.ts";
import type { Skill, SkillKind } from "../../skills/skill.ts";
import { hiddenBy, readFoundSkill, skillFilesIn, skillFolders } from "../../skills/skills.ts";
import type { DefinitionFiles, FoundFile } from "../../subagents/definitions/definitions.ts";
import { filesAt, printChecked } from "../check-files.ts";

type SkillFile = { file: FoundFile; kind: SkillKind };

export async function validateSkills(world: World, paths: string[], flags: { json?: boolean }): Promise<ExitCode> {
  const edge = await world.edges.definitions();
  const frontMatter = await edge.frontMatter();
  const files = paths.length > 0 ? paths.flatMap((path) => named(edge, world.cwd, path)) : await allFiles(world, edge);
  const nearest = new Map<string, Skill>();
  const checked = files.map(({ file, kind }) => {
    const { skill, mistakes } = readFoundSkill(file, { scope: "project", kind, frontMatter });
    const nearer = skill && nearest.get(skill.name.toLowerCase());
    if (skill && !nearer) nearest.set(skill.name.toLowerCase(), skill);
    return { file: file.path, name: skill?.name, mistakes: [...mistakes, ...(nearer ? [hiddenBy(nearer, skill)] : [])] };
  });
  return printChecked(world, checked, flags);
}

const named = (files: DefinitionFiles, cwd: string, path: string): SkillFile[] =>
  filesAt(files, cwd, [path]).flatMap((file) => {
    const kind = kindOf(file.path, { named: path });
    return kind ? [{ file, kind }] : [];
  });

/** Checking them needs no trust: nothing of them is used. */
async function allFiles(world: World, files: DefinitionFiles): Promise<SkillFile[]> {
  const { root } = await openSettings(world, {});
  return skillFolders({ root, configDir: world.configDir }).flatMap((place) =>
    skillFilesIn(files, place).map((file) => ({ file, kind: place.kind })),
  );
}

/** Other Markdown files in a folder of skills belong to a skill and are not skills themselves. */
function kindOf(path: string, { named }: { named: string }): SkillKind | undefined {
  const parts = path.split("/");
  if (parts.at(-1)?.toLowerCase() === "skill.md") return "skill";
  return path === named || parts.includes("commands") ? "command" : undefined;
}

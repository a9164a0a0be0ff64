// All skills that apply in a folder: the project's, those in the folders of other products, and the person's own.
import { join } from "node:path";
import { type DefinitionScope, type Mistake, mistakeLine } from "../subagents/definitions/definition.ts";
import { type DefinitionFiles, type FoundFile, unread } from "../subagents/definitions/definitions.ts";
import type { ReadFrontMatter } from "../subagents/definitions/front-matter.ts";
import { nearestName } from "../wording/nearest-name.ts";
import { readSkill } from "./read-skill.ts";
import type { ReadSkill, Skill, SkillKind } from "./skill.ts";

export type SkillFolder = { folder: string; scope: DefinitionScope; kind: SkillKind };

export type Skills = {
  /** One for each name, sorted by name. */
  list: Skill[];
  mistakes: Mistake[];
  /** Files of the project that are not used until a person trusts it. */
  untrusted: string[];
};

/** The folders with skills, nearest first. */
export function skillFolders({ root, configDir }: { root: string; configDir: string }): SkillFolder[] {
  const own = join(root, ".tool");
  const project: SkillFolder[] = [
    { folder: join(own, "skills"), scope: "project", kind: "skill" },
    { folder: join(own, "commands"), scope: "project", kind: "command" },
  ];
  return [
    ...(own === configDir ? [] : project), // in the home folder itself, the project's skills are the person's own
    { folder: join(root, ".claude/skills"), scope: "claude", kind: "skill" },
    { folder: join(root, ".claude/commands"), scope: "claude", kind: "command" },
    { folder: join(configDir, "skills"), scope: "user", kind: "skill" },
    { folder: join(configDir, "commands"), scope: "user", kind: "command" },
  ];
}

export type SkillFiles = Pick<DefinitionFiles, "below" | "inFolders" | "frontMatter">;

/** `whyHidden`: the rule that hides a file from the agent, if any; the predicate of a sentence. */
export type LoadSkills = {
  folders: SkillFolder[];
  trusted: boolean;
  whyHidden?: (file: string) => Promise<string | undefined>;
  /** Skills without a file; a file with the same name replaces one. */
  builtIn?: readonly Skill[];
};

/**
 * Reads every file; a bad one does not affect the others. If two have the same name in any case, the nearer one is used and the other is reported.
 */
export async function loadSkills(files: SkillFiles, { folders, trusted, whyHidden, builtIn = [] }: LoadSkills): Promise<Skills> {
  const found: Skill[] = [];
  const mistakes: Mistake[] = [];
  const untrusted: string[] = [];
  for (const { folder, scope, kind } of folders) {
    for (const file of skillFilesIn(files, { folder, kind })) {
      if (!trusted && scope !== "user") untrusted.push(file.path);
      else {
        const why = await whyHidden?.(file.path);
        const read = readFoundSkill(why === undefined ? file : { path: file.path, why }, {
          scope,
          kind,
          frontMatter: await files.frontMatter(),
        });
        mistakes.push(...read.mistakes);
        if (read.skill) found.push(read.skill);
      }
    }
  }
  const nearest = new Map<string, Skill>();
  for (const skill of found) {
    const nearer = nearest.get(skill.name.toLowerCase());
    if (nearer) mistakes.push(hiddenBy(nearer, skill));
    else nearest.set(skill.name.toLowerCase(), skill);
  }
  for (const skill of builtIn) if (!nearest.has(skill.name)) nearest.set(skill.name, skill);
  return { list: [...nearest.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), mistakes, untrusted };
}

export const skillFilesIn = (files: SkillFiles, { folder, kind }: Pick<SkillFolder, "folder" | "kind">): FoundFile[] =>
  kind === "skill" ? files.inFolders(folder, "SKILL.md") : files.below(folder);

/** Reads one file. */
export function readFoundSkill(
  file: FoundFile,
  { frontMatter, ...source }: { scope: DefinitionScope; kind: SkillKind; frontMatter: ReadFrontMatter },
): ReadSkill {
  return "text" in file ? readSkill({ ...source, text: file.text, file: file.path }, frontMatter) : { mistakes: [unread(file)] };
}

export function hiddenBy(nearer: Skill, { name, file }: Skill): Mistake {
  const found = `The skill "${name}" is there twice: ${nearer.file} is nearer, and that one counts.`;
  return { level: "warning", file, line: 1, found, action: "Give one of them another name." };
}

/** `reason`: a sentence. `isNear`: there is a skill that was probably meant. */
export type FoundSkill = { ok: true; skill: Skill } | { ok: false; reason: string; isNear: boolean };

/** `by`: who wants to use it. */
export function findSkill({ list, mistakes, untrusted }: Skills, { name, by }: { name: string; by: "model" | "person" }): FoundSkill {
  const no = (why: string, isNear = true) => ({ ok: false, reason: `Cannot use the skill "${name}": ${why}`, isNear }) as const;
  const skill = list.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (!skill) {
    if (untrusted.some((file) => isNamed(file, name))) return no("it is the project's, and the project is not trusted as it is now.");
    const broken = brokenSkill(mistakes, name);
    if (broken) return no(broken);
    const names = list.filter((one) => (by === "model" ? one.byModel : one.byPerson)).map((one) => one.name);
    const near = nearestName(name, names);
    if (near) return no(`there is none. Did you mean "${near}"?`);
    return no(`there is none.${names.length > 0 ? ` There are: ${some(names)}.` : ""}`, false);
  }
  if (by === "model" && !skill.byModel) return no("only the person uses it, by typing its name.");
  if (by === "person" && !skill.byPerson) return no("only the model uses it, when it fits.");
  return { ok: true, skill };
}

/** The mistake that prevents the use of the file with that name. */
export function brokenSkill(mistakes: readonly Mistake[], name: string): string | undefined {
  const mistake = mistakes.find(({ level, file }) => level === "error" && isNamed(file, name));
  return mistake && `its file has a mistake. ${mistakeLine(mistake)}`;
}

const mostNames = 40;
const some = (names: string[]) => `${names.slice(0, mostNames).join(", ")}${names.length > mostNames ? ", …" : ""}`;

/** Whether an unread file has that name according to its path. */
function isNamed(file: string, name: string): boolean {
  const parts = file.toLowerCase().split("/");
  return parts.at(-1) === `${name.toLowerCase()}.md` || (parts.at(-1) === "skill.md" && parts.at(-2) === name.toLowerCase());
}

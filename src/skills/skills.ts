// All skills that count in a folder: the project's, what other products have left there, and the person's own.
import { join } from "node:path";
import { nearestName } from "../permissions/nearest-name.ts";
import { type Mistake, mistakeLine } from "../subagents/definition.ts";
import type { DefinitionFiles, FoundFile } from "../subagents/definitions.ts";
import type { ReadFrontMatter } from "../subagents/front-matter.ts";
import { readSkill } from "./read-skill.ts";
import type { ReadSkill, Skill, SkillKind, SkillScope } from "./skill.ts";

export type SkillFolder = { folder: string; scope: SkillScope; kind: SkillKind };

export type Skills = {
  /** One for each name, in the order of their names. */
  list: Skill[];
  mistakes: Mistake[];
  /** Files of the project that wait for a person to trust it. */
  untrusted: string[];
};

/** Where skills are, the nearest first. */
export function skillFolders({ root, configDir }: { root: string; configDir: string }): SkillFolder[] {
  const own = join(root, ".tool");
  const project: SkillFolder[] = [
    { folder: join(own, "skills"), scope: "project", kind: "skill" },
    { folder: join(own, "commands"), scope: "project", kind: "command" },
  ];
  return [
    ...(own === configDir ? [] : project), // a person who works in the home itself: those are their own
    { folder: join(root, ".claude/skills"), scope: "claude", kind: "skill" },
    { folder: join(root, ".claude/commands"), scope: "claude", kind: "command" },
    { folder: join(configDir, "skills"), scope: "user", kind: "skill" },
    { folder: join(configDir, "commands"), scope: "user", kind: "command" },
  ];
}

export type SkillFiles = Pick<DefinitionFiles, "below" | "inFolders" | "frontMatter">;

/** `whyHidden`: the rule that keeps a file from the agent, if there is one; the second half of a sentence. */
export type LoadSkills = {
  folders: SkillFolder[];
  trusted: boolean;
  whyHidden?: (file: string) => Promise<string | undefined>;
  /** Those without a file, for which any other of the same name may stand. */
  builtIn?: readonly Skill[];
};

/** Reads every file; a bad one hides no other. Of two with one name, whatever the case, the nearer counts, and the other is named. */
export async function loadSkills(files: SkillFiles, { folders, trusted, whyHidden, builtIn = [] }: LoadSkills): Promise<Skills> {
  const found: Skill[] = [];
  const mistakes: Mistake[] = [];
  const untrusted: string[] = [];
  for (const { folder, scope, kind } of folders) {
    for (const file of kind === "skill" ? files.inFolders(folder, "SKILL.md") : files.below(folder)) {
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

/** What one file holds. */
export function readFoundSkill(
  file: FoundFile,
  { frontMatter, ...source }: { scope: SkillScope; kind: SkillKind; frontMatter: ReadFrontMatter },
): ReadSkill {
  if ("text" in file) return readSkill({ ...source, text: file.text, file: file.path }, frontMatter);
  const found = `The file is not read: ${file.why}.`;
  return { mistakes: [{ level: "error", file: file.path, line: 1, found, action: "Put an ordinary Markdown file there." }] };
}

function hiddenBy(nearer: Skill, { name, file }: Skill): Mistake {
  const found = `The skill "${name}" is there twice: ${nearer.file} is nearer, and that one counts.`;
  return { level: "warning", file, line: 1, found, action: "Give one of them another name." };
}

/** The reason is a sentence. `isNear`: there is a skill that is meant, or may be. */
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
    return no(`there is none.${names.length > 0 ? ` There are: ${some(names)}` : ""}`, false);
  }
  if (by === "model" && !skill.byModel) return no("only the person uses it, by typing its name.");
  if (by === "person" && !skill.byPerson) return no("only the model uses it, when it fits.");
  return { ok: true, skill };
}

/** What keeps the file of that name from being a skill. */
export function brokenSkill(mistakes: readonly Mistake[], name: string): string | undefined {
  const mistake = mistakes.find(({ level, file }) => level === "error" && isNamed(file, name));
  return mistake && `its file has a mistake. ${mistakeLine(mistake)}`;
}

const mostNames = 40;
const some = (names: string[]) => `${names.slice(0, mostNames).join(", ")}${names.length > mostNames ? ", …" : ""}`;

/** Whether a file that was not read is called so by its place. */
function isNamed(file: string, name: string): boolean {
  const parts = file.toLowerCase().split("/");
  return parts.at(-1) === `${name.toLowerCase()}.md` || (parts.at(-1) === "skill.md" && parts.at(-2) === name.toLowerCase());
}

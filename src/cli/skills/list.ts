// Prints `tool skills list` and `tool skills show`.

import { nearPath } from "../../app/controls/near-path.ts";
import { isBuiltIn, skillsText, whoUses } from "../../app/controls/skills-text.ts";
import { fitted } from "../../app/print/fitted.ts";
import { styleOf } from "../../app/print/print-reply.ts";
import { openSettings } from "../../app/settings/open-settings.ts";
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import { visibleText } from "../../screen/visible-text.ts";
import { trustWays } from "../../settings/trust.ts";
import { builtInSkills } from "../../skills/built-in.ts";
import type { Skill } from "../../skills/skill.ts";
import { findSkill, loadSkills, type Skills, skillFolders } from "../../skills/skills.ts";
import { scopeWords } from "../../subagents/definitions/definitions.ts";

type Flags = { json?: boolean; trust?: boolean };

export async function listSkills(world: World, { json, trust }: Flags): Promise<ExitCode> {
  const { list, mistakes, untrusted, ways } = await skillsHere(world, { trust });
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, skills: list.map(asJson), mistakes, untrusted })}\n`);
  else
    world.stdout.write(
      `${await fitted(world.stdout, skillsText({ list, mistakes, untrusted }, { style: styleOf(world), command: world.command, cwd: world.cwd, trust: ways }))}\n`,
    );
  return 0;
}

export async function showSkill(world: World, name: string, { json, trust }: Flags): Promise<ExitCode> {
  const skills = await skillsHere(world, { trust });
  const anybodys = skills.list.map((skill) => ({ ...skill, byModel: true, byPerson: true }));
  const found = findSkill({ ...skills, list: anybodys }, { name, by: "person" });
  if (!found.ok) throw new UsageError(found.reason);
  const skill = skills.list.find((one) => one.name === found.skill.name) ?? found.skill;
  world.stdout.write(
    json ? `${JSON.stringify({ ok: true, skill: { ...asJson(skill), body: skill.body } })}\n` : `${wholeText(world, skill)}\n`,
  );
  return 0;
}

/** The skills that apply in the working directory, as far as its settings are trusted. */
async function skillsHere(world: World, flags: { trust?: boolean }): Promise<Skills & { ways: string }> {
  const settings = await openSettings(world, flags);
  const { root, trust } = settings;
  const folders = skillFolders({ root, configDir: world.configDir });
  const files = await world.edges.definitions();
  const skills = await loadSkills(files, { folders, trusted: trust.state === "trusted", builtIn: builtInSkills });
  return { ...skills, ways: trustWays(settings) };
}

function asJson({ allowedTools, argumentHint, byModel, byPerson, needsGit, ...skill }: Skill) {
  return {
    ...skill,
    body: undefined,
    file: isBuiltIn(skill) ? null : skill.file,
    allowed_tools: allowedTools ?? null,
    argument_hint: argumentHint ?? null,
    by_model: byModel,
    by_person: byPerson,
    needs_git: needsGit === true,
  };
}

function wholeText(world: World, skill: Skill): string {
  const { name, description, body, allowedTools, argumentHint, context, model, scope, file } = skill;
  const facts = [
    `used by: ${whoUses(skill)}`,
    `tools while in use: ${allowedTools ? allowedTools.join(", ") || "none" : "all that the agent has"}`,
    ...(argumentHint ? [`arguments: ${argumentHint}`] : []),
    `context: ${context}`,
    ...(model ? [`model: ${model}`] : []),
    `file: ${isBuiltIn(skill) ? scopeWords[scope] : nearPath(world.cwd, file)}`,
  ];
  return visibleText([name, description, "", ...facts, "", body].join("\n"));
}

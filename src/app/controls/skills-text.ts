// The table of `tool skills list` and /skills.

import type { Style } from "../../screen/style.ts";
import { aligned, cell } from "../../screen/table.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { Skill } from "../../skills/skill.ts";
import type { Skills } from "../../skills/skills.ts";
import { mistakeLine } from "../../subagents/definitions/definition.ts";
import { scopeWords } from "../../subagents/definitions/definitions.ts";
import { plural } from "../../wording/figures.ts";
import { nearPath } from "./near-path.ts";

/** `trust`: how the person trusts the project. */
type Where = { style: Style; command: string; cwd: string; trust: string };

export function skillsText({ list, mistakes, untrusted }: Skills, { style, command, cwd, trust }: Where): string {
  const rows = list.map((skill) => [
    cell(visibleLine(skill.name), style.bold),
    cell(whoUses(skill)),
    cell(scopeWords[skill.scope], style.dim),
    cell(visibleLine(beginning(skill))),
  ]);
  const waiting = `${plural(untrusted.length, "skill")} of this project ${untrusted.length === 1 ? "is" : "are"} not loaded before you trust the project: ${trust}.`;
  const how = `How to write one of your own: ${command} skills --help`;
  return [
    ...aligned(rows),
    ...(list.every(isBuiltIn) ? [how] : []),
    ...mistakes.map((mistake) => visibleLine(mistakeLine({ ...mistake, file: nearPath(cwd, mistake.file) }))),
    ...(untrusted.length > 0 ? [waiting, ...untrusted.map((file) => `  ${visibleLine(nearPath(cwd, file))}`)] : []),
  ].join("\n");
}

export const isBuiltIn = ({ scope }: Pick<Skill, "scope">) => scope === "built-in";

export function whoUses({ byModel, byPerson, description }: Skill): string {
  const model = byModel && description !== "";
  if (model && byPerson) return "model, /name";
  return model ? "model" : byPerson ? "/name" : "nobody";
}

const longestBeginning = 100;

function beginning({ description, body }: Skill): string {
  const line = (description || body.split("\n", 1)[0] || "").replaceAll(/\s+/g, " ");
  return line.length > longestBeginning ? `${line.slice(0, longestBeginning).toWellFormed()}…` : line;
}

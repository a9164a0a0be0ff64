// One use of a skill: restricts the agent's tools, runs the commands in the text under the permission rules, and returns the complete text.
import { dirname, relative } from "node:path";
import type { DeniedOnTheWay, FileSource } from "../tools/tool.ts";
import type { Skill } from "./skill.ts";
import { skillPieces } from "./skill-text.ts";

/** The result of a command in the text. */
export type CommandRun = { text: string; denied?: DeniedOnTheWay[]; askedMs?: number };

export type SkillPorts = {
  cwd: string;
  /** Runs a Bash call of the agent under its rules and its sandbox; the output is redacted. */
  run(command: string, signal: AbortSignal): Promise<CommandRun>;
  /** Restricts the agent to these tools until its run of turns ends. */
  narrow(skill: string, tools: readonly string[]): void;
};

export type UsedSkill = { text: string; commands: number; denied: DeniedOnTheWay[]; askedMs: number; source: FileSource };

export async function useSkill(skill: Skill, given: string, ports: SkillPorts, signal: AbortSignal): Promise<UsedSkill> {
  if (skill.allowedTools) ports.narrow(skill.name, skill.allowedTools);
  const source = { path: near(skill.file, ports.cwd), sha256: skill.sha256, bytes: skill.bytes };
  const used: UsedSkill = { text: opening(skill, ports.cwd), commands: 0, denied: [], askedMs: 0, source };
  for (const piece of skillPieces(skill.body, given)) {
    if (piece.kind === "text") used.text += piece.text;
    else {
      const { text, denied = [], askedMs = 0 } = await ports.run(piece.command, signal);
      used.text += text;
      used.commands++;
      used.denied.push(...denied);
      used.askedMs += askedMs;
    }
  }
  return used;
}

/** Tells the model which skill the instructions come from, and in which folder the skill's files are. */
function opening({ name, kind, file, allowedTools }: Skill, cwd: string): string {
  const beside = kind === "skill" ? ` Files that it names are in ${near(dirname(file), cwd)}.` : "";
  const only = allowedTools ? ` Until this work is done you have only: ${allowedTools.join(", ") || "no tools"}.` : "";
  return `Instructions of the skill "${name}".${beside}${only}\n\n`;
}

function near(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return way.startsWith("..") ? path : way;
}

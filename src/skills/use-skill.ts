// One use of a skill: what the agent has is narrowed, the commands in its text are run under the rules, and the text comes back whole.
import { dirname, relative } from "node:path";
import type { DeniedOnTheWay, FileSource } from "../tools/tool.ts";
import type { Skill } from "./skill.ts";
import { skillPieces } from "./skill-text.ts";

/** What came of a command. */
export type CommandRun = { text: string; denied?: DeniedOnTheWay[]; askedMs?: number };

export type SkillPorts = {
  cwd: string;
  /** A Bash call of the agent's, under its rules and its sandbox, without secrets in what it prints. */
  run(command: string, signal: AbortSignal): Promise<CommandRun>;
  /** From now until the run of turns ends, the agent has only these. */
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

/** Says whose words follow, and where the files lie that a skill brings. */
function opening({ name, kind, file, allowedTools }: Skill, cwd: string): string {
  const beside = kind === "skill" ? ` Files that it names are in ${near(dirname(file), cwd)}.` : "";
  const only = allowedTools ? ` Until this work is done you have only: ${allowedTools.join(", ") || "no tools"}.` : "";
  return `Instructions of the skill "${name}".${beside}${only}\n\n`;
}

function near(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return way.startsWith("..") ? path : way;
}

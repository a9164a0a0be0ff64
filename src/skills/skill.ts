// What a skill is once it has been read: a text that a model uses by its name when the description fits, or a person by typing /name.
import type { Mistake } from "../subagents/definition.ts";

/** Where skills are looked for, the nearest first: of two with one name the nearer counts. */
export type SkillScope = "project" | "claude" | "user" | "built-in";

/** `skill`: a folder with a SKILL.md. `command`: one Markdown file, whose front matter may be missing. */
export type SkillKind = "skill" | "command";

export type Skill = {
  name: string;
  /** When to use it: a model chooses by it. */
  description: string;
  /** The instructions, before arguments are put in. */
  body: string;
  /** Tools and uses of tools, written as permission rules: all that the agent has while it uses the skill; absent: no limit. */
  allowedTools?: readonly string[];
  /** What may follow the name, as completion shows it. */
  argumentHint?: string;
  /** In whose conversation it runs: the agent's own, or that of a forked sub-agent. */
  context: "inline" | "fork";
  /** Of the sub-agent. */
  model?: string;
  /** It is about a repository, and refused where there is none. */
  needsGit?: true;
  /** Whether a model may use it by itself. */
  byModel: boolean;
  /** Whether a person may type it. */
  byPerson: boolean;
  kind: SkillKind;
  scope: SkillScope;
  file: string;
  /** Of the whole file. */
  sha256: string;
  bytes: number;
};

/** A skill is absent when a mistake prevents its use. */
export type ReadSkill = { skill?: Skill; mistakes: Mistake[] };

/** In words, for lists. */
export const skillScopeWords: Record<SkillScope, string> = {
  project: "project",
  claude: "project (.claude)",
  user: "yours",
  "built-in": "built-in",
};

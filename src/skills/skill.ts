// A skill after it has been read: instructions that a model uses when their description fits, or that a person starts by typing /name.
import type { DefinitionScope, Mistake } from "../subagents/definitions/definition.ts";

/** `skill`: a folder with a SKILL.md. `command`: one Markdown file, with or without front matter. */
export type SkillKind = "skill" | "command";

export type Skill = {
  name: string;
  /** When to use it; a model chooses by this text. */
  description: string;
  /** The instructions before arguments are filled in. */
  body: string;
  /** All tools that the agent has while it uses the skill, written as permission rules; absent: no limit. */
  allowedTools?: readonly string[];
  /** The arguments, as completion shows them after the name. */
  argumentHint?: string;
  /** Where it runs: in the agent's own conversation, or in a forked sub-agent. */
  context: "inline" | "fork";
  /** The sub-agent's model. */
  model?: string;
  /** It needs a Git repository and is refused elsewhere. */
  needsGit?: true;
  /** Whether a model may use it by itself. */
  byModel: boolean;
  /** Whether a person may type it. */
  byPerson: boolean;
  kind: SkillKind;
  scope: DefinitionScope;
  file: string;
  /** The hash of the whole file. */
  sha256: string;
  bytes: number;
};

/** `skill` is absent if a mistake prevents its use. */
export type ReadSkill = { skill?: Skill; mistakes: Mistake[] };

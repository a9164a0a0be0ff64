// The agents that every session has without a definition file.

import { coordinatorPrompt, workerInstructions } from "../workers/worker-prompt.ts";
import { documenterPrompt, reviewerPrompt, testerPrompt } from "./built-in-roles.ts";
import type { Definition } from "./definition.ts";

const builtIn = (definition: Pick<Definition, "name" | "description" | "prompt"> & Partial<Definition>): Definition => ({
  disallowedTools: [],
  model: "inherit",
  background: false,
  context: "fresh",
  skills: [],
  scope: "built-in",
  file: "",
  ...definition,
});

/** The agent that starts if no other is named. */
export const generalAgent = builtIn({
  name: "general",
  description: "any piece of work: has all your tools and a fresh context",
  prompt: "Do the work that you are given, and no more. Look before you change; check what you did with the tests or commands at hand.",
});

/**
 * The agent that StartWorker starts, unless the person has a definition with this name. It is not offered in the Agent tool, because a worker needs
 * its list of files.
 */
export const workerAgent = builtIn({
  name: "worker",
  description: "",
  prompt: workerInstructions,
  disallowedTools: ["Agent", "StartWorker"],
  model: "haiku",
});

/** Meant for teammates; a session can start them too. */
const roles = [
  builtIn({
    name: "reviewer",
    description: "looks for faults in changes, and changes nothing",
    prompt: reviewerPrompt,
    tools: ["Read", "Glob", "Grep", "Bash"],
  }),
  builtIn({ name: "tester", description: "writes tests that can fail, and reports what they find", prompt: testerPrompt }),
  builtIn({
    name: "documenter",
    description: "writes documentation, and corrects what is out of date",
    prompt: documenterPrompt,
  }),
];

/** The agents that a team replaces with teammates. */
export const teamWork: readonly string[] = ["coordinator", ...roles.map(({ name }) => name)];

/** `models`: models from the settings that replace the defaults of these agents. */
export function builtInAgents(models: { coordinator?: string | undefined } = {}): readonly Definition[] {
  return [
    generalAgent,
    builtIn({
      name: "explorer",
      description: "finds things in the code; give it a question",
      prompt:
        "Answer the question that you are given from the files of the working directory. You change nothing. Name what you found as path:line.",
      tools: ["Read", "Glob", "Grep", "Bash"],
      permissionMode: "plan",
    }),
    builtIn({
      name: "fork",
      description: "a copy of yourself that knows this conversation",
      prompt: "",
      context: "fork",
    }),
    builtIn({
      name: "coordinator",
      description: "the same change in several components, with a worker for each, in phases",
      prompt: coordinatorPrompt,
      tools: ["Read", "Glob", "Grep", "Bash", "StartWorker", "CheckAgent", "RecordFailure"],
      model: models.coordinator ?? "opus",
    }),
    ...roles,
  ];
}

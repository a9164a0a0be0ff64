// The table of hook events: when each one occurs, and what a hook can do there. event-inputs.ts has the input of each.

import { toolNames } from "../permissions/rules.ts";
import type { HookEvent } from "../settings/hook-settings.ts";
import { otherToolNames, ourTool } from "../settings/other-tool-names.ts";
import { otherAgentNames } from "../wording/agent-names.ts";

/**
 * `matches`: what a matcher is compared with. `known`: its possible values, if they are fixed. `alsoCalled`: names of other products, and the values
 * that they mean. `blocks`: what exit code 2 does.
 */
export type EventRow = {
  when: string;
  matches?: { what: string; known: readonly string[]; alsoCalled?: Readonly<Record<string, string>> };
  blocks?: string;
  /** Whether `additional_context` is shown to the model; `text`: plain text on standard output is that too. */
  adds?: "context" | "text";
  /** What `"continue": false` does. */
  stops?: "turn" | "lets it stop";
};

const tools = {
  what: "the tool",
  known: [...toolNames.filter((name) => name !== "Network"), "SubmitPlan"],
  alsoCalled: Object.fromEntries(otherToolNames.map((name) => [name, ourTool(name)])),
};

export const sources = ["startup", "resume", "clear"] as const;
export const endReasons = ["exit", "other_session"] as const;
export type EndReason = (typeof endReasons)[number];
export const notificationTypes = ["permission_request", "agent_completed"] as const;
export const compactionTriggers = ["manual", "auto"] as const;

export const events = {
  SessionStart: {
    when: "A session begins, or goes on.",
    matches: { what: "the source", known: sources },
    adds: "text",
    stops: "turn",
  },
  UserPromptSubmit: {
    when: "Before what the person typed reaches the model.",
    blocks: "The prompt does not reach the model, and the person reads the reason.",
    adds: "text",
    stops: "turn",
  },
  PreToolUse: {
    when: "Before a tool call, and before every rule.",
    matches: tools,
    blocks: "The call does not run, and the model reads the reason.",
    stops: "turn",
  },
  PostToolUse: {
    when: "After a tool call that has run.",
    matches: tools,
    blocks: "The model reads the reason below the result; what the call has done stays.",
    adds: "context",
    stops: "turn",
  },
  PermissionRequest: {
    when: "Before a question about a call is put to the person.",
    matches: tools,
    blocks: "The answer is no, and the model reads the reason. No hook can answer yes.",
    stops: "turn",
  },
  Notification: {
    when: "The person's attention is wanted: a question waits, or a background agent has ended.",
    matches: { what: "the type", known: notificationTypes, alsoCalled: { permission_prompt: "permission_request" } },
  },
  SubagentStart: {
    when: "An agent that the session starts begins to work.",
    matches: { what: "the name of the agent's definition", known: [], alsoCalled: otherAgentNames },
  },
  SubagentStop: {
    when: "An agent that the session has started ends, however it ends.",
    matches: { what: "the name of the agent's definition", known: [], alsoCalled: otherAgentNames },
  },
  TaskCreated: {
    when: "An agent of a team has added a task to the list.",
  },
  TaskCompleted: {
    when: "An agent of a team is about to complete a task.",
    blocks: "The task is not completed, and the agent reads the reason.",
    stops: "turn",
  },
  TeammateIdle: {
    when: "A teammate has nothing left to do.",
    blocks: "The teammate works on with the reason as its input, at most five times in a row.",
    stops: "lets it stop",
  },
  PreCompact: {
    when: "Before the conversation is replaced by a summary.",
    matches: { what: "the trigger", known: compactionTriggers },
    blocks: "The conversation stays as it is.",
    stops: "turn",
  },
  Stop: {
    when: "The agent has no more to do and would stop.",
    blocks: "The agent works on with the reason as its input, at most five times in a row.",
    stops: "lets it stop",
  },
  SessionEnd: {
    when: "A session ends. The hook has 5 seconds unless it sets a timeout.",
    matches: {
      what: "the reason",
      known: endReasons,
      alsoCalled: { prompt_input_exit: "exit", logout: "exit", other: "exit", clear: "other_session" },
    },
  },
} as const satisfies Record<HookEvent, EventRow>;

// Everything an agent does, as one union: transcript, screen, status line, team log and stream-json read this and nothing else.
import type { PermissionMode } from "../permissions/policy.ts";
import type { Media } from "../tools/files/media.ts";
import type { FileSource } from "../tools/tool.ts";
import type { Evidence } from "../wording/evidence.ts";
import type { GoalCheck, GoalCondition, GoalEnding } from "./goal/goal.ts";
import type { AssistantMessage, Usage } from "./ports/model.ts";
import type { FileLeft, FileToPutBack } from "./rewind/plan-files.ts";

/** The source of an input. Mail has the id of its message, so that a transcript proves its delivery. */
export type InputSource =
  | { kind: "user" }
  | { kind: "task"; task: string }
  | { kind: "mail"; message: string; from: string; mail: string; replyTo?: string }
  /** A command that the person ran in the session, and what it printed. */
  | { kind: "command"; command: string }
  /** A file that the person named with an @. */
  | { kind: "file"; path: string; sources?: FileSource[] }
  /** The report of a sub-agent's run in the background: its delivery is proved by this. `run`: counted from 1, more than 1 when it was resumed. */
  | { kind: "agent"; agent: string; run: number }
  /** The end of a command that ran in the background: its delivery is proved by this. */
  | { kind: "background"; command: string }
  /** Text that a hook adds, or work that it requests. */
  | { kind: "hook"; event: string }
  /** A skill that the person used by typing its name. */
  | { kind: "skill"; name: string; arguments: string; sources?: FileSource[] }
  /** The description of the environment, given to the model once. */
  | { kind: "environment" }
  /** `about`: of several queued inputs about the same subject, only the last one counts. */
  | { kind: "harness"; about?: string };

export type Input = {
  source: InputSource;
  /** The text for the model. */
  text: string;
  /** Images and documents that the model sees with it. */
  media?: Media[];
  /** The text for a person, if it differs; empty: nothing is shown. */
  shown?: string;
  /** What a person typed of it, where more came with it: only this names files to attach. Not recorded. */
  typed?: string;
  /** Waits for the end of the current run of turns, because its limits apply to a whole run. */
  ownRun?: true;
};

/** Why a run of turns ended. */
export type Ending =
  | { kind: "done" }
  | { kind: "max_turns"; limit: number }
  | { kind: "budget"; limitUsd: number; spentUsd: number }
  | { kind: "aborted" }
  /** It made the same call again and again; a hook of the person's said `"continue": false`. The reason is a sentence. */
  | { kind: "repeats_itself" | "stopped_by_hook"; reason: string }
  | { kind: "fault"; reason: string; cause?: ProviderFailure };

/** Why the provider gave no reply, where that says what helps. `outage`: it was asked again and again, and may answer later. */
export type ProviderFailure = "key_refused" | "quota" | "outage";

/** How a run of a sub-agent ended. */
export type AgentEndState = "completed" | "failed" | "needs_permission" | "stopped";

/** Why the conversation is compacted: the user asked, the window is nearly full, or the provider refused it as too long. */
export type CompactionCause = "asked" | "nearly_full" | "overflow";

/** `definition`: the name of the session's definition. `purpose`: the harness started the session for a step of its own. */
export type AgentEvent =
  | {
      type: "session";
      session: string;
      agent: string;
      cwd: string;
      model: string;
      version: string;
      team?: string;
      definition?: string;
      purpose?: "batch_plan";
      at: string;
    }
  | { type: "input"; inputs: Input[]; at: string }
  | { type: "request"; turn: number; retryCount: number; at: string }
  | { type: "text"; text: string }
  /** A piece of a thought, as it streams: for the person's screen alone, since nothing has been taken out of it. */
  | { type: "thought"; text: string }
  /** A piece of a call's input, as it streams: for the person's screen alone. `begins`: the first piece of this call. */
  | { type: "call_text"; name: string; text: string; begins: boolean }
  /** A wait before an attempt at a request: it begins at `at`. The next `request` ends it, or the end of the run. */
  | { type: "retry"; reason: string; waitMs: number; retryCount: number; at: string }
  | {
      type: "reply";
      turn: number;
      message: AssistantMessage;
      stop_reason: string;
      usage: Usage;
      /** How many of the output's tokens were thoughts; absent if the provider does not say. */
      thoughtTokens?: number;
      costUsd: number | null;
      model: string;
      ms: number;
      at: string;
    }
  /** An attempt whose reply did not become whole, and what it cost: `output_tokens` is an estimate of what had come. */
  | { type: "unfinished_reply"; usage: Usage; costUsd: number | null; model: string; at: string }
  /** `purpose`: what the model says that the call is for. */
  | { type: "tool_started"; id: string; name: string; subject: string; purpose?: string; at: string }
  /** The end of what a running call has just written: secrets are still in it, so that it goes to the person's screen alone. */
  | { type: "tool_output"; id: string; text: string }
  | {
      type: "tool_ended";
      id: string;
      name: string;
      subject: string;
      text: string;
      /** Images and documents that the model sees with it. */
      media?: Media[];
      isError: boolean;
      /** One line for a person: `84 lines`, `✓ 11 passed`. */
      summary: string;
      /** Files this call wrote, relative to the working directory. */
      touched: string[];
      /** Details that a person may request: a unified diff, or more of the text. */
      detail?: string;
      /** Files whose content is in the text, as they were then. */
      sources?: FileSource[];
      /** The versions of files that it wrote without showing them. */
      wrote?: FileSource[];
      ms: number;
      at: string;
    }
  /** A permission was missing or refused; the model gets the reason as the call's result. `rules`: these together would have allowed it. */
  | { type: "denied"; id: string; name: string; subject: string; reason: string; rules?: string[]; at: string }
  /** The model is asked to sum up the conversation, which has `before` tokens. */
  | { type: "compacting"; cause: CompactionCause; focus?: string; before: number; at: string }
  /** From here on the conversation begins with `summary`, and has about `after` tokens. */
  | {
      type: "compacted";
      cause: CompactionCause;
      focus?: string;
      /** The text that replaces the earlier conversation: the summary, and the facts that it must keep. */
      summary: string;
      before: number;
      after: number;
      /** The most characters of each result of the current turn; absent: not cut. */
      resultLimit?: number;
      usage: Usage;
      costUsd: number | null;
      model: string;
      ms: number;
      at: string;
    }
  /** The conversation stays as it was. `usage`, `costUsd` and `model` when a reply came and was of no use. */
  | { type: "compaction_failed"; reason: string; usage?: Usage; costUsd?: number | null; model?: string; at: string }
  /** A sub-agent of this session has ended a run, whose cost is part of what the session cost. */
  | {
      type: "agent_ended";
      agent: string;
      name: string;
      description: string;
      state: AgentEndState;
      /** Why, where that is not `completed`. */
      reason?: string;
      /** The last test of its run; absent if it neither ran a command nor wrote a file. */
      evidence?: Evidence;
      /** How many of its commands failed and did not succeed later; absent: none. */
      failedCommands?: number;
      /** How many files it changed; absent: none. */
      files?: number;
      /** What it reports to the agent that started it. */
      report?: string;
      turns: number;
      usage: Usage;
      costUsd: number | null;
      model: string;
      ms: number;
      at: string;
    }
  /** Earlier thoughts are left out from here on: the provider refuses them, or they would not be at their original places. */
  | { type: "thoughts_dropped"; reason: string; at: string }
  /** The images and documents of the current turn are left out: the provider refuses one that the model has not seen yet. */
  | { type: "media_dropped"; reason: string; at: string }
  /**
   * The person has gone back: what was said from the line on that was taken in at `to` is not in the conversation any more. `putBack`: files
   * that are made what they were then, right after this. `text`: what the model reads of it with the next input; empty: nothing.
   */
  | { type: "rewound"; to: string; line?: string; putBack: FileToPutBack[]; left: FileLeft[]; text: string; at: string }
  /** The person has changed the permission mode, or approved a plan. */
  | { type: "mode_changed"; mode: PermissionMode; at: string }
  /** The session works on until the condition holds. `spentUsd`: what the session had cost by then. */
  | { type: "goal_set"; condition: GoalCondition; maxTurns: number; spentUsd: number | null; at: string }
  /** The condition was looked at. `output`: the last lines of the command, or what is missing. The usage is that of the judging request. */
  | ({ type: "goal_checked"; output: string; ms: number; usage?: Usage; costUsd?: number | null; model?: string; at: string } & GoalCheck)
  /** `checks`: every look, oldest first. `turns` and `costUsd`: since it was set. */
  | {
      type: "goal_ended";
      condition: GoalCondition;
      ending: GoalEnding;
      checks: GoalCheck[];
      turns: number;
      costUsd: number | null;
      at: string;
    }
  | { type: "notice"; level: "info" | "warning" | "error"; text: string; at: string }
  | { type: "ended"; ending: Ending; text: string; at: string };

/** The events that a transcript keeps; the others are for live display only. */
export type TranscriptEvent = Exclude<
  AgentEvent,
  { type: "text" | "thought" | "call_text" | "request" | "tool_started" | "tool_output" | "compacting" }
>;

/** Its text may hold secrets, because nothing has been taken out of it: it is shown to the person and goes nowhere else as it is (app/acp/feed.ts). */
type ForScreenAlone = "tool_output" | "thought" | "call_text";

/** Events that may leave the process. */
export type Printable = Exclude<AgentEvent, { type: ForScreenAlone }>;

export const isPrintable = (event: AgentEvent): event is Printable =>
  event.type !== "tool_output" && event.type !== "thought" && event.type !== "call_text";

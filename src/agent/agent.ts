// One agent, as the loop sees it: its model, tools, conversation, limits, and event sink.
import type { OutputStore } from "../tools/output.ts";
import type { AnyTool, ToolResult } from "../tools/tool.ts";
import type { AgentHooks } from "./agent-hooks.ts";
import type { AgentEvent, Input } from "./events.ts";
import type { Clock } from "./ports/clock.ts";
import type { Model, ModelReply, ToolSchema } from "./ports/model.ts";
import type { OutboundFilter } from "./ports/outbound-filter.ts";
import type { Permit } from "./ports/permit.ts";
import type { Survivors } from "./prompt.ts";
import type { Fallback } from "./requests/fallback.ts";
import type { RetryBudget } from "./requests/retry.ts";
import type { Effort } from "./requests/thinking.ts";
import type { History } from "./session/history.ts";
import type { SkillInput } from "./session/used-skills.ts";

/** Where input comes from while the agent works: typed lines, mail, the harness. */
export interface Inbox {
  /** Takes the inputs from the queue that may enter at this turn of the run, counted from 1. */
  take(turn: number): Input[];
  /** Called once the transcript with these inputs is on disk. */
  recorded(inputs: Input[]): void;
}

export type Agent = {
  name: string;
  model: Model;
  modelName: string;
  maxTokens: number;
  /** The model that answers while the first one is overloaded. */
  fallback?: Fallback | undefined;
  /** How much the model thinks; the model's default when not set. */
  effort?: Effort | undefined;
  system: string;
  tools: AnyTool[];
  schemas: ToolSchema[];
  permit: Permit;
  /** Without one, nothing is scanned for secrets. */
  filter: OutboundFilter | undefined;
  hooks?: AgentHooks;
  history: History;
  /** Whether there is such a file, by a path that the person wrote. */
  isThere?: ((path: string) => boolean) | undefined;
  inbox: Inbox;
  limits: Limits;
  clock: Clock;
  costUsd: (reply: Pick<ModelReply, "model" | "usage">) => number | null;
  /** The event sink: transcript, screen and status read it. */
  emit: (event: AgentEvent) => void;
  /** Resolves when everything emitted is on disk, or the signal aborts. Throws when the disk refuses for good. */
  written?: (signal: AbortSignal) => Promise<void>;
  /** The cost of this agent so far, in dollars. */
  spentUsd: () => number;
  /** Tokens that the model can hold; by the table of prices.ts when not set. */
  windowTokens?: number;
  /** The first inputs of the conversation. */
  opening?: () => Promise<Input>;
  /** The current facts that a summary of the conversation must keep. */
  survivors?: () => Survivors;
  /** Shared with every agent that asks the same provider. */
  retryBudget?: RetryBudget;
  /** A line that names a skill, with the instructions of the skill in its place. Absent: there are none. */
  useSkill?: (input: SkillInput, signal: AbortSignal) => Promise<Input>;
  /** A resource of a server that the person names as `server:uri`; undefined if there is no such server. */
  resource?: (named: string, signal: AbortSignal) => Promise<ToolResult | undefined>;
  /** Where the full text of shortened outputs is kept. */
  outputs?: OutputStore;
};

export type Limits = { maxTurns?: number; budgetUsd?: number };

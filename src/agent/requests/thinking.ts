// How much a model thinks before it answers, expressed in the parameters that each model accepts. What is refused where: the table of
// https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting

import { type Effort, efforts } from "../../settings/effort.ts";
import { type AssistantMessage, isThought, type Message, type ModelRequest } from "../model.ts";
import { entryOf } from "./prices.ts";

export { type Effort, efforts };

/** `off`: what keeps it from thinking; `never` where nothing does, and `absent` where it thinks only when it is told to. */
type Adaptive = { kind: "adaptive"; off: "never" | "absent" | "disabled" | "between_tools" };
/** It thinks up to a number of tokens, and begins with a thought wherever it continues after results of its tools. */
type Budgeted = { kind: "budgeted" };

const adaptive = (off: Adaptive["off"]): Adaptive => ({ kind: "adaptive", off });
const budgeted: Budgeted = { kind: "budgeted" };

/** As of 2026-11-20, by model id without its date. */
const ways: Record<string, Adaptive | Budgeted> = {
  "claude-fable-5-2": adaptive("never"),
  "claude-fable-5-1": adaptive("never"),
  "claude-fable-5": adaptive("never"),
  "claude-mythos-5-1": adaptive("never"),
  "claude-mythos-5": adaptive("never"),
  "claude-opus-5-5": adaptive("never"),
  "claude-opus-5": adaptive("disabled"),
  "claude-sonnet-5-5": adaptive("between_tools"),
  "claude-sonnet-5": adaptive("disabled"),
  "claude-haiku-5-5": adaptive("disabled"),
  "claude-opus-4-8": adaptive("absent"),
  "claude-opus-4-7": adaptive("absent"),
  "claude-opus-4-6": adaptive("absent"),
  "claude-sonnet-4-6": adaptive("absent"),
  "claude-opus-4-5": budgeted,
  "claude-sonnet-4-5": budgeted,
  "claude-haiku-4-5": budgeted,
  "claude-opus-4-1": budgeted,
  "claude-opus-4": budgeted,
  "claude-sonnet-4": budgeted,
  scripted: adaptive("absent"),
};

/** Tokens of thought, for models that are given a number. A reply has as many more. */
const budgets: Record<Exclude<Effort, "off">, number> = { low: 4_000, high: 16_000 };

export type Thinking = Pick<ModelRequest, "thinking" | "output_config">;

/** The parameters of a request: none if no effort was chosen, which leaves it to the model, and none for an unknown model. */
export function thinkingOf(model: string, effort: Effort | undefined, messages: Message[]): Thinking {
  const way = entryOf(model, ways);
  if (!way || effort === undefined) return {};
  if (way.kind === "adaptive") return adaptiveThinking(way, effort);
  // A turn of this model starts with a thought or has none: a turn that started without one continues without.
  if (effort === "off" || isInTurnWithoutThought(messages)) return {};
  return { thinking: { type: "enabled", budget_tokens: budgets[effort] } };
}

function adaptiveThinking({ off }: Adaptive, effort: Effort): Thinking {
  if (effort !== "off") return { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort } };
  if (off === "never") return { output_config: { effort: "low" } };
  return off === "absent" ? {} : { thinking: { type: off } };
}

function isInTurnWithoutThought(messages: Message[]): boolean {
  const reply = messages.findLast(({ role }) => role === "assistant");
  const calls = reply?.content.some(({ type }) => type === "tool_use") ?? false;
  return calls && !(reply?.content[0] && isThought(reply.content[0]));
}

/**
 * The reply to keep, from the original and its redacted form. A thought's signature covers its own words and those before it, so a thought would be
 * refused after any change: the reply is then kept without its thoughts.
 */
export function keptReply(came: AssistantMessage, screened: AssistantMessage): AssistantMessage {
  const isWhole = !came.content.some(isThought) || JSON.stringify(came) === JSON.stringify(screened);
  return isWhole ? screened : { ...screened, content: screened.content.filter((block) => !isThought(block)) };
}

/** How many tokens a reply may need beside its text and calls. Thoughts count towards its limit. */
export function tokensForThought({ thinking, output_config }: Thinking): number {
  if (thinking?.type === "enabled") return thinking.budget_tokens;
  return thinking?.type === "adaptive" && output_config ? budgets[output_config.effort] : 0;
}

/** A note for the user who chooses this effort for this model; undefined if the model supports it. */
export function effortProblem(model: string, effort: Effort | undefined): string | undefined {
  const way = entryOf(model, ways);
  if (effort === undefined) return undefined;
  if (!way) return `How much "${model}" thinks cannot be set here: it is no model that is known. The effort "${effort}" has no effect.`;
  if (effort === "off" && way.kind === "adaptive" && way.off === "never")
    return `${model} always thinks; with the effort "off" it thinks as little as it can.`;
  return undefined;
}

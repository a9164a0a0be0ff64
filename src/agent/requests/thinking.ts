// How much a model thinks before it answers, expressed in the parameters that each model accepts. What is refused where: the table of
// https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting

import { type Effort, efforts } from "../../settings/effort.ts";
import { type AssistantMessage, isThought, type Message, type ModelRequest } from "../ports/model.ts";
import { knownModel, type ThinkingWay } from "./prices.ts";

export { type Effort, efforts };

/** Tokens of thought, for models that are given a number. A reply has as many more. */
const budgets: Record<Exclude<Effort, "off">, number> = { low: 4_000, high: 16_000 };

export type Thinking = Pick<ModelRequest, "thinking" | "output_config">;

/** The parameters of a request: none if no effort was chosen, which leaves it to the model, and none for an unknown model. */
export function thinkingOf(model: string, effort: Effort | undefined, messages: Message[]): Thinking {
  const way = knownModel(model)?.thinks;
  if (!way || effort === undefined) return {};
  if (way !== "budgeted") return adaptiveThinking(way, effort);
  // A turn of this model starts with a thought or has none: a turn that started without one continues without.
  if (effort === "off" || isInTurnWithoutThought(messages)) return {};
  return { thinking: { type: "enabled", budget_tokens: budgets[effort] } };
}

function adaptiveThinking(off: Exclude<ThinkingWay, "budgeted">, effort: Effort): Thinking {
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
  const way = knownModel(model)?.thinks;
  if (effort === undefined) return undefined;
  if (!way) return `How much "${model}" thinks cannot be set here: it is no model that is known. The effort "${effort}" has no effect.`;
  if (effort === "off" && way === "never") return `${model} always thinks; with the effort "off" it thinks as little as it can.`;
  return undefined;
}

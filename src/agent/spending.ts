// What the requests of a session have cost, by model: its own, and those of the agents that it started, at any depth. This is the only place where
// costs are added up. A request is an event of exactly one transcript, so it counts once; `agent_ended` repeats such costs for a reader, and counts nothing.
import type { AgentEvent } from "./events.ts";
import type { Usage } from "./ports/model.ts";
import { addedUsage, noUsage } from "./usage.ts";

/** `turns`: replies that became whole. `costUsd`: null when the model's price is not known. */
export type ModelSpending = { turns: number; usage: Usage; thoughtTokens: number; costUsd: number | null };

/** By the model's name, in the order of their first replies. */
export type Spending = ReadonlyMap<string, ModelSpending>;

export const nothingSpent: Spending = new Map();

/** The spending with that of an event; most events cost nothing. */
export function withEvent(spending: Spending, event: AgentEvent): Spending {
  const made = requestIn(event);
  return made ? withSpending(spending, new Map([made])) : spending;
}

/** Both together. */
export function withSpending(spending: Spending, other: Spending): Spending {
  const sum = new Map(spending);
  for (const [model, one] of other) {
    const before = sum.get(model);
    sum.set(model, before ? added(before, one) : one);
  }
  return sum;
}

export function allUsage(spending: Spending): Usage {
  return [...spending.values()].reduce((sum, { usage }) => addedUsage(sum, usage), noUsage);
}

/** Null when a price is not known, so that a part is never shown as the whole. */
export function allUsd(spending: Spending): number | null {
  return [...spending.values()].reduce<number | null>((sum, { costUsd }) => addedUsd(sum, costUsd), 0);
}

/** What is known of it, for a budget: a model without a price must not make the rest free. */
export function knownUsd(spending: Spending): number {
  return [...spending.values()].reduce((sum, { costUsd }) => addedUsd(sum, costUsd ?? 0) ?? 0, 0);
}

function requestIn(event: AgentEvent): [model: string, ModelSpending] | undefined {
  if (!("usage" in event) || event.type === "agent_ended" || !event.usage || event.model === undefined) return undefined;
  const { usage, model, costUsd = 0 } = event;
  const reply = event.type === "reply" ? event : undefined;
  return [model, { turns: reply ? 1 : 0, usage, thoughtTokens: reply?.thoughtTokens ?? 0, costUsd }];
}

function added(one: ModelSpending, other: ModelSpending): ModelSpending {
  return {
    turns: one.turns + other.turns,
    usage: addedUsage(one.usage, other.usage),
    thoughtTokens: one.thoughtTokens + other.thoughtTokens,
    costUsd: addedUsd(one.costUsd, other.costUsd),
  };
}

/** Without the digits that floating-point addition adds: eight times $0.05 reach a budget of $0.40. */
export const addedUsd = (one: number | null, other: number | null) =>
  one === null || other === null ? null : Math.round((one + other) * 1e12) / 1e12;

// Estimates a unit's cost before it runs, from the files that it names, to help a person decide. It is shown as an estimate only.
import { costUsd } from "../agent/requests/prices.ts";
import type { Unit } from "./plan.ts";

export type Estimate = {
  tokens: number;
  /** Null if the model's price is unknown. */
  costUsd: number | null;
};

/** Tokens: at the start of a unit's requests, added by each file, and written in each turn. */
const base = 5_000;
const perFile = 2_000;
const perTurn = 450;
const turnsOf = (files: number) => 5 + 2 * files;

/** Each turn reads the conversation so far from the provider's cache; only new tokens have their full price. */
export function estimateUnit({ files }: Pick<Unit, "files">, model: string): Estimate {
  const turns = turnsOf(files.length);
  const grown = perFile * files.length + perTurn * turns;
  const read = turns * (base + grown / 2);
  const usage = {
    input_tokens: 0,
    cache_creation_input_tokens: base + grown,
    cache_read_input_tokens: Math.round(read),
    output_tokens: perTurn * turns,
  };
  return { tokens: Math.round(read) + base + grown + perTurn * turns, costUsd: costUsd(model, usage) };
}

/** The cost of a unit's first request, of which nothing is cached. Zero if the model's price is unknown: there is no budget then. */
export function estimateFirstCallUsd(model: string): number {
  return costUsd(model, { input_tokens: 0, cache_creation_input_tokens: base, cache_read_input_tokens: 0, output_tokens: perTurn }) ?? 0;
}

export function estimatePlan(units: readonly Unit[], model: string): Estimate {
  return units
    .map((unit) => estimateUnit(unit, model))
    .reduce((sum, one) => ({
      tokens: sum.tokens + one.tokens,
      costUsd: sum.costUsd === null || one.costUsd === null ? null : sum.costUsd + one.costUsd,
    }));
}

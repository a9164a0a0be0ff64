// What a unit may cost, before it runs: a guess from the files that it names, for a person who decides. It is said to be about right, and no more.
import { costUsd } from "../agent/requests/prices.ts";
import type { Unit } from "./plan.ts";

export type Estimate = {
  tokens: number;
  /** Null when the model's price is not known. */
  costUsd: number | null;
};

/** What a unit's requests begin with, what a file adds to them, and what a turn writes. */
const base = 5_000;
const perFile = 2_000;
const perTurn = 450;
const turnsOf = (files: number) => 5 + 2 * files;

/** Each turn reads the conversation so far from the provider's cache; only what is new costs its full price. */
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

/** What a unit's first request costs: nothing of it is in the provider's cache. Zero when the model's price is not known: no budget is kept then. */
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

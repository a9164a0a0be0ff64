// Estimates what units will use before they run, to help a person decide: a range, from units that have run in this repository or from what
// making the plan has taken here.
import { z } from "zod";
import { costUsd } from "../agent/requests/prices.ts";
import type { Unit } from "./plan/plan.ts";

/** `costUsd` is null if the price is unknown. */
export type Used = { turns: number; tokens: number; costUsd: number | null };

/** `units`: that have run in this repository with this model. `planning`: the agent that made the plan. */
export type Basis = { units: readonly Used[]; planning: Used | undefined; model: string };

const range = z.object({ low: z.number(), high: z.number() });
export type Range = z.infer<typeof range>;

export const estimateSchema = z.object({
  tokens: range,
  /** Null if the price is unknown. */
  cost_usd: range.nullable(),
  /** What it is from: `4 earlier units`. */
  from: z.string(),
});
/** Meant to hold in four of five batches. */
export type Estimate = z.infer<typeof estimateSchema>;

type Asked = Pick<Unit, "files">;

export function estimateUnits(units: readonly Asked[], basis: Basis): Estimate {
  if (basis.units.length > 0) return fromUnits(units.length, basis.units);
  return fromTurns(units, basis);
}

function fromUnits(count: number, earlier: readonly Used[]): Estimate {
  const costs = earlier.map((one) => one.costUsd).filter((cost) => cost !== null);
  return {
    tokens: whole(
      sumOf(
        count,
        earlier.map(({ tokens }) => tokens),
      ),
    ),
    cost_usd: costs.length === earlier.length ? sumOf(count, costs) : null,
    from: `${earlier.length} earlier ${earlier.length === 1 ? "unit" : "units"}`,
  };
}

/** Of a normal distribution, four fifths are within this many deviations. */
const deviations = 1.28;
/** Units of one repository differ by about half of what they use; fewer than this many say too little about that themselves. */
const assumedSpread = 0.5;
const fewForSpread = 4;
/** Another plan has other work. */
const otherWork = 0.3;

/** The sum of so many units like these: each varies, and so does the mean of the few that are known. */
function sumOf(count: number, samples: readonly number[]): Range {
  const mean = samples.reduce((sum, one) => sum + one, 0) / samples.length;
  const variance = samples.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, samples.length - 1);
  const spread = samples.length < fewForSpread ? Math.max(Math.sqrt(variance), assumedSpread * mean) : Math.sqrt(variance);
  const error = deviations * Math.sqrt(spread ** 2 * count * (1 + count / samples.length) + (otherWork * mean * count) ** 2);
  return { low: Math.max(mean * count * 0.2, mean * count - error), high: mean * count + error };
}

/** In tokens, where nothing has run yet: what one turn takes at least and at most, its whole conversation included. */
const unknownTurn = { low: 2_000, high: 9_000 };
/** A unit's turns beside the planner's: its conversation may be shorter, or grow with what it writes. */
const besidePlanner = { low: 0.7, high: 1.3 };
/** At least it changes something and says so; at most it looks first, runs its test, and returns to each file. */
const turnsOf = (files: number): Range => ({ low: 2, high: 5 + 2 * files });

function fromTurns(units: readonly Asked[], { planning, model }: Basis): Estimate {
  const planned = planning && planning.turns > 0 ? planning : undefined;
  const aTurn = planned ? planned.tokens / planned.turns : undefined;
  const turn = aTurn === undefined ? unknownTurn : { low: aTurn * besidePlanner.low, high: aTurn * besidePlanner.high };
  const tokens = units
    .map(({ files }) => turnsOf(files.length))
    .reduce((sum, turns) => ({ low: sum.low + turns.low * turn.low, high: sum.high + turns.high * turn.high }), { low: 0, high: 0 });
  return {
    tokens: whole(tokens),
    cost_usd: planned ? likePlanning(tokens, planned) : priced(tokens, model),
    from: planned ? `planning, ${planned.turns} ${planned.turns === 1 ? "turn" : "turns"}` : "nothing that has run here yet",
  };
}

/** A unit writes more of its tokens than a planner, and written ones are the dear ones. */
const mostWritten = 1.5;

function likePlanning({ low, high }: Range, { tokens, costUsd: cost }: Used): Range | null {
  return cost === null || tokens === 0 ? null : { low: (low * cost) / tokens, high: ((high * cost) / tokens) * mostWritten };
}

/** Of a conversation, most tokens are read from the provider's cache; a twentieth is written, a tenth is new. */
function priced({ low, high }: Range, model: string): Range | null {
  const of = (tokens: number) =>
    costUsd(model, {
      input_tokens: 0,
      cache_creation_input_tokens: Math.round(tokens * 0.1),
      cache_read_input_tokens: Math.round(tokens * 0.85),
      output_tokens: Math.round(tokens * 0.05),
    });
  const [least, most] = [of(low), of(high)];
  return least === null || most === null ? null : { low: least, high: most };
}

const whole = ({ low, high }: Range): Range => ({ low: Math.round(low), high: Math.round(high) });

/** The cost of a unit's first request, of which nothing is cached. Zero if the model's price is unknown: there is no budget then. */
export function estimateFirstCallUsd(model: string): number {
  const usage = { input_tokens: 0, cache_creation_input_tokens: 5_000, cache_read_input_tokens: 0, output_tokens: 450 };
  return costUsd(model, usage) ?? 0;
}

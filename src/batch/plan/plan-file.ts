// A plan as a file: a batch stores it, a person edits it, and `--plan` reads it.

import { z } from "zod";
import { errorText } from "../../wording/error-text.ts";
import type { Used } from "../estimate.ts";
import { judgePlan, mistakesOf, type Plan, type PlanVerdict, planSchema } from "./plan.ts";
import { planProblems } from "./plan-problems.ts";

/** Fields that a batch or `--plan-only --json` adds beside the units. They mean nothing to another batch. */
const passedOver = z.unknown().optional();
const fileSchema = z.strictObject({
  version: passedOver,
  head: passedOver,
  type: passedOver,
  verdict: passedOver,
  file: passedOver,
  cost_usd: passedOver,
  estimate: passedOver,
  planning: z.object({ turns: z.number(), tokens: z.number(), costUsd: z.number().nullable() }).optional().catch(undefined),
  instruction: z.string().optional(),
  ...planSchema.shape,
});

/** `planning`: what the agent used that made it. */
export type ReadPlan =
  | { ok: true; plan: Plan; instruction: string | undefined; planning: Used | undefined; verdict: PlanVerdict }
  | { ok: false; reasons: string[] };

export function readPlan(text: string): ReadPlan {
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const { instruction, planning, units } = parsed.file;
  return { ok: true, plan: { units }, instruction, planning, verdict: judgePlan({ units }) };
}

export function planText(plan: Plan, about: { instruction: string; head: string; planning?: Used | undefined }): string {
  return `${JSON.stringify({ version: 1, ...about, ...plan }, null, 2)}\n`;
}

function parse(text: string): { ok: true; file: z.infer<typeof fileSchema> } | { ok: false; reasons: string[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, reasons: [`It is not JSON: ${errorText(error)}.`] };
  }
  const read = fileSchema.safeParse(json);
  if (read.success) return { ok: true, file: read.data };
  return { ok: false, reasons: [...planProblems(read.error.issues, json), ...mistakesOf(json)] };
}

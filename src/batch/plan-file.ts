// A plan as a file: what a batch keeps of it, what a person edits, and what `--plan` reads.
import { z } from "zod";
import { judgePlan, type Plan, type PlanVerdict, planSchema } from "./plan.ts";

/** Keys beside the units are the batch's own, and say nothing to another one that reads the file. */
const fileSchema = z.looseObject({ instruction: z.string().optional(), ...planSchema.shape });

export type ReadPlan = { ok: true; plan: Plan; instruction: string | undefined; verdict: PlanVerdict } | { ok: false; reasons: string[] };

export function readPlan(text: string): ReadPlan {
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const { instruction, units } = parsed.file;
  return { ok: true, plan: { units }, instruction, verdict: judgePlan({ units }) };
}

export function planText(plan: Plan, about: { instruction: string; head: string }): string {
  return `${JSON.stringify({ version: 1, ...about, ...plan }, null, 2)}\n`;
}

function parse(text: string): { ok: true; file: z.infer<typeof fileSchema> } | { ok: false; reasons: string[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, reasons: [`It is no JSON: ${error instanceof Error ? error.message : String(error)}.`] };
  }
  const read = fileSchema.safeParse(json);
  if (read.success) return { ok: true, file: read.data };
  return { ok: false, reasons: read.error.issues.map(({ path, message }) => `${path.join(".") || "The file"}: ${message}.`) };
}

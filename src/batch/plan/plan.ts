// The plan of a batch: what a unit is, and which plans can be carried out. One pure decision finds every mistake in a list of units.
import { z } from "zod";
import { commonFile } from "./file-patterns.ts";

/** Control characters are refused because titles become commit subjects and everything is shown in terminals. */
const hasControls = (text: string) => /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text);

const oneLine = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !hasControls(text), "must be one line without control characters");

/** Shell operators and asterisks are refused, because a permission for such a command would cover others too. */
export const plainCommand = oneLine.regex(/^[^;&|<>$`()*\\]*$/, "must be one program with its arguments: no ; & | < > $ ` ( ) * \\");

export const unitSchema = z.strictObject({
  id: z
    .string()
    .regex(
      /^(?!phase-)[a-z0-9][a-z0-9-]{0,39}$/,
      "may have lower-case letters, digits and hyphens, at most 40, and begins with neither a hyphen nor phase-",
    )
    .describe("lower-case letters, digits and hyphens; becomes part of a branch's name"),
  title: oneLine.describe("of the pull request"),
  instruction: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .refine((text) => !hasControls(text.replaceAll(/[\n\r\t]/g, "")), "must have no control characters but line breaks and tabs")
    .describe("everything that an agent must know who sees nothing but this and the repository"),
  files: z.array(oneLine).min(1).max(200).describe("paths from the repository's root that it changes or makes; * and ** as in .gitignore"),
  test: plainCommand.describe("one program with its arguments that shows whether the unit works: no shell operators and no *"),
  phase: z.number().int().min(1).max(30).describe("1 unless it needs what units of an earlier phase made"),
  needs: z.array(z.string()).default([]).describe("ids of units, all of earlier phases, whose result it needs"),
});
export type Unit = z.infer<typeof unitSchema>;

export const planSchema = z.strictObject({ units: z.array(unitSchema).min(1).max(200) });
export type Plan = z.infer<typeof planSchema>;

export const unitLimits = { fewest: 5, most: 30 };

/** `too_few` is not a mistake in the plan: the work is too small for a batch. */
export type PlanVerdict = { kind: "good" } | { kind: "too_few"; units: number } | { kind: "refused"; reasons: string[] };

export function judgePlan({ units }: Plan): PlanVerdict {
  const reasons = mistakesBetween(units);
  if (reasons.length > 0) return { kind: "refused", reasons };
  return units.length < unitLimits.fewest ? { kind: "too_few", units: units.length } : { kind: "good" };
}

/** The fields that the rules between units need. An unknown phase is NaN and is not judged. */
const outlineSchema = z.object({
  id: z.string(),
  files: z.array(z.string()).catch([]),
  phase: z.number().int().min(1).catch(Number.NaN),
  needs: z.array(z.string()).catch([]),
});
type Outline = z.infer<typeof outlineSchema>;

/** The mistakes between units when some units are themselves invalid, as far as they can be read. */
export function mistakesOf(json: unknown): string[] {
  const read = z.object({ units: z.array(outlineSchema.nullable().catch(null)) }).safeParse(json);
  return read.success ? mistakesBetween(read.data.units.filter((unit) => unit !== null)) : [];
}

function mistakesBetween(units: Outline[]): string[] {
  const { most } = unitLimits;
  const tooMany = units.length > most ? [`There are ${units.length} units, and a batch has at most ${most}: make a coarser plan.`] : [];
  return [...tooMany, ...repeatedIds(units), ...wrongFiles(units), ...wrongNeeds(units), ...overlaps(units)];
}

function repeatedIds(units: Outline[]): string[] {
  const repeated = units.filter(({ id }, index) => units.findIndex((other) => other.id === id) < index);
  return [...new Set(repeated.map(({ id }) => `The id "${id}" is used twice: give each unit its own.`))];
}

function wrongFiles(units: Outline[]): string[] {
  const isOutside = (path: string) =>
    path.startsWith("/") || path.startsWith("~") || path.split("/").some((part) => part === ".." || part === ".git");
  return units.flatMap(({ id, files }) =>
    files.filter(isOutside).map((path) => `"${path}" of unit "${id}" is not below the repository's root: name paths from there.`),
  );
}

function wrongNeeds(units: Outline[]): string[] {
  return units.flatMap((unit) =>
    unit.needs.flatMap((id) => {
      const needed = units.find((other) => other.id === id);
      if (id === unit.id) return [`Unit "${id}" needs itself.`];
      if (!needed) return [`Unit "${unit.id}" needs "${id}", which is not in the plan.`];
      if (!(needed.phase >= unit.phase)) return [];
      const ring = reaches(needed, unit.id, units) ? " The two need each other: make them one unit, or cut the work differently." : "";
      return [`Unit "${unit.id}" of phase ${unit.phase} needs "${id}" of phase ${needed.phase}: put it into a later phase.${ring}`];
    }),
  );
}

function reaches(from: Outline, id: string, units: Outline[]): boolean {
  const seen = new Set<string>();
  const waiting = [...from.needs];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === id) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...(units.find((unit) => unit.id === next)?.needs ?? []));
  }
  return false;
}

function overlaps(units: Outline[]): string[] {
  return units.flatMap((unit, index) =>
    units.slice(index + 1).flatMap((other) => {
      if (other.phase !== unit.phase || other.id === unit.id) return [];
      const shared = commonFile(unit.files, other.files);
      if (shared === undefined) return [];
      return [
        `Units "${unit.id}" and "${other.id}" of phase ${unit.phase} may both change ${shared}: make them one, or put one into a later phase.`,
      ];
    }),
  );
}

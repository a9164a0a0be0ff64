// How a team was started, as its record keeps it under `options`, so that a resume continues with the same model, rules and limits. What a
// person says for one run alone (--trust, --display, --print) is not kept.
import { z } from "zod";
import { efforts } from "../../agent/requests/thinking.ts";
import { permissionModes } from "../../permissions/policy.ts";

/** By the name in the record. Values that this version does not understand are dropped. */
const single = {
  model: ["model", z.string()],
  effort: ["effort", z.enum(efforts)],
  fallback_model: ["fallbackModel", z.string()],
  script: ["script", z.string()],
  permission_mode: ["permissionMode", z.enum(permissionModes)],
  max_turns: ["maxTurns", z.number()],
  budget_usd: ["budgetUsd", z.number()],
  teammates: ["teammates", z.number()],
  lead_may_edit: ["leadMayEdit", z.boolean()],
  test: ["test", z.string()],
  places: ["places", z.string()],
} as const;

const lists = { allow: "allow", deny: "deny", add_dir: "addDir", settings: "settings" } as const;

type Single = { [Key in keyof typeof single as (typeof single)[Key][0]]?: z.infer<(typeof single)[Key][1]> };

/** The flags that are kept. */
export type KeptFlags = Single & { allow: string[]; deny: string[]; addDir?: string[]; settings?: string[] };

export function keptOptions(flags: KeptFlags): Record<string, unknown> {
  const values = Object.entries(single).map(([key, [flag]]) => [key, flags[flag]]);
  return Object.fromEntries([...values, ...Object.entries(lists).map(([key, flag]) => [key, flags[flag] ?? []])]);
}

/** The flags of a resume: new flags override kept ones, and lists are joined. */
export function flagsOfResume<Flags extends KeptFlags>(now: Flags, options: Record<string, unknown>): Flags {
  const values = Object.entries(single).map(([key, [flag, schema]]) => [flag, now[flag] ?? schema.safeParse(options[key]).data]);
  const joined = Object.entries(lists).map(([key, flag]) => {
    const kept = z.array(z.string()).safeParse(options[key]).data ?? [];
    return [flag, [...new Set([...kept, ...(now[flag] ?? [])])]];
  });
  return { ...now, ...Object.fromEntries([...values, ...joined]) };
}

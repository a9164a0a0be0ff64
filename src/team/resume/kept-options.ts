// How a team was started, as its record keeps it under `options`, so that a resume goes on with the same model, rules and limits. What a
// person says for one run alone (--trust, --display, --print) is not kept.
import { z } from "zod";
import { permissionModes } from "../../permissions/policy.ts";
import type { MemberOptions } from "../launch.ts";

/** The flags that are kept. */
export type KeptFlags = Pick<
  MemberOptions,
  "model" | "script" | "permissionMode" | "maxTurns" | "budgetUsd" | "teammates" | "leadMayEdit"
> & {
  allow: string[];
  deny: string[];
  addDir?: string[];
  settings?: string[];
};

const texts = z.array(z.string());

/** What this version does not understand is left out: it is said again, or goes without. */
const keptSchema = z.looseObject({
  model: z.string().optional().catch(undefined),
  script: z.string().optional().catch(undefined),
  permission_mode: z.enum(permissionModes).optional().catch(undefined),
  max_turns: z.number().optional().catch(undefined),
  budget_usd: z.number().optional().catch(undefined),
  teammates: z.number().optional().catch(undefined),
  lead_may_edit: z.boolean().optional().catch(undefined),
  allow: texts.catch([]).default([]),
  deny: texts.catch([]).default([]),
  add_dir: texts.catch([]).default([]),
  settings: texts.catch([]).default([]),
});

export function keptOptions(flags: KeptFlags): z.input<typeof keptSchema> {
  const { model, script, permissionMode, maxTurns, budgetUsd, teammates, leadMayEdit, allow, deny, addDir = [], settings = [] } = flags;
  return {
    model,
    script,
    permission_mode: permissionMode,
    max_turns: maxTurns,
    budget_usd: budgetUsd,
    teammates,
    lead_may_edit: leadMayEdit,
    allow,
    deny,
    add_dir: addDir,
    settings,
  };
}

/** The flags of a resume: what is said now comes before what was kept, and lists are joined. */
export function flagsOfResume<Flags extends KeptFlags>(now: Flags, options: Record<string, unknown>): Flags {
  const kept = keptSchema.parse(options);
  const joined = (before: string[], more: string[] = []) => [...new Set([...before, ...more])];
  return {
    ...now,
    model: now.model ?? kept.model,
    script: now.script ?? kept.script,
    permissionMode: now.permissionMode ?? kept.permission_mode,
    maxTurns: now.maxTurns ?? kept.max_turns,
    budgetUsd: now.budgetUsd ?? kept.budget_usd,
    teammates: now.teammates ?? kept.teammates,
    leadMayEdit: now.leadMayEdit ?? kept.lead_may_edit,
    allow: joined(kept.allow, now.allow),
    deny: joined(kept.deny, now.deny),
    addDir: joined(kept.add_dir, now.addDir),
    settings: joined(kept.settings, now.settings),
  };
}

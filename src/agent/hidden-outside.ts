// What rules hide from commands outside the folders of their agent.
import { denial } from "../permissions/decision.ts";
import { withFileRules } from "../permissions/paths/hidden.ts";
import { within } from "../permissions/paths/places.ts";
import type { Policy } from "../permissions/policy.ts";

/** Files outside the folders of an agent that rules hide from its commands. `starts`: folders, or single files, that contain them all. */
export type HiddenOutside = { starts: string[]; isHidden: (written: string, real: string) => boolean };

export function hiddenOutside(policy: Policy): HiddenOutside {
  const { cwd, directories } = policy;
  const rules = withFileRules(policy);
  const starts = rules.deny.flatMap((rule) => (rule.kind === "path" ? rule.pattern.start : rule.kind === "file" ? rule.path : []));
  return {
    starts: [...new Set(starts)].filter((start) => ![cwd, ...directories].some((folder) => within(folder, start))),
    isHidden: (written, real) => denial("read", { written, real }, rules) !== undefined,
  };
}

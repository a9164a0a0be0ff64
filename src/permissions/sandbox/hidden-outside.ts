// Which files outside the folders of an agent deny rules hide from its commands.
import { denial } from "../decision.ts";
import { within } from "../paths/places.ts";
import type { Policy } from "../policy.ts";

/** `starts`: folders, or single files, that contain all such files. */
export type HiddenOutside = { starts: string[]; isHidden: (written: string, real: string) => boolean };

export function hiddenOutside(policy: Policy): HiddenOutside {
  const { cwd, directories } = policy;
  const rules = { ...policy, deny: policy.deny.filter(({ kind }) => kind !== "any") };
  const starts = rules.deny.flatMap((rule) => (rule.kind === "path" ? rule.pattern.start : rule.kind === "file" ? rule.path : []));
  return {
    starts: [...new Set(starts)].filter((start) => ![cwd, ...directories].some((folder) => within(folder, start))),
    isHidden: (written, real) => denial("read", { written, real }, rules) !== undefined,
  };
}

// Files that hold secrets are out of the sight of commands where nobody looks at each command, unless a person has opened them.
import type { At } from "./call.ts";
import { containedBy } from "./contained.ts";
import { isLifted } from "./decision.ts";
import { placeOf } from "./paths/places.ts";
import type { Policy } from "./policy.ts";

/** Another text when other files are masked, as long as the settings stay. */
export function maskMark(policy: Policy): string {
  const opened = policy.grants.rules.flatMap((rule) => (rule.kind === "file" ? rule.path : []));
  return containedBy(policy) === undefined ? "" : ["masked", ...opened].join("\n");
}

export function isMasked(at: At, policy: Policy): boolean {
  return containedBy(policy) !== undefined && placeOf(at, policy).sensitive !== undefined && !isLifted(at, policy);
}

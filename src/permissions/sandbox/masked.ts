// Hides files that contain secrets from commands that run without a question, unless the user has allowed them.

import { isLifted } from "../built-in.ts";
import type { At } from "../call.ts";
import { containedBy } from "../commands/contained.ts";
import { placeOf } from "../paths/places.ts";
import type { Policy } from "../policy.ts";

/** A text that changes if other files are masked while the settings stay the same. */
export function maskMark(policy: Policy): string {
  const opened = policy.grants.rules.flatMap((rule) => (rule.kind === "file" ? rule.path : []));
  return containedBy(policy) === undefined ? "" : ["masked", ...opened].join("\n");
}

export function isMasked(at: At, policy: Policy): boolean {
  return containedBy(policy) !== undefined && placeOf(at, policy).sensitive !== undefined && !isLifted(at, policy);
}

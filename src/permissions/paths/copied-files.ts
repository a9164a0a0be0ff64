// What no copy of the user's tree gets, whoever makes it and whatever names it: the worktrees of agents, teammates and units.
import type { At } from "../call.ts";
import { asking, denial } from "../decision.ts";
import type { Policy } from "../policy.ts";
import type { IsHidden } from "./hidden-history.ts";
import { placeOf } from "./places.ts";

/**
 * Whether rules keep the file or folder at this path of the tree from agents, or ask before it is read. The policy is that of an agent in the
 * tree, read at each call.
 */
export function closedToCopies(policy: Policy): IsHidden {
  return (path, kind) => {
    const at: At = { written: path, real: path, ...(kind === "file" && { file: true as const }) };
    const about = (rules: Policy["deny"]) => rules.filter((rule) => rule.kind !== "any");
    const rules: Policy = { ...policy, apartFrom: undefined, deny: about(policy.deny), ask: about(policy.ask) };
    const place = placeOf(at, rules);
    return place.own || place.sensitive !== undefined || denial("read", at, rules) !== undefined || asking("read", at, rules) !== undefined;
  };
}

// The rules of a sub-agent: those of the agent that started it, narrowed by its definition and by nothing widened.
import { join } from "node:path";
import { childGrants } from "./grants.ts";
import type { PermissionMode, Policy, PolicyOrder } from "./policy.ts";
import { parseRule } from "./rules.ts";

export type ChildLimits = {
  parent: { policy: Policy };
  /** By which a person knows it. */
  agent: string;
  /** Tools and uses of tools that its definition names; absent: all. */
  tools?: readonly string[];
  disallowedTools: readonly string[];
  /** Counts where it is narrower than the parent's. */
  mode?: PermissionMode;
  /** Of a worker: the files that it may change, relative to the working directory and with links followed; absent: any. */
  files?: readonly string[];
};

/** The same order with the tools that a definition gives and takes. Names that are no tool here give and take nothing. */
export function narrowed(order: PolicyOrder, limits: Pick<ChildLimits, "tools" | "disallowedTools"> | undefined): PolicyOrder {
  if (!limits) return order;
  const { tools, disallowedTools } = limits;
  return {
    ...order,
    ...(tools && { tools: [...tools] }),
    deny: [...(order.deny ?? []), ...disallowedTools.filter((text) => parseRule(text).ok)],
  };
}

/** The policy of a sub-agent. Its mode follows the parent's, also when a person changes that; what is granted to the one is granted to both. */
export function childPolicy(own: Policy, { parent, agent, mode, files }: ChildLimits): Policy {
  const { policy } = parent;
  const narrowed = [...policy.narrowed]; // what a skill leaves its user, it leaves those whom that one starts
  const ownFiles = files?.map((file) => join(own.cwd, file));
  return Object.defineProperty({ ...own, grants: childGrants(policy.grants, agent), narrowed, ...(ownFiles && { ownFiles }) }, "mode", {
    get: () => narrower(policy.mode, mode),
    set: () => {}, // a sub-agent has no mode of its own to change
    enumerable: true,
  });
}

/** From the narrowest to the one that asks least. */
const byRights: PermissionMode[] = ["plan", "dontAsk", "default", "acceptEdits", "bypassPermissions"];

/** The mode of a session that works by a definition. */
export function setNarrower(policy: Policy, mode: PermissionMode | undefined): void {
  policy.mode = narrower(policy.mode, mode);
}

/** The one of two modes that lets less happen unasked. */
function narrower(one: PermissionMode, other: PermissionMode = one): PermissionMode {
  return byRights.indexOf(one) <= byRights.indexOf(other) ? one : other;
}

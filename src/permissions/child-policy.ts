// The rules of a sub-agent: those of the agent that started it, narrowed by its definition and by nothing widened.
import { join } from "node:path";
import { childGrants } from "./grants.ts";
import { within } from "./paths/places.ts";
import { type Narrowing, type PermissionMode, type Policy, type PolicyOrder, rulesIn } from "./policy.ts";
import { parseRule } from "./rules.ts";

/** What a definition leaves the agent that works by it. */
export type Bounds = {
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

export type ChildLimits = Bounds & {
  parent: { policy: Policy };
  /** A real path: the root of the person's tree, where the agent works in a worktree of it. */
  tree?: string;
  /** Of those above it, the nearest first: it has no more than each of them. */
  above?: readonly Bounds[];
};

/** The same order with the tools that a definition gives and takes. Names that are no tool here give and take nothing. */
export function narrowed(order: PolicyOrder, limits: Pick<ChildLimits, "tools" | "disallowedTools" | "above"> | undefined): PolicyOrder {
  if (!limits) return order;
  const { tools, disallowedTools, above = [] } = limits;
  const denied = [...disallowedTools, ...above.flatMap((one) => one.disallowedTools)];
  return {
    ...order,
    ...(tools && { tools: [...tools] }),
    deny: [...(order.deny ?? []), ...denied.filter((text) => parseRule(text).ok)],
  };
}

/** The policy of a sub-agent. Its mode follows the parent's, also when a person changes that; what is granted to the one is granted to both. */
export function childPolicy(own: Policy, { parent, agent, mode, files, tree, above = [] }: ChildLimits): Policy {
  const { policy } = parent;
  // what a skill leaves its user, it leaves those whom that one starts
  const narrowed = [...policy.narrowed, ...above.flatMap((one) => leftBy(one, own))];
  const bounds = [files, ...above.map((one) => one.files)].filter((one) => one !== undefined);
  const ownFiles = bounds[0]?.filter((file) => bounds.every((one) => one.includes(file))).map((file) => join(own.cwd, file));
  const modes = [mode, ...above.map((one) => one.mode)];
  const child = { ...own, ...apart(own, tree), grants: childGrants(policy.grants, agent), narrowed, ...(ownFiles && { ownFiles }) };
  return Object.defineProperty(child, "mode", {
    get: () => modes.reduce<PermissionMode>(narrower, policy.mode),
    set: () => {}, // a sub-agent has no mode of its own to change
    enumerable: true,
  });
}

/** No further folder opens the tree that it works apart from. */
export function apart({ directories }: Policy, tree: string | undefined): Partial<Policy> {
  if (tree === undefined) return {};
  return { apartFrom: tree, directories: directories.filter((path) => !within(tree, path) && !within(path, tree)) };
}

/** What the definition of an agent leaves those below it. */
function leftBy({ agent, tools }: Bounds, policy: Policy): Narrowing[] {
  return tools ? [{ agent, only: rulesIn(tools, policy) }] : [];
}

/** From the narrowest to the one that asks least. */
const byRights: PermissionMode[] = ["plan", "dontAsk", "default", "acceptEdits", "bypassPermissions"];

/** The one of two modes that lets less happen unasked. */
export function narrower(one: PermissionMode, other: PermissionMode = one): PermissionMode {
  return byRights.indexOf(one) <= byRights.indexOf(other) ? one : other;
}

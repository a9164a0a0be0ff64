// The rules of a sub-agent: those of the agent that started it, which its definition can only narrow.
import { join } from "node:path";
import { childGrants } from "../permissions/grants.ts";
import { within } from "../permissions/paths/places.ts";
import { modesByStrictness, type Narrowing, type PermissionMode, type Policy, type PolicyOrder, rulesIn } from "../permissions/policy.ts";
import { parseRule } from "../permissions/rules.ts";

export type Bounds = {
  agent: string;
  /** Tools and uses of tools that its definition names; absent: all. */
  tools?: readonly string[];
  disallowedTools: readonly string[];
  /** The only MCP servers that it gets, by name; absent: all. */
  mcpServers?: readonly string[];
  /** Applies if it is stricter than the parent's mode. */
  mode?: PermissionMode;
  /** For a worker: the files that it may change, relative to the working directory and with links followed; absent: any. */
  files?: readonly string[];
};

export type ChildLimits = Bounds & {
  parent: { policy: Policy };
  /** For an agent in a worktree: the real path of the root of the user's tree. */
  tree?: string;
  /** Limits of the agents above it, the nearest first: it has no more rights than each of them. */
  above?: readonly Bounds[];
};

/** The same order, with the tools that the definition grants and removes. Names of unknown tools have no effect. */
export function narrowed(order: PolicyOrder, limits: Pick<ChildLimits, "tools" | "disallowedTools" | "above"> | undefined): PolicyOrder {
  if (!limits) return order;
  const { tools, disallowedTools, above = [] } = limits;
  const denied = [...disallowedTools, ...above.flatMap((one) => one.disallowedTools)];
  return { ...order, ...(tools && { tools: [...tools] }), deny: [...(order.deny ?? []), ...denied.filter((text) => parseRule(text).ok)] };
}

/** The policy of a sub-agent. Its mode follows the parent's, even if the user changes that; grants apply to both. */
export function childPolicy(own: Policy, { parent, agent, mode, files, tree, above = [] }: ChildLimits): Policy {
  const { policy } = parent;
  // what a skill takes from its user, it takes from the agents started by it
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

/** No additional folder gives access to the tree that it works apart from. */
export function apart({ directories }: Policy, tree: string | undefined): Partial<Policy> {
  if (tree === undefined) return {};
  return { apartFrom: tree, directories: directories.filter((path) => !within(tree, path) && !within(path, tree)) };
}

function leftBy({ agent, tools }: Bounds, policy: Policy): Narrowing[] {
  return tools ? [{ agent, only: rulesIn(tools, policy) }] : [];
}

/** The stricter of two modes. */
export function narrower(one: PermissionMode, other: PermissionMode = one): PermissionMode {
  return modesByStrictness.indexOf(one) <= modesByStrictness.indexOf(other) ? one : other;
}

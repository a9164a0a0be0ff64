// The worktrees of a session's isolated agents. They are beside the repository, where no other agent of the session writes. git is not called before
// an agent needs one.
import { basename, dirname, join, relative } from "node:path";
import { closedToCopies } from "../../../permissions/paths/hidden.ts";
import type { AgentWorktrees, WorktreePlaces } from "../../../subagents/isolation.ts";
import type { World } from "../../world.ts";
import type { AgentsOrder } from "./agents-order.ts";

export function sessionWorktrees({ cwd, edges }: World, { id, work }: Pick<AgentsOrder, "id" | "work">): AgentWorktrees & WorktreePlaces {
  const { root } = work.settings();
  const owner = `agents-${id.slice(0, 8)}`;
  const home = join(dirname(root), `${basename(root)}-${owner}`);
  const closed = async () => closedToCopies(work.shared.policy);
  let opened: Promise<AgentWorktrees> | undefined;
  const open = () => {
    opened ??= edges.agentWorktrees({ owner, root, home, closed, within: relative(root, cwd) });
    return opened;
  };
  return {
    placeOf: (agent) => ({ folder: join(home, agent), branch: `tool/${owner}/${agent}` }),
    headOf: async (folder) => (await open()).headOf(folder),
    add: async (place) => (await open()).add(place),
    removeUnused: async (place) => (await open()).removeUnused(place),
  };
}

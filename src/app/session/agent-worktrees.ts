// The worktrees of a session's isolated agents. They are beside the repository, where no other agent of the session writes. git is not called before
// an agent needs one.
import { basename, dirname, join, relative } from "node:path";
import type { AgentWorktrees, WorktreePlaces } from "../../subagents/isolation.ts";
import { hiddenFromCopies } from "../policy-here.ts";
import type { World } from "../world.ts";
import type { AgentsOrder } from "./session-agents.ts";

export function sessionWorktrees(world: World, { id, work }: Pick<AgentsOrder, "id" | "work">): AgentWorktrees & WorktreePlaces {
  const { cwd, edges } = world;
  const { root } = work.settings();
  const owner = `agents-${id.slice(0, 8)}`;
  const home = join(dirname(root), `${basename(root)}-${owner}`);
  let opened: Promise<AgentWorktrees> | undefined;
  const open = () => {
    opened ??= hiddenFromCopies(world, work.settings()).then((isHidden) =>
      edges.agentWorktrees({ owner, root, home, isHidden, within: relative(root, cwd) }),
    );
    return opened;
  };
  return {
    placeOf: (agent) => ({ folder: join(home, agent), branch: `tool/${owner}/${agent}` }),
    headOf: async (folder) => (await open()).headOf(folder),
    add: async (place) => (await open()).add(place),
    removeUnused: async (place) => (await open()).removeUnused(place),
  };
}

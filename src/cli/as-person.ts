// Commands that act as a person, or as any agent one names, are not for agents: an agent has tools of its own, and is held to its own name.
import type { Finish, World } from "../app/world.ts";

/** Runs `act` unless an agent started this process; then it ends with exit code 3 and nothing is changed. */
export async function asPerson({ world, finish }: { world: World; finish: Finish }, act: () => Promise<void>): Promise<void> {
  const owner = await world.edges.actingAgent();
  if (owner === undefined) return act();
  world.stderr.write(
    `tool: Cannot run this as an agent: it acts on behalf of others, and ${owner} started this process. Agents have TaskUpdate, TaskGet, TaskList and SendMessage. Nothing was changed.\n`,
  );
  finish(3);
}

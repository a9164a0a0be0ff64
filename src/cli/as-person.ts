// Refuses commands that act as a person, or as an agent of one's choice, when an agent runs them: agents have their own tools and may act only under
// their own name.
import type { Finish, World } from "../app/world.ts";

/** Runs `act` unless an agent started this process; then exits with code 3 and changes nothing. */
export async function asPerson({ world, finish }: { world: World; finish: Finish }, act: () => Promise<void>): Promise<void> {
  const owner = await world.edges.actingAgent();
  if (owner === undefined) return act();
  world.stderr.write(
    `tool: cannot run this as an agent: it acts on behalf of others, and ${owner} started this process. Agents have TaskUpdate, TaskGet, TaskList and SendMessage. Nothing was changed.\n`,
  );
  finish(3);
}

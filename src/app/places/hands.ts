// The process at a place: serves the link on its standard input and output until its input is closed.
import { serveHands } from "../../places/serve-hands.ts";
import type { ExitCode, World } from "../world.ts";
import { workspaceMembers } from "./workspace-members.ts";

export async function runHands(world: World, folder: string): Promise<ExitCode> {
  const parts = world.stdin[Symbol.asyncIterator]();
  let close = async () => {};
  const fault = await serveHands({
    input: { next: async () => (await parts.next()).value as Buffer | undefined },
    write: (line) => world.stdout.write(line),
    members(link) {
      const workspace = workspaceMembers(world, folder, link);
      close = workspace.close;
      return {
        ...workspace.members,
        look: async () => ({ version: world.version, ...(await world.edges.handsFindings(folder)) }),
        echo: async (text) => text,
      };
    },
  });
  await close();
  if (fault === undefined) return 0;
  world.stderr.write(`tool: the link was closed, because ${fault}\n`);
  return 1;
}

// `tool secrets look-through`: reads new values of references from standard input, as git's reference-transaction hook gets them. Exit code 1 if
// they contain a secret. The hooks of agents' commands start it.

import type { ExitCode, World } from "../app/world.ts";
import { errorText } from "../wording/error-text.ts";

/** What cannot be scanned is refused. */
export async function lookThrough(world: World): Promise<ExitCode> {
  const { changesProblem } = await import("../secrets/commit-gate.ts");
  const { scanner, newChanges } = await world.edges.secrets();
  try {
    const updates = (await inputOf(world)).toString("utf8");
    const problem = await changesProblem(newChanges({ folder: world.cwd, hidden: world.env["TOOL_HIDDEN"] }, updates), scanner);
    if (problem) world.stderr.write(`${problem}\n`);
    return problem ? 1 : 0;
  } catch (error) {
    const why = errorText(error);
    world.stderr.write(`Nothing was committed, because the commit could not be scanned for secrets: ${why}\n`);
    return 1;
  }
}

export async function inputOf(world: World): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of world.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

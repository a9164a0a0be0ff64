// The command tree as the program makes it, in a world that nothing may touch.
import type { Command } from "commander";
import { createProgram } from "../../src/cli/command-tree.ts";
import type { World } from "../../src/cli/world.ts";

export function programTree(): Command {
  return createProgram({ version: "1.2.3", argv: [], env: {} } as unknown as World, () => {});
}

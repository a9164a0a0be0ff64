// The command tree as the program makes it, in a world that nothing may touch.
import type { Command } from "commander";
import type { World } from "../../src/app/world.ts";
import { createProgram } from "../../src/cli/command-tree.ts";

export function programTree(): Command {
  return createProgram({ version: "1.2.3", argv: [], env: {}, command: "tool" } as unknown as World, () => {});
}

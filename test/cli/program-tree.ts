// The program's command tree, in a world whose ports must not be used.
import type { Command } from "commander";
import type { World } from "../../src/app/world.ts";
import { createProgram } from "../../src/cli/command-tree.ts";

export function programTree(): Command {
  return createProgram({ version: "1.2.3", argv: [], env: {}, command: "tool" } as unknown as World, () => {});
}

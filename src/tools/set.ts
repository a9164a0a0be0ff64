// The tools that an agent is given for files and commands.
import { bashTool } from "./bash.ts";
import type { Disk } from "./disk.ts";
import { editTool } from "./edit.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import type { OutputStore } from "./output.ts";
import { readTool } from "./read.ts";
import type { Shell } from "./shell.ts";
import type { AnyTool } from "./tool.ts";
import type { ReadVersions } from "./versions.ts";
import { writeTool } from "./write.ts";

/** Everything an agent needs to work on a repository. `disk` is a guarded one; `outputs` keeps what is too long to show. */
export function fileTools({ disk, shell, outputs }: { disk: Disk; shell: Shell; outputs?: OutputStore }): AnyTool[] {
  const seen: ReadVersions = new Map();
  return [readTool(disk, seen), writeTool(disk, seen), editTool(disk, seen), globTool(disk), grepTool(disk), bashTool(shell, outputs)];
}

/** For an agent that looks and does not touch, such as a lead. */
export function readOnlyTools(disk: Disk): AnyTool[] {
  return [readTool(disk, new Map()), globTool(disk), grepTool(disk)];
}

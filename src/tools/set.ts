// The tools for files and commands that an agent is given.
import type { Background } from "./background.ts";
import { bashTool } from "./bash.ts";
import type { Disk } from "./disk.ts";
import { editTool } from "./files/edit.ts";
import { globTool } from "./files/glob.ts";
import { grepTool } from "./files/grep.ts";
import { readTool } from "./files/read.ts";
import type { ReadVersions } from "./files/versions.ts";
import { writeTool } from "./files/write.ts";
import type { OutputStore } from "./output.ts";
import type { Shell } from "./shell.ts";
import type { AnyTool } from "./tool.ts";

export type FileToolParts = {
  /** The guarded disk. */
  disk: Disk;
  shell: Shell;
  /** Keeps output that is too long to show. */
  outputs?: OutputStore;
  background?: Background;
  fetch?: AnyTool;
  /** What the agent has read before it was restarted. */
  seen?: ReadVersions | undefined;
};

/** Everything an agent needs to work on a repository. */
export function fileTools({ disk, shell, outputs, background, fetch, seen = new Map() }: FileToolParts): AnyTool[] {
  const tools = [
    readTool(disk, seen),
    writeTool(disk, seen),
    editTool(disk, seen),
    globTool(disk),
    grepTool(disk),
    bashTool(shell, { outputs, background }),
  ];
  return fetch ? [...tools, fetch] : tools;
}

/** For an agent that only reads, such as a lead. */
export function readOnlyTools(disk: Disk): AnyTool[] {
  return [readTool(disk, new Map()), globTool(disk), grepTool(disk)];
}

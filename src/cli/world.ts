// What a command may use of the world. main.ts makes it from argv, env and the edges; everything inward receives only what it needs of it.
import type { Clock } from "../agent/clock.ts";
import type { BoardDisk, Lock, Watch } from "../board/disk.ts";

export interface Output {
  write(text: string): void;
  isTTY: boolean;
  columns: number;
}

/** Edges are loaded when first asked for: starting must not cost what is not used. */
export type Edges = {
  disk: () => Promise<BoardDisk>;
  lock: () => Promise<Lock>;
  watch: () => Promise<Watch>;
  clock: () => Promise<Clock>;
};

export type World = {
  argv: string[];
  env: Record<string, string | undefined>;
  cwd: string;
  /** `~/.tool`, or where TOOL_CONFIG_DIR points. */
  configDir: string;
  version: string;
  /** The argument vector that starts this program again. */
  self: string[];
  stdin: AsyncIterable<Buffer> & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  edges: Edges;
};

/** 0 done; 1 the work failed; 2 wrong usage or settings; 3 a permission was missing; 4 budget or turn limit; 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** Wrong usage or settings: printed without a stack, exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

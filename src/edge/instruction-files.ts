// Instruction files on the disk. A FIFO, a device or a folder of that name is passed over, and so is what may not be read.
import { existsSync } from "node:fs";
import { constants, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { InstructionFiles } from "../agent/instructions.ts";

/** More than is ever shown of one; the size is known all the same. */
const mostBytes = 8 * 1024 * 1024;

export function instructionFiles(may: (at: { written: string; real: string }) => boolean): InstructionFiles {
  return {
    async read(path) {
      try {
        const real = await realpath(path);
        if (!may({ written: path, real })) return undefined;
        const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
        try {
          const stat = await handle.stat();
          return stat.isFile() && stat.size <= mostBytes ? await handle.readFile() : undefined;
        } finally {
          await handle.close();
        }
      } catch {
        return undefined; // missing, or not for this person to read: then it instructs nobody
      }
    },
    isRepositoryRoot: (folder) => existsSync(join(folder, ".git")),
  };
}

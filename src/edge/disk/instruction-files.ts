// Instruction files on disk. A FIFO, a device or a folder of that name is skipped, and so is an unreadable file.
import { existsSync, lstatSync } from "node:fs";
import { constants, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { InstructionFile, InstructionFiles } from "../../agent/instructions.ts";
import { codeOf } from "../system-error.ts";

/** More than is ever shown of one file; its full size is reported anyway. */
const mostBytes = 8 * 1024 * 1024;

/** `whyNot`: why a file at that path may not be read, or undefined. */
export function instructionFiles(whyNot: (at: { written: string; real: string }) => string | undefined): InstructionFiles {
  return {
    async read(path) {
      try {
        const real = await realpath(path);
        const why = whyNot({ written: path, real });
        if (why !== undefined) return skipped(why);
        const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
        try {
          const stat = await handle.stat();
          if (!stat.isFile()) return skipped(stat.isDirectory() ? "it is a folder" : "it is not a regular file");
          return stat.size <= mostBytes ? { kind: "file", bytes: await handle.readFile() } : skipped("it is larger than 8 MB");
        } finally {
          await handle.close();
        }
      } catch (error) {
        const code = codeOf(error);
        if (code !== "ENOENT" && code !== "ENOTDIR") return skipped(`it cannot be read (${code ?? "unknown error"})`);
        return isThere(path) ? skipped("it is a link that leads nowhere") : { kind: "none" };
      }
    },
    isRepositoryRoot: (folder) => existsSync(join(folder, ".git")),
  };
}

const skipped = (why: string): InstructionFile => ({ kind: "skipped", why });

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

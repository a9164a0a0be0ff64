// Files that hold complete long outputs, in a folder of the session, readable by its user only.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { OutputStore } from "../../tools/output.ts";
import { codeOf, ifPossible } from "../system-error.ts";

/** Limit for one output; the rest is dropped. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Creates `folder` (0700) with the first file (0600). If the disk is full or missing, the rest of an output is lost, but the call succeeds.
 */
export function outputStore(folder: string): OutputStore {
  let count = 0;
  return {
    folder,
    begin() {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const path = freshFile();
        let room = mostBytes;
        return {
          path,
          append(bytes) {
            if (room > 0) ifPossible(() => append(path, bytes.subarray(0, room))); // on a full disk, what was written can still be read
            room -= bytes.length;
          },
        };
      } catch {
        return undefined; // the model is told to redirect the output to a file itself
      }
    },
  };

  function freshFile(): string {
    for (;;) {
      const path = join(folder, `${++count}.txt`);
      try {
        closeSync(openSync(path, "wx", 0o600));
        return path;
      } catch (error) {
        // an earlier process of this session has used the number
        if (codeOf(error) !== "EEXIST") throw error;
      }
    }
  }
}

function append(path: string, bytes: Buffer): void {
  const descriptor = openSync(path, "a");
  try {
    writeSync(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
}

// The files that hold the whole of long outputs, in a folder of the session's own, for its user alone.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { OutputStore } from "../../tools/output.ts";

/** Of one output; what comes after it is not kept. */
const mostBytes = 64 * 1024 * 1024;

/** Makes `folder` (0700) with the first file (0600). A disk that is full or missing costs the rest of an output, never the call. */
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
            if (room > 0) append(path, bytes.subarray(0, room));
            room -= bytes.length;
          },
        };
      } catch {
        return undefined; // the model is told to send the output to a file itself
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
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
  }
}

function append(path: string, bytes: Buffer): void {
  try {
    const descriptor = openSync(path, "a");
    try {
      writeSync(descriptor, bytes);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // the disk is full: what is in the file already can still be read
  }
}

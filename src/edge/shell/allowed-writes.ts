// Protected files that a person has let one command change. What else is changed there than its words say is undone until they are asked.
import { lstatSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { RunPass } from "../../permissions/grants.ts";
import { holdFolder, holdingHere } from "../disk/held-folder.ts";
import { rawPath } from "../disk/raw-path.ts";
import { changedAsSaid } from "../git/repository/said-settings.ts";
import { readUntrusted } from "../git/untrusted-file.ts";
import { ifPossible } from "../system-error.ts";

export type AllowedWrites = {
  /** The command may write it; nothing covers it. */
  has(path: string): boolean;
  /**
   * Those that now say more than was allowed are moved away, and say again what they said before; also where what stood in their place has been
   * `moved`. Returns those for which that was possible.
   */
  undo(moveAway: (path: string) => void, moved: ReadonlyMap<string, unknown>): string[];
};

/** To be called before the command begins. Only files that are there: what is new is asked about anyway. */
export function allowedWrites({ paths, words }: NonNullable<RunPass["changes"]> = { paths: [], words: [] }): AllowedWrites {
  const before = new Map(
    paths.flatMap((path) => {
      const found = readUntrusted(path, { most });
      return found.kind === "read" ? [[path, { bytes: found.bytes, mode: lstatSync(rawPath(path)).mode & 0o777 }] as const] : [];
    }),
  );
  const isPlanted = (path: string, earlier: Buffer) => {
    const now = readUntrusted(path, { most });
    if (now.kind === "absent" || (now.kind === "read" && now.bytes.equals(earlier))) return false;
    const isSettings = now.kind === "read" && path.endsWith("/.git/config");
    return !isSettings || !changedAsSaid(earlier.toString(), now.bytes.toString(), words);
  };
  return {
    has: (path) => before.has(path),
    undo: (moveAway, moved) =>
      [...before].flatMap(([path, earlier]) => {
        if (isPlanted(path, earlier.bytes)) moveAway(path);
        else if (!moved.has(path)) return [];
        return ifPossible(() => write(path, earlier)) ? [path] : [];
      }),
  };
}

const most = 1024 * 1024;

function write(path: string, { bytes, mode }: { bytes: Buffer; mode: number }): true {
  const parent = holdFolder(dirname(path), holdingHere());
  try {
    writeFileSync(rawPath(parent.child(basename(path))), bytes, { flag: "wx", mode });
    return true;
  } finally {
    parent.close();
  }
}

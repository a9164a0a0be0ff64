// The disk under the guard, which keeps what a file held before it is written or removed.
import { basename } from "node:path";
import type { RealDisk } from "../../tools/disk.ts";
import type { FileVersions } from "./file-versions.ts";
import type { UnsavedWork } from "./unsaved-work.ts";

/**
 * If the content cannot be kept, the change is made anyway, and a rewind leaves that file alone. `unsaved`: keeps what git does not have before
 * git is told to ignore it.
 */
export function keepingDisk(disk: RealDisk, versions: FileVersions, unsaved?: Pick<UnsavedWork, "looked">): RealDisk {
  /** Makes `change` if the current content is the expected one. */
  const kept = async <Outcome extends { kind: string }>(
    path: string,
    { expected, after }: { expected: string | undefined; after: Buffer | undefined },
    change: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    const found = await disk.read(path);
    const version = found.kind === "file" ? found.version : undefined;
    if ((found.kind !== "file" && found.kind !== "missing") || version !== expected) return change();
    const ended = quietly(() => versions.begin({ path, before: found.kind === "file" ? found.bytes : undefined, after }));
    const outcome = await change();
    quietly(() => ended?.(outcome.kind === "written" || outcome.kind === "removed"));
    return outcome;
  };
  return {
    ...disk,
    async write(path, content) {
      if (basename(path) === ".gitignore") await unsaved?.looked();
      return kept(path, { expected: content.expected, after: content.bytes }, () => disk.write(path, content));
    },
    remove: (path, expected) => kept(path, { expected, after: undefined }, () => disk.remove(path, expected)),
  };
}

function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined; // the disk is full, or the folder was taken away
  }
}

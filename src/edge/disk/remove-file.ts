// Removes a file only if it is still at the expected version.
import { randomBytes } from "node:crypto";
import { type BigIntStats, lstatSync, renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { RemoveOutcome, Version } from "../../tools/disk.ts";
import { type Holding, holdFolder } from "./held-folder.ts";
import { refusal } from "./opened-file.ts";
import { rawPath } from "./raw-path.ts";
import { linkUnlessThere, look } from "./replace-file.ts";

/** Moves the file aside and checks it there, so that nothing can change between the check and the removal. */
export function removeFile(path: string, { expected, holding }: { expected: Version; holding: Holding }): RemoveOutcome {
  const folder = holdFolder(dirname(path), holding);
  const target = rawPath(folder.child(basename(path)));
  const aside = folder.child(`.${basename(path).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const found = look(folder, path);
    if (found.kind === "folder") return refusal("it is a folder");
    if (found.kind === "refused") return found;
    if (found.kind === "absent" || found.version !== expected) return { kind: "changed", path };
    if ((Number(found.stats.mode) & 0o222) === 0) return refusal("it is marked read-only");
    folder.check();
    renameSync(target, aside);
    const isSame = markOf(lstatSync(aside, { bigint: true })) === markOf(found.stats);
    // A different file is moved back; if its name is taken by then, it stays aside, and nothing is lost.
    if (isSame || linkUnlessThere(aside, target)) rmSync(aside, { force: true });
    return isSame ? { kind: "removed", path } : { kind: "changed", path };
  } finally {
    folder.close();
  }
}

/** Without the time of its last change as a name, which moving it aside was. */
const markOf = ({ dev, ino, size, mtimeNs }: Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs">) => [dev, ino, size, mtimeNs].join(" ");

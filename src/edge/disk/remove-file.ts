// Removing a file only while it is what was expected.
import { randomBytes } from "node:crypto";
import { type BigIntStats, lstatSync, renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { RemoveOutcome, Version } from "../../tools/disk.ts";
import { type Holding, holdFolder } from "./held-folder.ts";
import { refusal } from "./opened-file.ts";
import { linkUnlessThere, look } from "./replace-file.ts";

/** It is moved aside and looked at there, so that nothing can come between the look and the end of it. */
export function removeFile(path: string, { expected, holding }: { expected: Version; holding: Holding }): RemoveOutcome {
  const folder = holdFolder(dirname(path), holding);
  const target = folder.child(basename(path));
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
    // Another one goes back; if a third has come to its place meanwhile, it stays aside, and nothing is lost.
    if (isSame || linkUnlessThere(aside, target)) rmSync(aside, { force: true });
    return isSame ? { kind: "removed", path } : { kind: "changed", path };
  } finally {
    folder.close();
  }
}

/** Without the time of its last change as a name, which moving it aside was. */
const markOf = ({ dev, ino, size, mtimeNs }: Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs">) => [dev, ino, size, mtimeNs].join(" ");

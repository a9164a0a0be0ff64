// Writing a file so that a reader sees the old one or the new one, a crash leaves one of them, and of two agents only one succeeds.
import { createHash, randomBytes } from "node:crypto";
import { type BigIntStats, closeSync, constants, linkSync, lstatSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Refused, Version, WriteOutcome } from "../../tools/disk.ts";
import { codeOf } from "../system-error.ts";
import { type HeldFolder, type Holding, holdNewFolder, noLinks } from "./held-folder.ts";
import { maxMegabytes, type Opened, openFile, readWhole, refusal, versionOf } from "./opened-file.ts";

type WriteOrder = { bytes: Buffer; expected: Version | undefined; holding: Holding };

/** A temporary file beside it, fsync, a last look, rename: a reader sees the old file or the new one, and so does a crash. */
export async function replaceFile(path: string, order: WriteOrder): Promise<WriteOutcome> {
  if (dirname(path) === path) return refusal("it is a folder");
  const folder = holdNewFolder(dirname(path), order.holding);
  const temporary = folder.child(`.${basename(path).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  const target = folder.child(basename(path));
  try {
    const before = look(folder, path);
    if (before.kind === "folder") return refusal("it is a folder");
    if (before.kind === "refused") return before;
    if (before.version !== order.expected) return { kind: "changed", path };
    if (before.stats && (Number(before.stats.mode) & 0o222) === 0) return refusal("it is marked read-only");
    await writeTemporary(temporary, { folder, bytes: order.bytes, stats: before.stats });
    folder.check();
    if (!putInPlace(temporary, target, before.identity)) return { kind: "changed", path };
    return { kind: "written", path, version: versionOf(order.bytes) };
  } finally {
    quietly(() => rmSync(temporary, { force: true }));
    quietly(() => folder.close());
  }
}

/** For what is left to tidy up: who were told of a fault in it would make a change that is made already. */
function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // what the write came to is what counts
  }
}

type Found =
  | { kind: "there"; version: Version; identity: string; stats: BigIntStats }
  | { kind: "absent"; version?: undefined; identity?: undefined; stats?: undefined }
  | { kind: "folder" }
  | Refused;

/** What stands under the name now. The identity is taken before the bytes: a write that comes in between changes it. */
export function look(folder: HeldFolder, path: string): Found {
  const opened = openIfThere(folder, path);
  if (!opened) return { kind: "absent" };
  if (opened.kind !== "open") return opened;
  try {
    const bytes = readWhole(opened);
    if (!bytes) return refusal(`it is larger than ${maxMegabytes} MB`);
    return { kind: "there", version: versionOf(bytes), identity: identityOf(opened.stats), stats: opened.stats };
  } finally {
    closeSync(opened.fd);
  }
}

function openIfThere(folder: HeldFolder, path: string): Opened | undefined {
  try {
    return openFile(folder, path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

const identityOf = (stats: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }) =>
  [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");

async function writeTemporary(temporary: string, { folder, bytes, stats }: { folder: HeldFolder; bytes: Buffer; stats?: BigIntStats }) {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noLinks;
  const handle = await open(temporary, flags, stats ? 0o600 : 0o666);
  try {
    folder.check();
    await handle.writeFile(bytes);
    if (stats) {
      // Only root may give a file away; for everybody else the owner is the same already.
      await handle.chown(Number(stats.uid), Number(stats.gid)).catch(() => undefined);
      await handle.chmod(Number(stats.mode) & 0o777);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Only one agent may succeed a given content: whoever links its new file to the name made of that content's identity. That closes the
 * gap between the last look and the rename among agents, who write this way; any other program can still slip in there.
 */
function putInPlace(temporary: string, target: string, identity: string | undefined): boolean {
  if (identity === undefined) return linkUnlessThere(temporary, target);
  const claim = temporary.replace(/[^.]+\.tmp$/, `${createHash("sha256").update(identity).digest("hex").slice(0, 16)}.tmp`);
  if (!linkUnlessThere(temporary, claim) && !(removeIfLeft(claim) && linkUnlessThere(temporary, claim))) return false;
  try {
    // Before the rename, so that nothing about the file changes any more once it is in place.
    rmSync(temporary, { force: true });
    const now = lstatSync(target, { bigint: true, throwIfNoEntry: false });
    if (!now || identityOf(now) !== identity) return false;
    renameSync(claim, target);
    return true;
  } finally {
    quietly(() => rmSync(claim, { force: true }));
  }
}

/** A claim lasts for a few system calls; an old one is what a killed process left. */
function removeIfLeft(claim: string): boolean {
  const stats = lstatSync(claim, { throwIfNoEntry: false });
  const ageMs = stats ? Date.now() - stats.mtimeMs : leftAfterMs;
  if (ageMs >= 0 && ageMs < leftAfterMs) return false; // of a time to come: the clock was set back since
  rmSync(claim, { force: true });
  return true;
}

const leftAfterMs = 10_000;

export function linkUnlessThere(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // A file system without hard links (FAT, some network mounts): a look and a rename must do.
    if (!["EPERM", "ENOTSUP", "ENOSYS"].includes(codeOf(error) ?? "")) throw error;
    if (lstatSync(target, { throwIfNoEntry: false })) return false;
    renameSync(temporary, target);
    return true;
  }
}

// Replaces a file so that a reader sees the old one or the new one, a crash leaves one of them, and of two agents only one succeeds.
import { createHash, randomBytes } from "node:crypto";
import { type BigIntStats, closeSync, constants, linkSync, lstatSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Clock } from "../../agent/ports/clock.ts";
import type { Refused, Version, WriteOutcome } from "../../tools/disk.ts";
import { clock } from "../clock.ts";
import { codeOf, ifPossible } from "../system-error.ts";
import { type HeldFolder, type Holding, holdNewFolder, noLinks } from "./held-folder.ts";
import { maxMegabytes, type Opened, openFile, readWhole, refusal, versionOf } from "./opened-file.ts";
import { rawPath } from "./raw-path.ts";

type WriteOrder = {
  bytes: Buffer;
  expected: Version | undefined;
  mode?: number;
  holding: Holding;
  clock?: Pick<Clock, "monotonicMs" | "sleep">;
};

/** Writes a temporary file beside it, fsyncs, checks once more and renames, so that readers and crashes see the old file or the new one. */
export async function replaceFile(path: string, order: WriteOrder): Promise<WriteOutcome> {
  if (dirname(path) === path) return refusal("it is a folder");
  const folder = holdNewFolder(dirname(path), order.holding);
  const temporary = folder.child(`.${basename(path).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  const target = rawPath(folder.child(basename(path)));
  try {
    const before = look(folder, path);
    if (before.kind === "folder") return refusal("it is a folder");
    if (before.kind === "refused") return before;
    if (before.version !== order.expected) return { kind: "changed", path };
    if (before.stats && (Number(before.stats.mode) & 0o222) === 0) return refusal("it is marked read-only");
    await writeTemporary(temporary, { folder, bytes: order.bytes, mode: order.mode, stats: before.stats });
    folder.check();
    if (!(await putInPlace(temporary, target, { identity: before.identity, clock: order.clock ?? clock })))
      return { kind: "changed", path };
    return { kind: "written", path, version: versionOf(order.bytes) };
  } finally {
    // A caller that saw an error of cleaning up would repeat a change that succeeded.
    ifPossible(() => rmSync(temporary, { force: true }));
    ifPossible(() => folder.close());
  }
}

type Found =
  | { kind: "there"; version: Version; identity: string; stats: BigIntStats }
  | { kind: "absent"; version?: undefined; identity?: undefined; stats?: undefined }
  | { kind: "folder" }
  | Refused;

/** The file that has the name now. Its identity is read before its bytes, so that a write in between changes the identity. */
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

type Temporary = { folder: HeldFolder; bytes: Buffer; mode?: number | undefined; stats?: BigIntStats };

async function writeTemporary(temporary: string, { folder, bytes, mode, stats }: Temporary) {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noLinks;
  const handle = await open(temporary, flags, stats || mode !== undefined ? 0o600 : 0o666);
  try {
    folder.check();
    await handle.writeFile(bytes);
    if (stats) {
      // Only root may change the owner; for everyone else the owner is already the same.
      await handle.chown(Number(stats.uid), Number(stats.gid)).catch(() => undefined);
    }
    const kept = mode ?? (stats && Number(stats.mode) & 0o777);
    if (kept !== undefined) await handle.chmod(kept & 0o777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Only one agent may replace a given content: the one that links its new file to a name made from that content's identity. Among agents
 * this closes the gap between the last check and the rename; any other program can still write in between.
 */
async function putInPlace(
  temporary: string,
  target: string | Buffer,
  { identity, clock }: { identity: string | undefined } & Required<Pick<WriteOrder, "clock">>,
): Promise<boolean> {
  if (identity === undefined) return linkUnlessThere(temporary, target);
  const claim = temporary.replace(/[^.]+\.tmp$/, `${createHash("sha256").update(identity).digest("hex").slice(0, 16)}.tmp`);
  if (!linkUnlessThere(temporary, claim) && !((await removeIfLeft(claim, clock)) && linkUnlessThere(temporary, claim))) return false;
  try {
    // Removed before the rename, so that the file does not change after it.
    rmSync(temporary, { force: true });
    const now = lstatSync(target, { bigint: true, throwIfNoEntry: false });
    if (!now || identityOf(now) !== identity) return false;
    renameSync(claim, target);
    return true;
  } finally {
    ifPossible(() => rmSync(claim, { force: true }));
  }
}

/** A claim lasts for a few system calls: one that stays was left by a killed process. The times of files say nothing if the clock was set. */
async function removeIfLeft(claim: string, { monotonicMs, sleep }: Required<WriteOrder>["clock"]): Promise<boolean> {
  const inode = () => lstatSync(claim, { bigint: true, throwIfNoEntry: false })?.ino;
  const first = inode();
  for (const deadline = monotonicMs() + leftAfterMs; monotonicMs() < deadline; await sleep(pollMs)) {
    if (first === undefined || inode() !== first) return false;
  }
  rmSync(claim, { force: true });
  return true;
}

const leftAfterMs = 10_000;
const pollMs = 50;

export function linkUnlessThere(temporary: string, target: string | Buffer): boolean {
  try {
    linkSync(temporary, target);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // On a file system without hard links (FAT, some network mounts), a check and a rename must do.
    if (!["EPERM", "ENOTSUP", "ENOSYS"].includes(codeOf(error) ?? "")) throw error;
    if (lstatSync(target, { throwIfNoEntry: false })) return false;
    renameSync(temporary, target);
    return true;
  }
}

// The real disk under the file tools. It takes every path literally and acts on opened descriptors, so that what the guard judged
// is what is touched.
import { createHash, randomBytes } from "node:crypto";
import { constants, linkSync, lstatSync, realpathSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { ReadOutcome, RealDisk, Refused, Version, WalkOutcome, WriteOutcome } from "../tools/disk.ts";
import { type HeldFolder, type Holding, holdFolder, holdNewFolder, noLinks, PathMoved } from "./held-folder.ts";
import { ripgrepHere, searchByRipgrep, walkByRipgrep } from "./ripgrep.ts";
import { searchByWorker } from "./search.ts";
import { checked } from "./search-check.ts";
import { codeOf } from "./system-error.ts";
import { type IgnorePatterns, walkByHand } from "./walk.ts";

export type FilesOptions = {
  /** Compiles the text of one .gitignore. */
  ignorePatterns: IgnorePatterns;
  /** How folders are held; what the system offers when not given. */
  holding?: Holding;
  /** Whether ripgrep walks and searches; found out at the first use when not given. */
  ripgrep?: boolean;
};

export function files({ ignorePatterns, holding = holdingHere(), ...options }: FilesOptions): RealDisk {
  let trial = options.ripgrep === undefined ? undefined : Promise.resolve(options.ripgrep);
  const ripgrep = () => {
    trial ??= ripgrepHere();
    return trial;
  };
  const walkHere = (path: string, signal: AbortSignal) =>
    asOutcome(path, () =>
      walkFrom(path, async (folder) => {
        const found = await ((await ripgrep()) ? walkByRipgrep : walkByHand)(folder, { ignorePatterns, holding, signal });
        return { kind: "files", folder, paths: found.paths.sort(), cut: found.cut };
      }),
    );
  return {
    async real(path) {
      const absolute = resolve(path);
      if (Buffer.byteLength(absolute) >= longestPathBytes)
        throw new Error(`it is longer than the ${longestPathBytes} bytes that a system opens`);
      return real(absolute);
    },
    read: (path) => asOutcome(path, () => read(path, holding)),
    write: (path, content) => asWriteOutcome(path, () => write(path, { ...content, holding })),
    names: (folder) => names(folder, holding),
    walk: walkHere,
    async search(folder, query) {
      const found = await walkHere(folder, query.signal);
      if (found.kind !== "files") return found;
      const place = { ...found, paths: found.paths.filter(query.keep) };
      if (!(await ripgrep())) return searchByWorker(place, query);
      return checked(await searchByRipgrep(place, query), (path) => asOutcome(path, () => read(path, holding)), query.signal);
    },
  };
}

function holdingHere(): Holding {
  return process.platform === "linux" ? "descriptor" : "recheck";
}

/** PATH_MAX of Linux, with the zero byte at the end; elsewhere it is less. */
const longestPathBytes = 4096;

/** realpath(3) for a path whose end may not exist yet. A link to nothing is followed too: writing to it would make its target. */
async function real(path: string, linksLeft = 40): Promise<string> {
  try {
    return realpathSync.native(path); // the asynchronous one takes twenty times as long, several times for each call
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "") || dirname(path) === path) throw error;
  }
  const parent = await real(dirname(path), linksLeft);
  const here = join(parent, basename(path));
  const target = await readlink(here).catch(() => undefined); // not a link: most often it is just missing
  if (target === undefined) return here;
  if (linksLeft === 0) throw new Error(`${path} is a ring of links`);
  return real(resolve(parent, target), linksLeft - 1);
}

async function read(path: string, holding: Holding): Promise<ReadOutcome> {
  if (dirname(path) === path) return { kind: "folder", path };
  const folder = await holdFolder(dirname(path), holding);
  try {
    const found = await openFile(folder, path);
    if (found.kind !== "open") return found;
    try {
      const bytes = await readWhole(found.handle);
      if (!bytes) return refusal(`it is larger than ${maxBytes / 1024 / 1024} MB. Use Grep, or a command that shows a part of it`);
      return { kind: "file", path, bytes, version: versionOf(bytes) };
    } finally {
      await found.handle.close();
    }
  } finally {
    await folder.close();
  }
}

/** Larger files are no text that a model reads or edits. */
const maxBytes = 32 * 1024 * 1024;

const versionOf = (bytes: Buffer): Version => createHash("sha256").update(bytes).digest("hex");

type Opened = { kind: "open"; handle: FileHandle } | { kind: "folder"; path: string } | Refused;

/** Looks before it opens, since opening some devices does something; looks again afterwards, since the name may have changed hands. */
async function openFile(folder: HeldFolder, path: string): Promise<Opened> {
  const name = folder.child(basename(path));
  const before = await lstat(name);
  if (before.isSymbolicLink()) throw new PathMoved(path);
  if (before.isDirectory()) return { kind: "folder", path };
  if (!before.isFile()) return refusal(special(before));
  const handle = await open(name, constants.O_RDONLY | noLinks | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    folder.check();
    const opened = await handle.stat();
    if (opened.isFile()) return { kind: "open", handle };
    await handle.close();
    return refusal(special(opened));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function special(stats: { isFIFO(): boolean; isSocket(): boolean }): string {
  const what = stats.isFIFO() ? "a FIFO" : stats.isSocket() ? "a socket" : "a device";
  return `it is ${what}, not a file, and reading or writing it could wait for ever`;
}

/** Undefined when it is larger than the limit. Sizes are not trusted: files of /proc say 0, and a file may grow. */
async function readWhole(handle: FileHandle): Promise<Buffer | undefined> {
  const { size } = await handle.stat();
  if (size > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(4096, size + 1 - total));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
    if (total > maxBytes) return undefined;
  }
}

type WriteOrder = { bytes: Buffer; expected: Version | undefined; holding: Holding };

/** A temporary file beside it, fsync, a last look, rename: a reader sees the old file or the new one, and so does a crash. */
async function write(path: string, order: WriteOrder): Promise<WriteOutcome> {
  if (dirname(path) === path) return refusal("it is a folder");
  const folder = await holdNewFolder(dirname(path), order.holding);
  const temporary = folder.child(`.${basename(path).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  const target = folder.child(basename(path));
  try {
    const before = await look(folder, path);
    if (before.kind === "folder") return refusal("it is a folder");
    if (before.kind === "refused") return before;
    if (before.version !== order.expected) return { kind: "changed", path };
    if (before.stats && (Number(before.stats.mode) & 0o222) === 0) return refusal("it is marked read-only");
    await writeTemporary(temporary, { folder, bytes: order.bytes, stats: before.stats });
    folder.check();
    if (!putInPlace(temporary, target, before.identity)) return { kind: "changed", path };
    return { kind: "written", path, version: versionOf(order.bytes) };
  } finally {
    await unlink(temporary).catch(() => undefined); // after a rename there is nothing left to remove
    await folder.close();
  }
}

type Stats = { mode: bigint; uid: bigint; gid: bigint };
type Found =
  | { kind: "there"; version: Version; identity: string; stats: Stats }
  | { kind: "absent"; version?: undefined; identity?: undefined; stats?: undefined }
  | { kind: "folder" }
  | Refused;

/** What stands under the name now. The identity is taken before the bytes: a write that comes in between changes it. */
async function look(folder: HeldFolder, path: string): Promise<Found> {
  const opened = await openFile(folder, path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (!opened) return { kind: "absent" };
  if (opened.kind !== "open") return opened;
  try {
    const stats = await opened.handle.stat({ bigint: true });
    const bytes = await readWhole(opened.handle);
    if (!bytes) return refusal(`it is larger than ${maxBytes / 1024 / 1024} MB`);
    return { kind: "there", version: versionOf(bytes), identity: identityOf(stats), stats };
  } finally {
    await opened.handle.close();
  }
}

const identityOf = (stats: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }) =>
  [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");

async function writeTemporary(temporary: string, { folder, bytes, stats }: { folder: HeldFolder; bytes: Buffer; stats?: Stats }) {
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
    rmSync(claim, { force: true });
  }
}

/** A claim lasts for a few system calls; an old one is what a killed process left. */
function removeIfLeft(claim: string): boolean {
  const stats = lstatSync(claim, { throwIfNoEntry: false });
  if (stats && Date.now() - stats.mtimeMs < leftAfterMs) return false;
  rmSync(claim, { force: true });
  return true;
}

const leftAfterMs = 10_000;

function linkUnlessThere(temporary: string, target: string): boolean {
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

async function names(path: string, holding: Holding): Promise<string[]> {
  try {
    const folder = await holdFolder(path, holding);
    try {
      return (await readdir(folder.self)).sort();
    } finally {
      await folder.close();
    }
  } catch {
    // Names are only ever advice; a folder that cannot be listed has none to give.
    return [];
  }
}

async function walkFrom(path: string, walkFolder: (folder: string) => Promise<WalkOutcome>): Promise<WalkOutcome> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) throw new PathMoved(path);
  if (stats.isDirectory()) return walkFolder(path);
  if (!stats.isFile()) return refusal(special(stats));
  return { kind: "files", folder: dirname(path), paths: [basename(path)], cut: "nothing" };
}

const refusal = (reason: string): Refused => ({ kind: "refused", reason });

async function asOutcome<T>(path: string, work: () => Promise<T>): Promise<T | { kind: "missing"; path: string } | Refused> {
  try {
    return await work();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return { kind: "missing", path };
    return refusal(faultReason(error));
  }
}

async function asWriteOutcome(path: string, work: () => Promise<WriteOutcome>): Promise<WriteOutcome> {
  const outcome = await asOutcome(path, work);
  if (outcome.kind !== "missing") return outcome;
  return refusal("a part of its path is a file, or was removed meanwhile");
}

function faultReason(error: unknown): string {
  if (error instanceof PathMoved) return `${error.message}: a link was put in its way. Nothing was done`;
  return faults[codeOf(error) ?? ""] ?? (error instanceof Error ? error.message : String(error));
}

const faults: Record<string, string> = {
  EACCES: "the system denies permission",
  EPERM: "the system does not permit it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ELOOP: "it leads through a link that was put there meanwhile, or through a ring of links. Nothing was done",
  ENAMETOOLONG: "the name is too long",
  EAGAIN: "it has nothing to read now, and reading it could wait for ever",
};

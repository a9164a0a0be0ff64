// The gitlinks of an index: the folders in which git looks for another repository. Read as data and at once, because a program may wait for
// them: starting git takes longer than a command. An agent may have written the index byte by byte, so what git could read in it counts.
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { rawPath, textOf } from "../../disk/raw-path.ts";
import { ifPossible } from "../../system-error.ts";

/**
 * Of each of these folders of git's, the links in its index: paths as they stand there, which need not be those that git itself writes, and
 * with names as raw-path.ts writes them. A file is read again only if it has changed. `unread`: those of which a session does not read what
 * git reads, with the rest of a sentence.
 */
export function gitlinks(): (gitDirs: string[]) => { links: string[][]; unread: { path: string; why: string }[] } {
  const known = new Map<string, Known>();
  return (gitDirs) => {
    const folders = gitDirs.map(indexFilesIn);
    const unread = beyondBudget(folders.flat(), known);
    const namesIn = (file: IndexFile, which: Which): string[] => {
      if (unread.some(({ file: each }) => each === file)) return [];
      const read = readOnce(file, { which, known });
      if ("names" in read) return read.names;
      unread.push({ file, why: read.why });
      return [];
    };
    const links = folders.map((files) => {
      const found = files.map((file) => namesIn(file, "links"));
      // An entry of a split index may replace one of its base without its name: then each of these may be a link.
      const isNameless = files.some(({ isBase }, at) => !isBase && found[at]!.includes(""));
      const named = isNameless ? files.filter(({ isBase }) => isBase).map((file) => namesIn(file, "all")) : [];
      return [...new Set([...found, ...named].flat())].filter((path) => path !== "");
    });
    return { links, unread: unread.map(({ file, why }) => ({ path: file.path, why })) };
  };
}

/** `id`: one for all names of a file. `isBase`: it may be the part of a split index that others share. */
type IndexFile = { path: string; isBase: boolean; stats: BigIntStats; id: string; stamp: string };

/** Of a base, all names may be links. */
type Which = "links" | "all";
type Read = { names: string[] } | { why: string };
type Known = Read & { stamp: string; isSettled: boolean };

/** The parts of an index that are files. */
function indexFilesIn(gitDir: string): IndexFile[] {
  const names = ifPossible(() => readdirSync(rawPath(gitDir))) ?? [];
  return ["index", ...names.filter((name) => name !== "index" && isIndexName(name))].flatMap((name) => {
    const path = join(gitDir, name);
    const stats = ifPossible(() => statSync(rawPath(path), { bigint: true, throwIfNoEntry: false }));
    if (!stats?.isFile()) return [];
    return [{ path, isBase: name !== "index", stats, id: `${stats.dev}:${stats.ino}`, stamp: stampOf(stats) }];
  });
}

/** Whether git reads an index from a file of this name in its folder. */
export const isIndexName = (name: string): boolean => /^(?:index|sharedindex\.[0-9a-f]{40,64})$/i.test(name);

const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats) => `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;

/**
 * Those that are more than a session reads, by themselves or with the others. An index comes before all that it may have a part in, and what was
 * read at the last look before what has changed since.
 */
function beyondBudget(files: IndexFile[], known: Map<string, Known>): { file: IndexFile; why: string }[] {
  const wasRead = ({ id, stamp }: IndexFile) => known.get(`${id} links`)?.stamp === stamp;
  const rank = (file: IndexFile) => (file.isBase ? 2 : 0) + (wasRead(file) ? 0 : 1);
  const order = (one: IndexFile, other: IndexFile) => rank(one) - rank(other) || Number(one.stats.size - other.stats.size);
  const counted = new Map<string, string | undefined>();
  let left = mostTogetherMb * mb;
  for (const file of files.toSorted(order)) {
    if (counted.has(file.id)) continue;
    const size = Number(file.stats.size);
    const why =
      size > largestMb * mb
        ? `is larger than ${largestMb} MB`
        : size > left
          ? `is one of several with more than ${mostTogetherMb} MB together`
          : undefined;
    if (why === undefined) left -= size;
    counted.set(file.id, why && `${why}, more than a session reads`);
  }
  return files.flatMap((file) => {
    const why = counted.get(file.id);
    return why === undefined ? [] : [{ file, why }];
  });
}

/** A session stands still while it reads them. The largest repositories that we know have 60 MB for each of their worktrees. */
const largestMb = 256;
const mostTogetherMb = 512;
const mb = 1024 * 1024;

function readOnce(file: IndexFile, { which, known }: { which: Which; known: Map<string, Known> }): Read {
  const key = `${file.id} ${which}`;
  const before = known.get(key);
  if (before?.isSettled && before.stamp === file.stamp) return before;
  // A change within the same clock tick of the file system would not be visible.
  const isSettled = Number(file.stats.ctimeNs / 1_000_000n) < Date.now() - 1000;
  const { bytes, isSame } = ifPossible(() => bytesOf(file)) ?? { bytes: Buffer.alloc(0), isSame: false };
  const read: Known = { ...namesIn(bytes, which), stamp: file.stamp, isSettled: isSettled && isSame };
  known.set(key, read);
  return read;
}

/** No more than it had when it was looked at. `isSame`: that is the file which has been read, and it is as it was. */
function bytesOf({ path, stats, stamp }: IndexFile): { bytes: Buffer; isSame: boolean } {
  const descriptor = openSync(rawPath(path), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    if (!fstatSync(descriptor).isFile()) return { bytes: Buffer.alloc(0), isSame: false };
    const bytes = Buffer.allocUnsafe(Number(stats.size));
    let filled = 0;
    for (let read = 1; read > 0 && filled < bytes.length; filled += read)
      read = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
    return { bytes: bytes.subarray(0, filled), isSame: stampOf(fstatSync(descriptor, { bigint: true })) === stamp };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * `files`: only files and links of the file system. `more`: or entries that are not where they seem to be. `odd`: not as git itself writes an
 * index, so that it may take a path for another one than we do. `isSplit`: a part of it is in a file of git's folder. `hash`: the bytes of a
 * name of an object in this repository.
 */
export function kindOfIndex(bytes: Buffer, hash: (typeof hashes)[number]): { kind: "files" | "more" | "odd"; isSplit: boolean } {
  let isOdd = false;
  let hasLinks = false;
  const isWhole = readEntries(bytes, { at: firstEntry, left: countIn(bytes), hash }, (mode, name) => {
    isOdd ||= !written.includes(mode) || name().includes(0);
    hasLinks ||= isLink(mode);
  });
  if (!isWhole || isOdd) return { kind: "odd", isSplit: false };
  // Size: the first byte of an extension's is zero up to 16 MiB.
  const has = (extension: string) => bytes.length >= 2 ** 24 || bytes.includes(`${extension}\0`);
  return { kind: hasLinks || ["link", "sdir", "IEOT"].some(has) ? "more" : "files", isSplit: has("link") };
}

/** As git compares it (S_IFMT): it drops none of the other bits. */
const isLink = (mode: number) => (mode & 0o170000) === 0o160000;
const written = [0o100644, 0o100755, 0o120000, 0o160000, 0o40000];

/** git-hash-function-transition: the bytes of a name of an object. */
const hashes = [20, 32] as const;

/** gitformat-index(5). With several processors git begins to read large ones at each place that their table names, wherever that is. */
function namesIn(bytes: Buffer, which: Which): Read {
  const names: string[] = [];
  let length = 0;
  const most = which === "links" ? mostLinks : mostNames;
  const visit = (mode: number, name: () => Buffer) => {
    if ((which === "links" && !isLink(mode)) || names.length > most || length > longestNames) return;
    const all = name();
    const zero = all.indexOf(0); // as the system takes it, a name ends there
    names.push(textOf(zero === -1 ? all : all.subarray(0, zero)));
    length += all.length;
  };
  for (const hash of hashes) {
    const pace = { left: 1000 + (2 * bytes.length) / shortestEntry }; // git's own are read twice
    for (const start of startsIn(bytes)) {
      readEntries(bytes, { ...start, hash, pace }, visit);
      pace.left--;
      if (pace.left < 0) return { why: "names the same entries too often to be read" };
      if (names.length > most || length > longestNames) return { why: "has more links than a session follows" };
    }
  }
  return { names };
}

const shortestEntry = 62;
/** Each is looked for. Nobody has that many, but a split index may be about any of its files. */
const mostLinks = 100_000;
const mostNames = 2_000_000;
const longestNames = 128 * mb;

/** From the first entry, and from what git believes to be the places of a table. */
function* startsIn(bytes: Buffer): Generator<{ at: number; left: number }> {
  yield { at: firstEntry, left: countIn(bytes) };
  for (let table = bytes.indexOf("IEOT"); table !== -1; table = bytes.indexOf("IEOT", table + 1)) {
    if (numberIn(bytes, table + 8) !== 1) continue; // its version
    const end = Math.min(table + 8 + (numberIn(bytes, table + 4) ?? 0), bytes.length);
    for (let at = table + 12; at + 8 <= end; at += 8) yield { at: bytes.readUInt32BE(at), left: bytes.readUInt32BE(at + 4) };
  }
}

const firstEntry = 12;
const countIn = (bytes: Buffer) => numberIn(bytes, 8) ?? 0;
const numberIn = (bytes: Buffer, at: number) => (at + 4 <= bytes.length ? bytes.readUInt32BE(at) : undefined);

/** `pace`: how many entries are read yet, from all starts together; a long name counts as several. */
type Start = { at: number; left: number; hash: number; pace?: { left: number } };

/** Up to what cannot be read; true if that is the end. `visit` gets the name as it is written, cut where no path is as long. */
function readEntries(
  bytes: Buffer,
  { at, left, hash, pace = { left: Number.POSITIVE_INFINITY } }: Start,
  visit: (mode: number, name: () => Buffer) => void,
): boolean {
  const isShortened = numberIn(bytes, 4) === 4;
  const whole = Buffer.alloc(isShortened ? longestPath : 0);
  let from = 0;
  let length = 0;
  let kept = 0;
  let before = 0;
  const name = () =>
    isShortened ? whole.subarray(0, Math.min(before, longestPath)) : bytes.subarray(from, from + Math.min(length, longestPath));
  for (; left > 0 && pace.left >= 0; left--, pace.left--) {
    const end = at + 42 + hash;
    if (end > bytes.length) break;
    const flags = bytes.readUInt16BE(end - 2);
    from = end + (flags & 0x4000 ? 2 : 0);
    if (isShortened) {
      const dropped = varint(bytes, from);
      kept = Math.max(0, before - dropped.value);
      from = dropped.next;
    }
    length = (flags & 0xfff) < 0xfff ? (flags & 0xfff) - kept : bytes.indexOf(0, from) - from;
    if ((flags & 0xfff) === 0xfff) pace.left -= (length < 0 ? bytes.length - from : length) / shortestEntry;
    if (length < 0 || from + length >= bytes.length) break;
    if (isShortened) {
      if (kept < longestPath) bytes.copy(whole, kept, from, from + Math.min(length, longestPath - kept));
      before = kept + length;
    }
    visit(bytes.readUInt32BE(at + 24), name);
    at = isShortened ? from + length + 1 : at + ((from + length - at + 8) & ~7);
  }
  return left === 0;
}

/** path_resolution(7): no longer one leads anywhere. */
const longestPath = 4096;

/** As in the packs of git: each further byte counts from where shorter numbers end. One beyond 64 bits is none, and takes no bytes. */
function varint(bytes: Buffer, from: number): { value: number; next: number } {
  let next = from;
  let byte = bytes[next++] ?? 0;
  let value = byte & 127;
  while (byte & 128) {
    byte = bytes[next++] ?? 0;
    if (value + 1 >= 2 ** 57) return { value: 0, next: from };
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next };
}

// The gitlinks of an index: the folders in which git looks for another repository. Read as data and at once, because a program may wait for
// them: starting git takes longer than a command. An agent may have written the index byte by byte, so what git could read in it counts.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../../disk/raw-path.ts";
import { ifPossible } from "../../system-error.ts";

/**
 * Paths as they stand in the index of this folder of git's, which need not be those that git itself writes, and with names as raw-path.ts
 * writes them. A file is read again only if it has changed.
 */
export function gitlinks(): (gitDir: string) => string[] {
  const known = new Map<string, { stamp: string; read: Entry[] }>();
  const entriesOf = (file: string): Entry[] => {
    const stats = ifPossible(() => statSync(file, { bigint: true }));
    if (!stats?.isFile()) return [];
    const stamp = `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
    const before = known.get(file);
    if (before?.stamp === stamp) return before.read;
    if (stats.size > largestMb * mb) throw new UnreadIndex(`${file} is larger than ${largestMb} MB, more than a session reads`);
    const isBase = !file.endsWith("/index");
    const read = entriesIn(ifPossible(() => readFileSync(file)) ?? Buffer.alloc(0)).filter((entry) => isBase || isLink(entry));
    // A change within the same clock tick of the file system would not be visible.
    const isSettled = Number(stats.ctimeNs / 1_000_000n) < Date.now() - 1000;
    known.set(file, { stamp: isSettled ? stamp : "", read });
    return read;
  };
  return (gitDir) => {
    const links = entriesOf(join(gitDir, "index"));
    const bases = ifPossible(() => readdirSync(gitDir).filter((name) => name.startsWith("sharedindex."))) ?? [];
    // An entry of a split index may replace one of its base without its name: then each of these may be a link.
    const isNameless = links.some(({ name }) => name.length === 0);
    const further = bases.flatMap((name) => entriesOf(join(gitDir, name))).filter((entry) => isNameless || isLink(entry));
    return [...new Set([...links, ...further].map(({ name }) => textOf(name)))].filter((path) => path !== "");
  };
}

/** Which links git would follow is not known. The message says why, to end a sentence with. */
export class UnreadIndex extends Error {
  override name = "UnreadIndex";
}

/** For some two million files. A session stands still while it reads one. */
const largestMb = 256n;
const mb = 1024n * 1024n;

/**
 * `files`: only files and links of the file system. `more`: or entries that are not where they seem to be. `odd`: not as git itself writes an
 * index, so that it may take a path for another one than we do. `isSplit`: a part of it is in a file of git's folder. `hash`: the bytes of a
 * name of an object in this repository.
 */
export function kindOfIndex(bytes: Buffer, hash: (typeof hashes)[number]): { kind: "files" | "more" | "odd"; isSplit: boolean } {
  const { entries, isWhole } = readEntries(bytes, { at: firstEntry, left: countIn(bytes), hash });
  if (!isWhole || entries.some(({ mode, isCut }) => !written.includes(mode) || isCut)) return { kind: "odd", isSplit: false };
  // Size: the first byte of an extension's is zero up to 16 MiB.
  const has = (extension: string) => bytes.length >= 2 ** 24 || bytes.includes(`${extension}\0`);
  const isMore = ["link", "sdir", "IEOT"].some(has) || entries.some(isLink);
  return { kind: isMore ? "more" : "files", isSplit: has("link") };
}

/** `isCut`: a zero byte ends its path, which is in `name`, before what the index says is its end. */
type Entry = { mode: number; name: Buffer; isCut: boolean };

/** As git compares it (S_IFMT): it drops none of the other bits. */
const isLink = ({ mode }: Entry) => (mode & 0o170000) === 0o160000;
const written = [0o100644, 0o100755, 0o120000, 0o160000, 0o40000];

/** git-hash-function-transition: the bytes of a name of an object. */
const hashes = [20, 32] as const;

/** gitformat-index(5). With several processors git begins to read large ones at each place that their table names, wherever that is. */
function entriesIn(bytes: Buffer): Entry[] {
  const starts = [{ at: firstEntry, left: countIn(bytes) }];
  for (let table = bytes.indexOf("IEOT"); table !== -1; table = bytes.indexOf("IEOT", table + 1)) {
    const end = Math.min(table + 8 + (numberIn(bytes, table + 4) ?? 0), bytes.length);
    for (let at = table + 12; at + 8 <= end; at += 8) starts.push({ at: bytes.readUInt32BE(at), left: bytes.readUInt32BE(at + 4) });
  }
  let left = 1000 + bytes.length / 10; // git's own are read four times, in 62 bytes each at least
  return hashes.flatMap((hash) =>
    starts.flatMap((start) => {
      const { entries } = readEntries(bytes, { ...start, hash });
      left -= 1 + entries.length;
      if (left < 0) throw new UnreadIndex("an index of git names the same entries too often to be read");
      return entries;
    }),
  );
}

const firstEntry = 12;
const countIn = (bytes: Buffer) => numberIn(bytes, 8) ?? 0;
const numberIn = (bytes: Buffer, at: number) => (at + 4 <= bytes.length ? bytes.readUInt32BE(at) : undefined);

type Start = { at: number; left: number; hash: number };

/** Up to what cannot be read; `isWhole`: that is the end. As the system takes it, a name ends before a zero byte in it. */
function readEntries(bytes: Buffer, { at, left, hash }: Start): { entries: Entry[]; isWhole: boolean } {
  const isShortened = numberIn(bytes, 4) === 4;
  const entries: Entry[] = [];
  let name: Buffer = Buffer.alloc(0);
  for (; left > 0; left--) {
    const end = at + 42 + hash;
    if (end > bytes.length) break;
    const mode = bytes.readUInt32BE(at + 24);
    const flags = bytes.readUInt16BE(end - 2);
    let from = end + (flags & 0x4000 ? 2 : 0);
    let kept = 0;
    if (isShortened) {
      const dropped = varint(bytes, from);
      kept = Math.max(0, name.length - dropped.value);
      from = dropped.next;
    }
    const length = (flags & 0xfff) < 0xfff ? (flags & 0xfff) - kept : bytes.indexOf(0, from) - from;
    if (length < 0 || from + length >= bytes.length) break;
    name = isShortened ? Buffer.concat([name.subarray(0, kept), bytes.subarray(from, from + length)]) : bytes.subarray(from, from + length);
    const zero = name.indexOf(0);
    entries.push({ mode, name: zero === -1 ? name : name.subarray(0, zero), isCut: zero !== -1 });
    at = isShortened ? from + length + 1 : at + ((from + length - at + 8) & ~7);
  }
  return { entries, isWhole: left === 0 };
}

/** As in the packs of git: each further byte counts from where shorter numbers end. */
function varint(bytes: Buffer, from: number): { value: number; next: number } {
  let next = from;
  let byte = bytes[next++] ?? 0;
  let value = byte & 127;
  while (byte & 128) {
    byte = bytes[next++] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next };
}

// The gitlinks of an index: the folders in which git looks for another repository. Read as data and at once, because a program may wait for
// them: starting git takes longer than a command.
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { textOf } from "../../disk/raw-path.ts";
import { ifPossible } from "../../system-error.ts";

/** Relative paths, as raw-path.ts writes names. Empty if git could not read it either. A file is read again only if it has changed. */
export function gitlinks(): (indexFile: string) => string[] {
  const known = new Map<string, { stamp: string; paths: string[] }>();
  return (indexFile) => {
    const stats = ifPossible(() => statSync(indexFile, { bigint: true }));
    if (!stats?.isFile()) return [];
    const stamp = `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
    const before = known.get(indexFile);
    if (before?.stamp === stamp) return before.paths;
    // A change within the same clock tick of the file system would not be visible.
    const settled = Number(stats.ctimeNs / 1_000_000n) < Date.now() - 1000;
    const paths = [...new Set(linksIn(indexFile))].filter((path) => !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(path));
    known.set(indexFile, { stamp: settled ? stamp : "", paths });
    return paths;
  };
}

/** git-hash-function-transition: the bytes of a name of an object. */
const hashes = [20, 32];

function linksIn(file: string): string[] {
  const bytes = ifPossible(() => readFileSync(file)) ?? Buffer.alloc(0);
  return hashes.flatMap((hash) => {
    const read = ifPossible(() => entriesIn(bytes, hash));
    if (!read) return [];
    const base = read.base === undefined ? undefined : ifPossible(() => readFileSync(join(dirname(file), `sharedindex.${read.base}`)));
    // An entry of a split index may replace one of its base without its name: each of these may be a link.
    const further = (base && ifPossible(() => entriesIn(base, hash)))?.entries ?? [];
    return [...read.entries.filter(({ mode }) => mode >> 12 === gitlink), ...further].map(({ path }) => path);
  });
}

const gitlink = 0o16;

type Entry = { mode: number; path: string };

/** gitformat-index(5). Throws if it is no index with such hashes. `base`: the name of the rest of a split index. */
function entriesIn(bytes: Buffer, hash: number): { entries: Entry[]; base: string | undefined } {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) throw new Error("not an index");
  const isBase = (name: Buffer) => name.length > 0;
  const entries: Entry[] = [];
  let name: Buffer = Buffer.alloc(0);
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const mode = bytes.readUInt32BE(at + 24);
    const flags = bytes.readUInt16BE(at + 40 + hash);
    let from = at + 42 + hash + (flags & 0x4000 && version > 2 ? 2 : 0);
    let kept = 0;
    if (version === 4) {
      const dropped = varint(bytes, from);
      kept = name.length - dropped.value;
      from = dropped.next;
    }
    const length = (flags & 0xfff) < 0xfff ? (flags & 0xfff) - kept : bytes.indexOf(0, from) - from;
    if (kept < 0 || length < 0 || from + length >= bytes.length) throw new Error("cut off");
    name =
      version === 4 ? Buffer.concat([name.subarray(0, kept), bytes.subarray(from, from + length)]) : bytes.subarray(from, from + length);
    if (isBase(name)) entries.push({ mode, path: textOf(name) });
    at = version === 4 ? from + length + 1 : at + ((from + length - at + 8) & ~7);
  }
  let base: string | undefined;
  while (at + 8 <= bytes.length - hash) {
    if (bytes.toString("latin1", at, at + 4) === "link") base = bytes.toString("hex", at + 8, at + 8 + hash);
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return { entries, base };
}

/** As in the packs of git: each further byte counts from where shorter numbers end. */
function varint(bytes: Buffer, from: number): { value: number; next: number } {
  let next = from;
  let byte = bytes.readUInt8(next++);
  let value = byte & 127;
  while (byte & 128) {
    byte = bytes.readUInt8(next++);
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next };
}

// An index of git as an agent may write it, byte by byte: git itself writes no such paths, modes and flags, and reads them all.
export type CraftedEntry = { path: string; mode?: number; length?: number; isExtended?: true };

/** 32 KB, whose table names the entries so often that nobody reads them to the end; git reads each once. */
export function overfullIndex(entries: CraftedEntry[]): Buffer {
  const index = craftedIndex(entries);
  const table = Buffer.alloc(12 + 8 * 4000);
  table.write("IEOT");
  table.writeUInt32BE(table.length - 8, 4);
  table.writeUInt32BE(1, 8); // its version
  for (let at = 12; at < table.length; at += 8) {
    table.writeUInt32BE(12, at);
    table.writeUInt32BE(entries.length, at + 4);
  }
  return Buffer.concat([index.subarray(0, -20), table, Buffer.alloc(20)]);
}

/** Of version 2; each entry is a link to a repository unless `mode` says something else. `count`: what its header says. */
export function craftedIndex(entries: CraftedEntry[], count = entries.length): Buffer {
  const written = entries.map(({ path, mode = 0o160000, length = Buffer.byteLength(path), isExtended }) => {
    const head = Buffer.alloc(isExtended ? 64 : 62, 0);
    head.writeUInt32BE(mode, 24);
    head.fill(0x11, 40, 60);
    head.writeUInt16BE(length | (isExtended ? 0x4000 : 0), 60);
    const size = head.length + Buffer.byteLength(path);
    return Buffer.concat([head, Buffer.from(path)], size + 8 - (size % 8));
  });
  const header = Buffer.from("DIRC\0\0\0\x02\0\0\0\0", "latin1");
  header.writeUInt32BE(count, 8);
  return Buffer.concat([header, ...written, Buffer.alloc(20)]);
}

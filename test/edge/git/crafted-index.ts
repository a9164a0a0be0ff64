// An index of git as an agent may write it, byte by byte: git itself writes no such paths, modes and flags, and reads them all.
export type CraftedEntry = { path: string; mode?: number; length?: number; isExtended?: true };

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

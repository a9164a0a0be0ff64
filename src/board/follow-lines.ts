// Follows a file of lines that other processes append to.
import type { BoardDisk } from "./disk.ts";

/** Returns the whole lines that were appended since the last call; the first call starts at the file's beginning. A missing file has none. */
export function followLines(disk: Pick<BoardDisk, "readFrom">, path: string): () => string[] {
  let offset = 0;
  let rest = Buffer.alloc(0);
  return () => {
    let { bytes, size } = disk.readFrom(path, offset);
    if (size < offset) {
      // Somebody emptied or replaced the file: what it has now is read from its start.
      rest = Buffer.alloc(0);
      ({ bytes, size } = disk.readFrom(path, 0));
      offset = 0;
    }
    offset += bytes.length;
    const text = Buffer.concat([rest, bytes]);
    const end = text.lastIndexOf(0x0a) + 1;
    rest = text.subarray(end);
    return text
      .subarray(0, end)
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
  };
}

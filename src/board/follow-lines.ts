// Follows a file of lines that other processes append to.
import type { BoardDisk } from "./disk.ts";

/** Returns the complete lines appended since the last call; the first call starts at the beginning of the file. A missing file has no lines. */
export function followLines(disk: Pick<BoardDisk, "readFrom">, path: string): () => string[] {
  let offset = 0;
  let rest = Buffer.alloc(0);
  return () => {
    let { bytes, size } = disk.readFrom(path, offset);
    if (size < offset) {
      // The file was emptied or replaced, so it is read from its start.
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

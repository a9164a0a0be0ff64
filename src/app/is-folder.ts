// Whether a path that a person named is a folder.
import type { BoardDisk } from "../board/disk.ts";

export function isFolder({ list, size }: Pick<BoardDisk, "list" | "size">, path: string): boolean {
  try {
    list(path);
    return size(path) !== undefined;
  } catch {
    return false; // the path is a file, not a folder
  }
}

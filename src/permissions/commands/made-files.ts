// Files that this session's writes have created: removing them loses no one else's work.
import { within } from "../paths/places.ts";

export type MadeFiles = {
  /** For a folder: everything in it. Paths are real ones. */
  note(path: string): void;
  has(path: string): boolean;
};

export function madeFiles(): MadeFiles {
  const made = new Set<string>();
  return {
    note: (path) => void made.add(path),
    has: (path) => made.has(path) || (made.size > 0 && [...made].some((folder) => within(folder, path))),
  };
}

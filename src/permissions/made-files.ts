// What this session's writes have made: nothing of anybody else's is lost with it.
import { within } from "./paths/places.ts";

export type MadeFiles = {
  /** Of a folder: all that it holds. Paths are real ones. */
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

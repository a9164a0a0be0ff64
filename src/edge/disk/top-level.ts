// What a folder holds, by name alone.
import { readdirSync } from "node:fs";

/** Sorted; none if it cannot be listed. */
export function topLevel(folder: string): { name: string; folder: boolean }[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, folder: entry.isDirectory() }));
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // gone, or not to be listed: what wants to use it says why
  }
}

// The names in a folder.
import { readdirSync } from "node:fs";

/** Sorted; empty if it cannot be listed. */
export function topLevel(folder: string): { name: string; folder: boolean }[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, folder: entry.isDirectory() }));
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // missing or unreadable: whatever uses it next reports why
  }
}

// The names in a folder.
import { readdirSync } from "node:fs";
import { ifPossible } from "../system-error.ts";

/** Sorted; empty if it cannot be listed: whatever uses it next reports why. */
export function topLevel(folder: string): { name: string; folder: boolean }[] {
  const entries = ifPossible(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.map((entry) => ({ name: entry.name, folder: entry.isDirectory() })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

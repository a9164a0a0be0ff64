// The .env files of a folder: commands may print their values.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ifPossible } from "../system-error.ts";

const largestCharacters = 256 * 1024;

/** Their texts, without those that cannot be read. */
export function envFileTexts(folder: string): string[] {
  const entries = ifPossible(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  const files = entries.filter((entry) => entry.isFile() && /^\.env(?:\.|$)|\.env$/.test(entry.name));
  return files.flatMap(({ name }) => ifPossible(() => readFileSync(join(folder, name), "utf8").slice(0, largestCharacters)) ?? []);
}

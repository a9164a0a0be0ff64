// The .env files of a folder: commands may print their values.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const largestCharacters = 256 * 1024;

/** Their texts, without those that cannot be read. */
export function envFileTexts(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && /^\.env(?:\.|$)|\.env$/.test(entry.name))
      .map(({ name }) => textOf(join(folder, name)));
  } catch {
    return []; // no folder, no files
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, largestCharacters);
  } catch {
    return ""; // commands cannot read it either
  }
}

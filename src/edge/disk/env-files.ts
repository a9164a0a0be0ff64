// The .env files of a folder: their values may turn up in what commands print.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const largestCharacters = 256 * 1024;

/** Their texts; none of a folder or file that we may not read. */
export function envFileTexts(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && /^\.env(?:\.|$)|\.env$/.test(entry.name))
      .map(({ name }) => textOf(join(folder, name)));
  } catch {
    return []; // no folder, no files of it
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, largestCharacters);
  } catch {
    return ""; // what we may not read, commands may not print either
  }
}

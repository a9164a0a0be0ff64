// The .env files of a folder: commands may print their values.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readUntrusted } from "../git/untrusted-file.ts";
import { ifPossible } from "../system-error.ts";

/** Bytes. */
const largest = 256 * 1024;

/** Their texts, without those that cannot be read. */
export function envFileTexts(folder: string): string[] {
  const entries = ifPossible(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  const files = entries.filter((entry) => entry.isFile() && /^\.env(?:\.|$)|\.env$/.test(entry.name));
  return files.flatMap(({ name }) => {
    const found = readUntrusted(join(folder, name), { most: largest, head: largest });
    return found.kind === "read" ? found.bytes.toString("utf8") : [];
  });
}

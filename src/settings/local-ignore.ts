// Keeps the user's local settings out of git, by an ignore file beside them.
import { dirname, join } from "node:path";
import { ignorePatterns } from "../permissions/paths/ignore-patterns.ts";
import type { TrustDisk } from "./trust.ts";

export const localSettings = "settings.local.json";

/** Must be called before the settings file `path` is written. An ignore file that covers it already is left as it is. */
export function keepOutOfGit(disk: Pick<TrustDisk, "read" | "replace">, path: string): void {
  const file = join(dirname(path), ".gitignore");
  const before = disk.read(file)?.toString("utf8");
  if (before !== undefined && ignorePatterns(before)(localSettings) === "ignored") return;
  const lines = before === undefined ? `${localSettings}\n.gitignore\n` : `${withEnd(before)}${localSettings}\n`;
  disk.replace(file, lines);
}

const withEnd = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

// A person's local settings are nobody else's: beside them stands an ignore file, so that git never offers them.
import { dirname, join } from "node:path";
import { ignorePatterns } from "../permissions/paths/ignore-patterns.ts";
import type { TrustDisk } from "./trust.ts";

export const localSettings = "settings.local.json";

/** Call it before `path`, such a settings file, is written. An ignore file that covers it already is left as it is. */
export function keepOutOfGit(disk: Pick<TrustDisk, "read" | "replace">, path: string): void {
  const file = join(dirname(path), ".gitignore");
  const before = disk.read(file)?.toString("utf8");
  if (before !== undefined && ignorePatterns(before)(localSettings) === "ignored") return;
  const lines = before === undefined ? `${localSettings}\n.gitignore\n` : `${withEnd(before)}${localSettings}\n`;
  disk.replace(file, lines);
}

const withEnd = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

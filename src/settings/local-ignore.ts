// Keeps the user's local settings out of git, by an ignore file beside them.
import { dirname, join } from "node:path";
import type { BoardDisk } from "../board/disk.ts";
import { ignorePatterns } from "../permissions/paths/ignore-patterns.ts";
import type { TrustDisk } from "./trust.ts";

export const localSettings = "settings.local.json";

/** Must be called before the settings file `path` is written. An ignore file that covers it already is left as it is. */
export function keepOutOfGit(disk: Pick<TrustDisk, "read" | "replace">, path: string): void {
  const file = join(dirname(path), ".gitignore");
  const before = disk.read(file)?.toString("utf8");
  if (before !== undefined && ignorePatterns(before)(localSettings) === "ignored") return;
  const lines = before === undefined ? ownLines : `${withEnd(before)}${localSettings}\n`;
  disk.replace(file, lines, { shared: true });
}

/** Removes the settings file `path` of a repository and what was made for it: the ignore file that only we wrote, and an empty folder. */
export function removeEmptySettings(disk: Pick<BoardDisk, "read" | "remove" | "removeEmptyFolder" | "size">, path: string): void {
  const folder = dirname(path);
  const ignore = join(folder, ".gitignore");
  disk.remove(path);
  if (disk.size(join(folder, localSettings)) === undefined && disk.read(ignore)?.toString("utf8") === ownLines) disk.remove(ignore);
  disk.removeEmptyFolder(folder);
}

const ownLines = `${localSettings}\n.gitignore\n`;

const withEnd = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

// Removes a folder with everything in it. Links in it are removed, and what they name stays.
import { rmSync } from "node:fs";

/** Nothing happens when it does not exist. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

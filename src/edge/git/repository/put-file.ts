// Puts a file in its place in a folder that commands may write at any moment: no link that they put there leads the bytes elsewhere.
import { randomBytes } from "node:crypto";
import { closeSync, constants, futimesSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { holdFolder, holdingHere, noLinks } from "../../disk/held-folder.ts";

/** `path` has no links, or it throws. What has the name is replaced at once, a link itself. `seconds`: its time, now if absent. */
export function putFile(path: string, bytes: Buffer, seconds?: number): void {
  const folder = holdFolder(dirname(path), holdingHere());
  const beside = folder.child(`.${basename(path)}.${randomBytes(6).toString("hex")}`);
  try {
    const fd = openSync(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noLinks, 0o666);
    try {
      writeFileSync(fd, bytes);
      if (seconds !== undefined) futimesSync(fd, seconds, seconds);
    } finally {
      closeSync(fd);
    }
    folder.check();
    renameSync(beside, folder.child(basename(path)));
  } finally {
    rmSync(beside, { force: true });
    folder.close();
  }
}

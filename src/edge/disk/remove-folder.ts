// Removes a folder with everything in it. Links in it are removed, and what they name stays, also while a command still changes the folder:
// a link that it puts in the way of a folder leads nowhere else.
import { randomBytes } from "node:crypto";
import { closeSync, constants, lstatSync, openSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { codeOf, unless } from "../system-error.ts";
import { rawPath, textOf } from "./raw-path.ts";

/** Nothing happens when it does not exist. A file or a link of that name is removed. No command can change the folder around it. */
export function removeFolder(path: string): void {
  const isFolder = lstatSync(rawPath(path), { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder || process.platform !== "linux") {
    rmSync(rawPath(path), { recursive: isFolder, force: true, maxRetries: 3 });
    return;
  }
  emptied(path);
  rmdirSync(rawPath(path));
}

/** A command that goes on making files does not keep us for ever. */
const mostRounds = 10_000;

/** What is in folders of it is moved up into it and removed there: however deep they lie, two are open, and no path leads through a third. */
function emptied(path: string): void {
  const fresh = randomBytes(8).toString("hex");
  let count = 0;
  within(path, (top) => {
    for (let round = 0, names = namesIn(top); names.length > 0 && round < mostRounds; round++, names = namesIn(top)) {
      for (const name of names) {
        if (unlinked(`${top}/${name}`)) continue;
        within(`${top}/${name}`, (folder) => {
          for (const below of namesIn(folder))
            if (!unlinked(`${folder}/${below}`)) moved(`${folder}/${below}`, `${top}/${fresh}-${count++}`);
        });
        ifThere(() => rmdirSync(rawPath(`${top}/${name}`)));
      }
    }
  });
}

/** With a path to the folder itself. Not through a link; nothing happens if it is none, or gone. */
function within(path: string, use: (self: string) => void): void {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const fd = unless("ENOTDIR", () => unless("ENOENT", () => openSync(rawPath(path), flags), undefined), undefined);
  if (fd === undefined) return;
  try {
    use(`/proc/self/fd/${fd}`);
  } finally {
    closeSync(fd);
  }
}

const namesIn = (self: string) => readdirSync(self, "buffer").map(textOf);

/** False for a folder: unlink(2) of Linux. */
const unlinked = (path: string) => unless("EISDIR", () => ifThere(() => unlinkSync(rawPath(path))), false);

const moved = (from: string, to: string) => ifThere(() => renameSync(rawPath(from), rawPath(to)));

/** The next round sees what has been changed meanwhile. */
function ifThere(act: () => void): true {
  try {
    act();
  } catch (error) {
    if (!["ENOENT", "ENOTDIR", "ENOTEMPTY"].includes(codeOf(error) ?? "")) throw error;
  }
  return true;
}

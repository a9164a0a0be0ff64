// Moves a file or folder that a command may still change by copying, as to another file system, without following a link that is put in its way.
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { rawPath, textOf } from "../disk/raw-path.ts";

/** `to` must not exist. A pipe, a socket or a device becomes an empty file. */
export function carry(from: string, to: string): void {
  const stats = lstatSync(rawPath(from));
  if (stats.isDirectory()) {
    carryFolder(from, to, stats.mode);
    return;
  }
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(rawPath(from), "buffer"), rawPath(to));
  else if (stats.isFile()) copyFile(from, to);
  else writeFileSync(rawPath(to), "", { flag: "wx" });
  unlinkSync(rawPath(from));
}

function carryFolder(from: string, to: string, mode: number): void {
  mkdirSync(rawPath(to), (mode & 0o777) | 0o700);
  inBoth(from, to, (source, target, name) => carry(join(source, name), join(target, name)));
  rmdirSync(rawPath(from));
}

/** Carries into a folder what it lacks of another one, and leaves the rest there. Throws if one of them is no folder any more. */
export function carryMissing(from: string, to: string): void {
  inBoth(from, to, (source, target, name) => {
    const [one, other] = [join(source, name), join(target, name)];
    const there = lstatSync(rawPath(other), { throwIfNoEntry: false });
    if (!there) carry(one, other);
    else if (there.isDirectory()) carryMissing(one, other);
  });
}

/** For each name in `from`, with paths to the two folders, which stay what they are when others take their place. */
function inBoth(from: string, to: string, act: (source: string, target: string, name: string) => void): void {
  const folders = [from, to].map((path) => openSync(rawPath(path), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW));
  const [source = from, target = to] = folders.map((fd, at) => opened(fd, at === 0 ? from : to));
  try {
    for (const name of readdirSync(source, "buffer").map(textOf)) act(source, target, name);
  } finally {
    for (const fd of folders) closeSync(fd);
  }
}

function copyFile(from: string, to: string): void {
  const fd = openSync(rawPath(from), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw new Error(`${from} was replaced meanwhile`);
    copyFileSync(opened(fd, rawPath(from)), rawPath(to), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } finally {
    closeSync(fd);
  }
}

/** A path to what is open. macOS has none: there the path may be redirected until it is used. */
const opened = <T extends string | Buffer>(fd: number, path: T) => (process.platform === "linux" ? `/proc/self/fd/${fd}` : path);

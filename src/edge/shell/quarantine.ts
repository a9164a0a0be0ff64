// Moves files that appeared during a command, and could run later or change an agent's rights, out of the tree at once, and back if the
// user allows it.

import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PutAside } from "../../agent/sandbox-port.ts";
import { codeOf } from "../system-error.ts";

/** `folder` belongs to this session and is created on first use, 0700; earlier contents stay. */
export function putAside(path: string, folder: string): PutAside {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const last = Math.max(0, ...readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0));
  const kept = join(folder, `${last + 1}-${basename(path).slice(0, 60)}`);
  try {
    move(path, kept);
  } catch (error) {
    if (!["EACCES", "EPERM"].includes(codeOf(error) ?? "")) throw error;
    // Moving it out requires that its folder is writable, even if the command has removed that right.
    chmodSync(dirname(path), lstatSync(dirname(path)).mode | 0o700);
    move(path, kept);
  }
  return { path, kept };
}

export function putBack({ path, kept }: PutAside): void {
  mkdirSync(dirname(path), { recursive: true });
  move(kept, path);
}

/** If the same path appears several times while a command runs, it is asked about once: the newest version replaces the older ones. */
export function joined(first: PutAside, next: PutAside): PutAside {
  const areFolders = [first, next].every(({ kept }) => lstatSync(kept).isDirectory());
  if (!areFolders) rmSync(first.kept, { recursive: true, force: true });
  if (areFolders) cpSync(next.kept, first.kept, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  if (areFolders) rmSync(next.kept, { recursive: true, force: true });
  return areFolders ? first : next;
}

/** To another file system by copying and removing; links stay links. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    rmSync(from, { recursive: true, force: true });
  }
}

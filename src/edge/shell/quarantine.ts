// What appeared during a command and could run later or set an agent's rights: moved out of the tree at once, and back when a person says so.

import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PutAside } from "../../agent/sandbox-port.ts";
import { codeOf } from "../system-error.ts";

/** `folder` is this session's, made when first needed, 0700; what was kept there before stays. */
export function putAside(path: string, folder: string): PutAside {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const last = Math.max(0, ...readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0));
  const kept = join(folder, `${last + 1}-${basename(path).slice(0, 60)}`);
  try {
    move(path, kept);
  } catch (error) {
    if (!["EACCES", "EPERM"].includes(codeOf(error) ?? "")) throw error;
    // Who takes the right to write away from a folder of ours would keep what is in it.
    chmodSync(dirname(path), lstatSync(dirname(path)).mode | 0o700);
    move(path, kept);
  }
  return { path, kept };
}

export function putBack({ path, kept }: PutAside): void {
  mkdirSync(dirname(path), { recursive: true });
  move(kept, path);
}

/** One path that came up again and again while a command ran is one thing to ask about: what is newer stands in the place of what is older. */
export function joined(first: PutAside, next: PutAside): PutAside {
  const areFolders = [first, next].every(({ kept }) => lstatSync(kept).isDirectory());
  if (!areFolders) rmSync(first.kept, { recursive: true, force: true });
  if (areFolders) cpSync(next.kept, first.kept, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  if (areFolders) rmSync(next.kept, { recursive: true, force: true });
  return areFolders ? first : next;
}

/** To another file system it is a copy and a removal; links stay what they are. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    rmSync(from, { recursive: true, force: true });
  }
}

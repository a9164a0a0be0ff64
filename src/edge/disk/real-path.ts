// Resolves a path to the real one.
import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf, ifPossible } from "../system-error.ts";

/** PATH_MAX of Linux including the zero byte; other systems have less. */
const longestPathBytes = 4096;

/**
 * Like realpath(3), for an absolute path whose end may not exist yet. A dangling link is followed too: writing to it would create its
 * target.
 */
export function realPath(path: string): string {
  if (Buffer.byteLength(path) >= longestPathBytes) throw new Error(`it is longer than the ${longestPathBytes} bytes that a system opens`);
  return real(path, 40);
}

function real(path: string, linksLeft: number): string {
  try {
    return realpathSync.native(path); // the asynchronous version takes twenty times as long, several times per call
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "") || dirname(path) === path) throw error;
  }
  const parent = real(dirname(path), linksLeft);
  const here = join(parent, basename(path));
  const target = targetOf(here);
  if (target === undefined) return here;
  if (linksLeft === 0) throw new Error(`${path} is a ring of links`);
  return real(resolve(parent, target), linksLeft - 1);
}

/** Undefined if it is not a link: most often it does not exist. */
const targetOf = (path: string) => ifPossible(() => readlinkSync(path));

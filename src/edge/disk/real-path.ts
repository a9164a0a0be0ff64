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
    const found = realpathSync.native(path); // the asynchronous version takes twenty times as long, several times per call
    if (found !== path) refuseOfProcess(path, linksLeft);
    return found;
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "") || dirname(path) === path) throw error;
  }
  const parent = real(dirname(path), linksLeft);
  const here = join(parent, basename(path));
  if (ofProcess.test(here)) throw new Error(elsewhere(here));
  const target = targetOf(here);
  if (target === undefined) return here;
  if (linksLeft === 0) throw new Error(`${path} is a ring of links`);
  return real(resolve(parent, target), linksLeft - 1);
}

/** Throws if one of the links on the way is such an entry: the place that it leads to here says nothing about another process. */
function refuseOfProcess(path: string, linksLeft: number): string {
  if (dirname(path) === path) return path;
  const here = join(refuseOfProcess(dirname(path), linksLeft), basename(path));
  if (ofProcess.test(here)) throw new Error(elsewhere(here));
  const target = targetOf(here);
  return target === undefined ? here : refuseOfProcess(resolve(dirname(here), target), linksLeft - 1);
}

/** Entries of proc(5) that lead where the process that opens them, or another one, works or has something open. */
const ofProcess = /^\/proc\/(?:self|thread-self|\d+)\/(?:task\/\d+\/)?(?:cwd|exe|root|(?:fd|map_files|ns)\/[^/]+)$/;

const elsewhere = (path: string) => `${path} leads elsewhere for each process`;

/** Undefined if it is not a link: most often it does not exist. */
const targetOf = (path: string) => ifPossible(() => readlinkSync(path));

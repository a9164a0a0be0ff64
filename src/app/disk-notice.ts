// The notice while the disk refuses writes, and the error if a process ends before it accepts them.

import type { PatientDisk } from "../board/disk.ts";
import { capital } from "../wording/capital.ts";

/** `fault`: the first half of a sentence; undefined when the wait is over. */
export function diskNotice(fault: string | undefined, configDir: string): string {
  if (fault === undefined) return "The disk accepts writes again; continuing.";
  return `${capital(fault)}: waiting until ${configDir} can be written again. Nothing is lost; make room there.`;
}

/** Tries the queued writes a last time. Throws if that fails: then the end of the file at `path` is missing. */
export function flushDisk(disk: PatientDisk, path: string): void {
  disk.hurry();
  const count = disk.unwritten();
  if (count === 0) return;
  const what = count === 1 ? "The last write" : `The last ${count} writes`;
  throw new Error(`${what} of this session failed, because the disk refuses them: ${path} ends before them. Make room there.`);
}

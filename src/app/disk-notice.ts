// The notice while the disk refuses writes, and the error if a process ends before it accepts them.

import type { DiskRefusal, PatientDisk } from "../board/disk.ts";
import { capital } from "../wording/capital.ts";

/** `refusal`: undefined when the wait is over. */
export function diskNotice(refusal: DiskRefusal | undefined, configDir: string): string {
  if (refusal === undefined) return "The disk accepts writes again; continuing.";
  return `${capital(refusal.words)}: waiting until ${configDir} can be written again. Nothing is lost. ${refusal.advice}.`;
}

/** Tries the queued writes a last time. Throws if that fails: then the end of the file at `path` is missing. */
export function flushDisk(disk: Pick<PatientDisk, "hurry" | "unwritten" | "refusal">, path: string): void {
  disk.hurry();
  const count = disk.unwritten();
  if (count === 0) return;
  const { words, advice } = disk.refusal();
  const what = count === 1 ? "The last write" : `The last ${count} writes`;
  throw new Error(`${what} of this session failed, because the disk refuses them (${words}): ${path} ends before them. ${advice}.`);
}

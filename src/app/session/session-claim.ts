// The claim on a session: one process at a time writes its transcript and the records of its agents.
import type { BoardDisk, Lock } from "../../board/disk.ts";

/** The folder beside the transcript that has everything else of the session. */
export const sessionFolderOf = (transcript: string): string => transcript.slice(0, -".jsonl".length);

/** What `lock.holder` tells the holder of. */
export const claimFolder = (transcript: string): string => `${sessionFolderOf(transcript)}/claim`;

/** For the life of this process, unless it is released. A claim that throws, as on a full disk, leaves no folder of a session that never began. */
export function claimSession(
  { disk, lock }: { disk: Pick<BoardDisk, "makeFolder" | "removeEmptyFolder">; lock: Pick<Lock, "claimForLife"> },
  transcript: string,
): ReturnType<Lock["claimForLife"]> {
  const folder = claimFolder(transcript);
  try {
    disk.makeFolder(folder);
    return lock.claimForLife(folder);
  } catch (error) {
    try {
      for (const empty of [folder, sessionFolderOf(transcript)]) disk.removeEmptyFolder(empty);
    } catch {
      // the error before says what is wrong with the disk
    }
    throw error;
  }
}

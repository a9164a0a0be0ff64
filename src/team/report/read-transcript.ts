// A member's transcript as it is on disk now.
import type { TranscriptEvent } from "../../agent/events.ts";
import { parseTranscript, transcriptPath } from "../../agent/session/transcript.ts";
import type { BoardDisk } from "../../board/disk.ts";
import type { TeamRecord } from "../../board/team-record.ts";

/** `record`: of the team, for the folder it works in. */
export type TranscriptPorts = { disk: Pick<BoardDisk, "read">; configDir: string; record: Pick<TeamRecord, "cwd"> };

/** Empty when there is none yet. */
export function readTranscript({ disk, configDir, record }: TranscriptPorts, session: string): TranscriptEvent[] {
  return parseTranscript(disk.read(transcriptPath(configDir, record.cwd, session))?.toString("utf8") ?? "");
}

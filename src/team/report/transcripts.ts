// The teammates' transcripts, followed as they grow.
import type { TranscriptEvent } from "../../agent/events.ts";
import { parseTranscriptLine } from "../../agent/session/transcript.ts";
import type { BoardDisk } from "../../board/disk.ts";
import { followLines } from "../../board/follow-lines.ts";

export type TeammateEvent = { name: string; event: TranscriptEvent };

/** Returns what the given sessions have added to their transcripts since the last call, session by session. */
export function followTranscripts(disk: Pick<BoardDisk, "readFrom">, pathOf: (session: string) => string) {
  const followers = new Map<string, () => string[]>();
  return (members: { name: string; session: string }[]): TeammateEvent[] =>
    members.flatMap(({ name, session }) => {
      const follower = followers.get(session) ?? followLines(disk, pathOf(session));
      followers.set(session, follower);
      return follower().flatMap((line) => parseTranscriptLine(line).map((event) => ({ name, event })));
    });
}

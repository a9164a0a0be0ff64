// What the members of a team, and the agents that they have started, add to the team's outcome, read from their files.
import type { TranscriptEvent } from "../../agent/events.ts";
import { failuresPath, readFailures, withRecorded } from "../../agent/result/failures.ts";
import { endingIncident, type Incident, ownedBy, wholeSession } from "../../agent/result/outcome.ts";
import { transcriptPath } from "../../agent/session/transcript.ts";
import type { Member } from "../../board/team-record.ts";
import { incidentsOf } from "../../subagents/incidents.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import { readRecords } from "../../subagents/record-file.ts";
import { errorText } from "../../wording/error-text.ts";
import { asWished, closedPane } from "../end-reasons.ts";
import type { TranscriptPorts } from "./read-transcript.ts";

/** `isRunning`: its agents may still be at work. `ended`: the end of its process, as the team's record has it. */
export type MemberRun = {
  member: string;
  session: string;
  events: readonly TranscriptEvent[];
  isRunning: boolean;
  ended: Member["ended"];
};

/** Of everything since then: a member's former processes count, a former run of the team does not. */
export function memberIncidents(ports: TranscriptPorts, members: readonly MemberRun[], since: Date): Incident[] {
  return members.flatMap((run) => [...ownIncidents(run, since), ...agentIncidents(ports, run, since)]);
}

/**
 * The last end counts: a teammate that failed may have continued. An interruption is the team's own, or somebody's wish. Where its session says of
 * no failure, its process may: it may have been killed, or never have had a session.
 */
function ownIncidents({ member, events, ended }: MemberRun, since: Date): Incident[] {
  const recent = events.filter((event) => "at" in event && Date.parse(event.at) >= since.getTime());
  const denied = recent.flatMap((event): Incident[] => {
    if (event.type !== "denied") return [];
    const { name: tool, subject, reason, rules } = event;
    return [{ kind: "denied", agent: member, tool, subject, reason, ...(rules && { rules }) }];
  });
  const last = recent.findLast((event) => event.type === "ended");
  const end = last && last.ending.kind !== "aborted" ? endingIncident(last.ending, member) : undefined;
  const ofEnd = end ?? endOfProcess({ member, ended }, since);
  return ofEnd ? [...denied, ofEnd] : denied;
}

function endOfProcess({ member, ended }: Pick<MemberRun, "member" | "ended">, since: Date): Incident | undefined {
  if (!ended || ended.with_team || somebodysWish.has(ended.how) || Date.parse(ended.at) < since.getTime()) return undefined;
  return { kind: "failed", agent: member, item: wholeSession, reason: ended.how };
}

const somebodysWish = new Set([asWished, closedPane]);

/** Its agents at any depth, and the items that it or they have recorded. */
function agentIncidents({ disk, configDir, record }: TranscriptPorts, { member, session, isRunning }: MemberRun, since: Date): Incident[] {
  const transcript = transcriptPath(configDir, record.cwd, session);
  const isRecent = (at: string) => Date.parse(at) >= since.getTime();
  try {
    const agents = readRecords(disk, transcript.slice(0, -".jsonl".length)).filter((agent) => isRecent(lastAt(agent)));
    const counted = isRunning ? agents.filter(({ endedAt }) => endedAt !== undefined) : agents;
    const recorded = readFailures(disk.read(failuresPath(transcript))).filter(({ at }) => isRecent(at));
    return ownedBy(member, withRecorded(counted.flatMap(incidentsOf), recorded), member);
  } catch (error) {
    return [{ kind: "failed", agent: member, item: "its agents", reason: errorText(error) }];
  }
}

const lastAt = ({ endedAt, resumedAt, startedAt }: AgentRecord) => endedAt ?? resumedAt ?? startedAt;

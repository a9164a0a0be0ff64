// What the members of a team, and the agents that they have started, add to the team's outcome, read from their files.
import type { TranscriptEvent } from "../../agent/events.ts";
import { failuresPath, readFailures, withRecorded } from "../../agent/result/failures.ts";
import { endingIncident, type Incident, ownedBy } from "../../agent/result/outcome.ts";
import { transcriptPath } from "../../agent/session/transcript.ts";
import { incidentsOf } from "../../subagents/incidents.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import { readRecords } from "../../subagents/record-file.ts";
import { errorText } from "../../wording/error-text.ts";
import type { TranscriptPorts } from "./read-transcript.ts";

/** `isRunning`: its agents may still be at work. */
export type MemberRun = { member: string; session: string; events: readonly TranscriptEvent[]; isRunning: boolean };

/** Of everything since then: a member's former processes count, a former run of the team does not. */
export function memberIncidents(ports: TranscriptPorts, members: readonly MemberRun[], since: Date): Incident[] {
  return members.flatMap((run) => [...ownIncidents(run, since), ...agentIncidents(ports, run, since)]);
}

/** The last end counts: a teammate that failed may have continued. An interruption is the team's own, or somebody's wish. */
function ownIncidents({ member, events }: MemberRun, since: Date): Incident[] {
  const recent = events.filter((event) => "at" in event && Date.parse(event.at) >= since.getTime());
  const denied = recent.flatMap((event): Incident[] => {
    if (event.type !== "denied") return [];
    const { name: tool, subject, reason, rules } = event;
    return [{ kind: "denied", agent: member, tool, subject, reason, ...(rules && { rules }) }];
  });
  const last = recent.findLast((event) => event.type === "ended");
  const end = last && last.ending.kind !== "aborted" ? endingIncident(last.ending, member) : undefined;
  return end ? [...denied, end] : denied;
}

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

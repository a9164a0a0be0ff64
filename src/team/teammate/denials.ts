// Calls that were refused for lack of a permission, read from the members' transcripts: a team that prints must not end as if all were well.
import type { TranscriptEvent } from "../../agent/events.ts";

export type Denial = {
  member: string;
  tool: string;
  subject: string;
  /** Why, and the rule that would have allowed it. */
  reason: string;
  /** How often the same was refused. */
  times: number;
};

/** In the order of the first refusal, from `since` on; a member's former processes count, a former run of the team does not. */
export function denialsIn(transcripts: { member: string; events: TranscriptEvent[] }[], since: Date): Denial[] {
  const found = transcripts
    .flatMap(({ member, events }) => events.flatMap((event) => (event.type === "denied" ? { member, ...event } : [])))
    .filter(({ at }) => Date.parse(at) >= since.getTime())
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const denials = new Map<string, Denial>();
  for (const { member, name, subject, reason } of found) {
    const key = JSON.stringify([member, name, subject, reason]);
    const times = (denials.get(key)?.times ?? 0) + 1;
    denials.set(key, { member, tool: name, subject, reason, times });
  }
  return [...denials.values()];
}

// The state of one agent as one line, for a model and for lists outside a terminal.

import { allTokens } from "../agent/usage.ts";
import { evidenceWords } from "../wording/evidence.ts";
import { plural } from "../wording/figures.ts";
import { type AgentRecord, stateWords } from "./record.ts";

export function statusText(record: AgentRecord, nowMs: number): string {
  const { id, name, description, state, turns, usage, reason, now, evidence, startedAt, endedAt } = record;
  const tokens = allTokens(usage);
  const seconds = Math.max(0, Math.round(((endedAt === undefined ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt)) / 1000));
  const facts = [
    plural(turns, "turn"),
    `${tokens} tokens`,
    `${seconds} s`,
    ...(now ? [`now: ${now}`] : []),
    ...(evidence ? [evidenceWords(evidence)] : []),
  ];
  const called = name === id ? id : `${id} (${name})`;
  return `${called}: ${stateWords(state)}, ${description}; ${facts.join(", ")}${reason ? `. ${reason}` : ""}`;
}

// Whether a condition in words holds: one request of its own, which sees the results of the agent's calls and answers in one line.
import type { Agent } from "../agent.ts";
import type { AgentEvent, TranscriptEvent } from "../events.ts";
import type { ModelReply } from "../ports/model.ts";
import { askModel } from "../requests/ask-model.ts";
import { buildRequest } from "../requests/request.ts";
import { cutMiddle } from "../result/result-budget.ts";
import { judgeSystem, judgeText } from "./prompt.ts";

type Cost = Pick<Extract<AgentEvent, { type: "goal_checked" }>, "usage" | "costUsd" | "model">;
export type Judged = { holds: boolean; how: string; output: string; cost?: Cost } | undefined;

/** Undefined if the signal aborts. `events`: since the goal was set. An answer that does not begin with MET means that it does not hold. */
export async function judge(
  agent: Agent,
  { condition, events }: { condition: string; events: readonly TranscriptEvent[] },
  signal: AbortSignal,
): Promise<Judged> {
  const text = judgeText({ condition, evidence: evidenceIn(events), said: lastWords(events) });
  const messages = () => [{ role: "user" as const, content: [{ type: "text" as const, text }] }];
  const outcome = await askModel(agent, {
    build: () => buildRequest({ ...agent, system: judgeSystem, schemas: [], history: { messages } }),
    signal,
  });
  if (outcome.kind === "aborted") return undefined;
  if (outcome.kind === "fault") return { holds: false, how: "not judged", output: outcome.fault.reason };
  return { ...verdictIn(outcome), cost: { usage: outcome.usage, costUsd: agent.costUsd(outcome), model: outcome.model } };
}

function verdictIn({ message }: ModelReply): { holds: boolean; how: string; output: string } {
  const answer = message.content
    .flatMap((block) => (block.type === "text" ? block.text : []))
    .join("")
    .trim();
  const [, word = "", why = ""] = /^\W*(NOT MET|MET)\b[\s:.*–-]*(.*)$/s.exec(answer) ?? [];
  if (word === "")
    return {
      holds: false,
      how: "not judged",
      output: `The answer of the judging request began with neither MET nor NOT MET: ${answer.slice(0, longestWhy)}`,
    };
  return { holds: word === "MET", how: word === "MET" ? "met" : "not met", output: why.slice(0, longestWhy) };
}

const longestWhy = 2_000;
/** Of one result, and of all of them: the newest count most, so the oldest are left out first. */
const longestResult = 3_000;
const longestEvidence = 90_000;

function evidenceIn(events: readonly TranscriptEvent[]): string {
  const parts: string[] = [];
  let room = longestEvidence;
  for (const event of events.toReversed()) {
    if (event.type !== "tool_ended") continue;
    const result = [event.detail, event.text].filter(Boolean).join("\n");
    const part = `${event.name} ${event.subject}  [${event.isError ? "failed" : "succeeded"}]\n${cutMiddle(result, { limit: longestResult }).replaceAll(/^/gm, "| ")}`;
    room -= part.length;
    if (room < 0) return ["(earlier calls are left out)", ...parts].join("\n\n");
    parts.unshift(part);
  }
  return parts.join("\n\n");
}

/** What the agent said at the end of its last run. */
export function lastWords(events: readonly TranscriptEvent[]): string {
  const ended = events.findLast(({ type }) => type === "ended");
  return ended?.type === "ended" ? ended.text : "";
}

// The agents that a session has started, as /tasks and `tool tasks` list them.
import { allTokens } from "../../agent/usage.ts";
import { type AgentRecord, isUndecided } from "../../subagents/record.ts";
import { dollars, duration, tokens } from "../../wording/figures.ts";
import { agentRow } from "../agents/agent-row.ts";
import { clamp } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { aligned, cell, figure, headRow, stateCell } from "../table.ts";
import { visibleLine } from "../visible-text.ts";

const widestWhat = 40;

/** One line for each agent, newest last. `resume`: the command that continues an agent that needs the person. */
export function sessionAgentTable(
  records: readonly AgentRecord[],
  style: Style,
  { nowMs, resume }: { nowMs: number; resume: string },
): string {
  const rows = records.map((record) => {
    const row = agentRow(record, { nowMs, all: records });
    const isAsking = record.state === "needs_permission" && !record.decision;
    return [
      cell(record.id),
      cell(clamp(visibleLine(record.name === record.id ? record.definition.name : record.name), 20)),
      cell(clamp(row.what, widestWhat)),
      stateCell(row.state, style),
      figure(String(row.turns)),
      figure(tokens(row.tokens)),
      figure(dollars(row.costUsd)),
      figure(duration(row.elapsedMs)),
      cell(isAsking ? `${row.now}: ${resume} ${record.id}` : row.now),
    ];
  });
  const heads = headRow(["agent", "name", "what", "state", "turns", "tokens", "cost", "elapsed", "now"], style);
  return aligned([heads, ...rows]).join("\n");
}

/** Failed work of agents, and what the person can do about it. */
export function undecidedText(records: readonly AgentRecord[]): string {
  const undecided = records.filter(isUndecided);
  if (undecided.length === 0) return "";
  const lines = undecided.flatMap(({ id, failedCalls = [], reason = "" }) => [
    ...(failedCalls.length > 0 ? failedCalls : [reason.split("\n", 1)[0] ?? ""]).map((line) => `${id}  ${visibleLine(line)}`),
    `        /tasks retry|fix|escalate|giveup ${id}`,
  ]);
  return [...lines, "retry: the agent tries again; fix: this session fixes it; escalate: record it for you; giveup: do nothing more"].join(
    "\n",
  );
}

/** For `--json`. */
export function agentJson(record: AgentRecord, nowMs: number): Record<string, unknown> {
  const { id, name, definition, description, state, reason, background, turns, costUsd, now, transcript } = record;
  const { failedCalls = [], evidence = null, decision = null } = record;
  return {
    agent: id,
    name,
    type: definition.name,
    description,
    state,
    reason: reason ?? null,
    background,
    turns,
    tokens: allTokens(record.usage),
    cost_usd: costUsd,
    elapsed_ms: agentRow(record, { nowMs, all: [] }).elapsedMs,
    now: now ?? null,
    failed_calls: failedCalls,
    evidence,
    decision,
    transcript,
  };
}

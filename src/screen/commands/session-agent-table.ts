// The agents that a session has started, as /tasks and `tool tasks` list them.
import { allTokens } from "../../agent/usage.ts";
import { type AgentRecord, isUndecided } from "../../subagents/record.ts";
import { dollars, duration, tokens } from "../../wording/figures.ts";
import { agentRow } from "../agents/agent-row.ts";
import { clamp } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { columnsFor, figure, fittedTable, stateCell } from "../table.ts";
import { visibleLine } from "../visible-text.ts";

const widestWhat = 40;

/** `columns`: how wide it may be. `resume`: the command that continues an agent that needs the person. */
type TableLook = { nowMs: number; resume: string; columns?: number };

/** One line for each agent, newest last; the last column has what must not be cut, and may be wider. */
export function sessionAgentTable(
  records: readonly AgentRecord[],
  style: Style,
  { nowMs, resume, columns = Number.POSITIVE_INFINITY }: TableLook,
): string {
  const shown = records.map((record) => ({ record, row: agentRow(record, { nowMs, all: records }) }));
  const column = columnsFor(shown);
  const all = [
    column("agent", ({ record }) => record.id),
    column("name", ({ record: { id, name, definition } }) => clamp(visibleLine(name === id ? definition.name : name), 20)),
    column(
      "what",
      ({ row }) => clamp(row.what, widestWhat),
      ({ row }) => clamp(row.what, widestWhat / 2),
    ),
    column("state", ({ row }) => stateCell(row.state, style)),
    column("turns", ({ row }) => figure(String(row.turns))),
    column("tokens", ({ row }) => figure(tokens(row.tokens))),
    column("cost", ({ row }) => figure(dollars(row.costUsd))),
    column("elapsed", ({ row }) => figure(duration(row.elapsedMs))),
    column("now", ({ record, row }) =>
      record.state === "needs_permission" && !record.decision ? `${row.now}: ${resume} ${record.id}` : row.now,
    ),
  ];
  return fittedTable(all, { columns, style, giveWay: columnsGiveWay, last: "whole" }).join("\n");
}

const columnsGiveWay = ["what", "turns", "tokens", "cost", "elapsed", "name", "what"];

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

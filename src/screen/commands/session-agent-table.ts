// The agents that a session has started, as /tasks and `tool tasks` list them.
import { allTokens } from "../../agent/usage.ts";
import { type AgentRecord, type Decision, isUndecided, isUnderWay } from "../../subagents/record.ts";
import { waitsFor } from "../../subagents/workers/worker-rules.ts";
import { evidenceWords } from "../../wording/evidence.ts";
import { dollars, duration, tokens } from "../../wording/figures.ts";
import { doneState } from "../evidence-text.ts";
import { clamp } from "../line-widths.ts";
import type { State, Style } from "../style.ts";
import { aligned, cell, headRow, stateCell } from "../table.ts";
import { visibleLine } from "../visible-text.ts";

const states: Record<AgentRecord["state"], { state: State; words: string }> = {
  pending: { state: "waiting", words: "queued" },
  running: { state: "working", words: "running" },
  needs_permission: { state: "needs_you", words: "needs you" },
  completed: { state: "done", words: "completed" },
  failed: { state: "failed", words: "failed" },
  stopped: { state: "failed", words: "stopped" },
};

function stateOf({ state, evidence, failedCalls = [] }: AgentRecord): { state: State; words: string } {
  return state === "completed" ? { ...states[state], state: doneState({ evidence, failedCommands: failedCalls.length }) } : states[state];
}

const widestWhat = 40;

/** One line for each agent, newest last. `resume`: the command that continues an agent that needs the person. */
export function sessionAgentTable(
  records: readonly AgentRecord[],
  style: Style,
  { nowMs, resume }: { nowMs: number; resume: string },
): string {
  const rows = records.map((record) => {
    return [
      cell(record.id),
      cell(clamp(visibleLine(record.name === record.id ? record.definition.name : record.name), 20)),
      cell(clamp(visibleLine(record.description), widestWhat)),
      stateCell(stateOf(record), style),
      cell(String(record.turns)),
      cell(tokens(allTokens(record.usage))),
      cell(dollars(record.costUsd)),
      cell(duration(elapsedMs(record, nowMs))),
      cell(visibleLine(waitText(record, records) ?? nowText(record, resume))),
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

/** Which workers a queued worker waits for. */
function waitText(record: AgentRecord, records: readonly AgentRecord[]): string | undefined {
  if (record.state !== "pending") return undefined;
  const before = waitsFor(record, records.filter(isUnderWay)).map(({ name }) => name);
  return before.length > 0 ? `waits for ${before.join(", ")}` : undefined;
}

/** What the agent is doing, or how to continue it. */
function nowText(record: AgentRecord, resume: string): string {
  const { state, now = "", id, reason, missing = [], failedCalls = [], evidence, decision } = record;
  if (decision) return decisionWords[decision];
  if (state === "needs_permission") return `${missing.join(" ") || "an answer"}: ${resume} ${id}`;
  if (state === "failed") return `${reason?.split("\n")[0] ?? ""}`;
  if (state === "completed") {
    const failed = failedCalls.length === 1 ? "a command failed" : failedCalls.length > 1 && `${failedCalls.length} commands failed`;
    return [evidence && evidenceWords(evidence), failed].filter(Boolean).join(", ");
  }
  return state === "running" ? now : "";
}

const decisionWords: Record<Decision, string> = {
  fix_here: "what failed is fixed in the session",
  escalated: "what failed is recorded for you",
  given_up: "nothing more is done about what failed",
};

function elapsedMs(record: AgentRecord, nowMs: number): number {
  const end = record.endedAt === undefined || isUnderWay(record) ? nowMs : Date.parse(record.endedAt);
  return Math.max(0, end - Date.parse(record.startedAt));
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
    elapsed_ms: elapsedMs(record, nowMs),
    now: now ?? null,
    failed_calls: failedCalls,
    evidence,
    decision,
    transcript,
  };
}

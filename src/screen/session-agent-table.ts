// The agents that a session has started, as /tasks and `tool tasks` list them.
import { type AgentRecord, isUnderWay } from "../subagents/record.ts";
import { dollars, duration, tokens } from "./figures.ts";
import { clamp } from "./line-widths.ts";
import type { State, Style } from "./style.ts";
import { aligned, cell } from "./table.ts";
import { visibleLine } from "./visible-text.ts";

const states: Record<AgentRecord["state"], { state: State; words: string }> = {
  pending: { state: "waiting", words: "waits for a place" },
  running: { state: "working", words: "running" },
  needs_permission: { state: "needs_you", words: "needs you" },
  completed: { state: "done", words: "completed" },
  failed: { state: "failed", words: "failed" },
  stopped: { state: "failed", words: "stopped" },
};

const widestWhat = 40;

/** A line each, the newest last; below those that need something, what to do. */
export function sessionAgentTable(records: readonly AgentRecord[], style: Style, nowMs: number): string {
  const rows = records.map((record) => {
    const { state, words } = states[record.state];
    return [
      cell(record.id),
      cell(clamp(visibleLine(record.name === record.id ? record.definition.name : record.name), 20)),
      cell(clamp(visibleLine(record.description), widestWhat)),
      cell(`${style.symbol(state)} ${words}`, (text) => style.state(state, text)),
      cell(String(record.turns)),
      cell(tokens(tokensOf(record))),
      cell(dollars(record.costUsd)),
      cell(duration(elapsedMs(record, nowMs))),
      cell(visibleLine(nowText(record))),
    ];
  });
  const heads = ["agent", "name", "what", "state", "turns", "tokens", "cost", "elapsed", "now"].map((text) => cell(text, style.dim));
  return aligned([heads, ...rows]).join("\n");
}

/** What it does, or how to go on with it. */
function nowText({ state, now = "", id, reason, missing = [] }: AgentRecord): string {
  if (state === "needs_permission") return `${missing.join(" ") || "an answer"}: resume with  tool agents resume ${id}`;
  if (state === "failed") return `${reason?.split("\n")[0] ?? ""}`;
  return state === "running" ? now : "";
}

function tokensOf({ usage }: AgentRecord): number {
  return usage.input_tokens + usage.output_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
}

function elapsedMs(record: AgentRecord, nowMs: number): number {
  const end = record.endedAt === undefined || isUnderWay(record) ? nowMs : Date.parse(record.endedAt);
  return Math.max(0, end - Date.parse(record.startedAt));
}

/** For `--json`. */
export function agentJson(record: AgentRecord, nowMs: number): Record<string, unknown> {
  const { id, name, definition, description, state, reason, background, turns, costUsd, now, transcript } = record;
  return {
    agent: id,
    name,
    type: definition.name,
    description,
    state,
    reason: reason ?? null,
    background,
    turns,
    tokens: tokensOf(record),
    cost_usd: costUsd,
    elapsed_ms: elapsedMs(record, nowMs),
    now: now ?? null,
    transcript,
  };
}

// What is shown of an agent, derived in one place from its record or from the event of its end: its row in a session, the line of its end, /tasks
// and `tool tasks`.
import type { AgentEvent } from "../../agent/events.ts";
import { allTokens } from "../../agent/usage.ts";
import { placeOf } from "../../subagents/isolated.ts";
import { type AgentRecord, type Decision, isUnderWay } from "../../subagents/record.ts";
import { waitsFor } from "../../subagents/workers/worker-rules.ts";
import { type Evidence, evidenceWords } from "../../wording/evidence.ts";
import { elapsedTime, plural, tokens } from "../../wording/figures.ts";
import { doneState } from "../evidence-text.ts";
import { clamp, columnsOf, widestText } from "../line-widths.ts";
import type { State, Style } from "../style.ts";
import { visibleLine } from "../visible-text.ts";

export type AgentRow = {
  /** Its name; its id if it was given none. */
  name: string;
  /** Whose colour the name has. */
  accent: string;
  what: string;
  state: { state: State; words: string };
  /** What it does, asks or waits for; once it has ended, what it changed and what its tests showed. */
  now: string;
  turns: number;
  tokens: number;
  costUsd: number | null;
  elapsedMs: number;
};

const states: Record<AgentRecord["state"], AgentRow["state"]> = {
  pending: { state: "waiting", words: "queued" },
  running: { state: "working", words: "running" },
  needs_permission: { state: "needs_you", words: "needs you" },
  completed: { state: "done", words: "completed" },
  failed: { state: "failed", words: "failed" },
  stopped: { state: "failed", words: "stopped" },
};

/** `all`: the records beside it. `now`: what it does, where that is known better than from its record. */
export function agentRow(record: AgentRecord, { nowMs, all, now }: { nowMs: number; all: readonly AgentRecord[]; now?: string }): AgentRow {
  const { failedCalls = [], filesChanged: files, evidence, decision } = record;
  const ended = { ...record, failedCommands: failedCalls.length, files, evidence };
  return {
    name: record.name,
    accent: record.name,
    what: visibleLine([record.description, placeOf(record.isolation)].filter(Boolean).join(", at ")),
    state: stateOf(ended),
    now: visibleLine(
      decision
        ? decisionWords[decision]
        : record.state === "pending"
          ? waitText(record, all)
          : nowText({ ...ended, now: now ?? record.now }),
    ),
    turns: record.turns,
    tokens: allTokens(record.usage),
    costUsd: record.costUsd,
    elapsedMs: elapsedMs(record, nowMs),
  };
}

/** The row of an agent that has ended a run. */
export function endedRow(event: Extract<AgentEvent, { type: "agent_ended" }>): AgentRow {
  const { name, agent, description, state, turns, usage, costUsd, ms } = event;
  return {
    name: visibleLine(name === agent ? agent : `${name} (${agent})`),
    accent: name,
    what: visibleLine(description),
    state: stateOf(event),
    now: state === "completed" ? visibleLine(nowText(event)) : "", // why is said below
    turns,
    tokens: allTokens(usage),
    costUsd,
    elapsedMs: ms,
  };
}

type Ended = {
  state: AgentRecord["state"];
  asks?: string | undefined;
  evidence?: Evidence | undefined;
  failedCommands?: number | undefined;
  files?: number | undefined;
};

const asking: AgentRow["state"] = { state: "needs_you", words: "asks you" };

function stateOf({ state, asks, evidence, failedCommands }: Ended): AgentRow["state"] {
  if (state === "running" && asks !== undefined) return asking;
  return state === "completed" ? { ...states[state], state: doneState({ evidence, failedCommands }) } : states[state];
}

function nowText(ended: Ended & { now?: string | undefined; reason?: string | undefined; missing?: string[] | undefined }): string {
  const { state, asks, now = "", reason = "", missing = [], evidence, files = 0, failedCommands = 0 } = ended;
  switch (state) {
    case "pending":
    case "running":
      return asks === undefined ? now : `asks: ${asks}`;
    case "needs_permission":
      return `asks: ${missing.map((rule) => /^Bash\((.*)\)$/.exec(rule)?.[1] ?? rule).join(" ") || askedIn(reason)}`;
    case "failed":
    case "stopped":
      return reason.split("\n", 1)[0] ?? "";
    case "completed":
      return [
        files > 0 && plural(files, "file"),
        failedCommands > 0 && `${plural(failedCommands, "command")} failed`,
        evidence && (evidence.kind !== "none" || files > 0) && evidenceWords(evidence), // who only looked had nothing to test
      ]
        .filter(Boolean)
        .join(", ");
  }
}

/** What is missing, without the words for the model. */
const askedIn = (reason: string) => (reason.split("\n", 1)[0] ?? "").replace(/(?<=^\w+: )Permission is missing[^:]*: /, "");

/** Which workers a queued worker waits for. */
function waitText(record: AgentRecord, all: readonly AgentRecord[]): string {
  const before = waitsFor(record, all.filter(isUnderWay)).map(({ name }) => name);
  return before.length > 0 ? `waits for ${before.join(", ")}` : "waits for its turn";
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

const widest = { name: 20, what: 26 };
/** With fewer columns for what an agent does, others are left out first: its work, then its figures but for the time. */
const leastNow = 18;
const figureGap = "  ";

/**
 * One line for each agent, with aligned columns. `hint`: what the person can do about an agent that needs them.
 */
export function rowLines(rows: readonly AgentRow[], { style, width, hint = "" }: { style: Style; width: number; hint?: string }): string[] {
  const names = columnOf(rows.map(({ name }) => clamp(name, widest.name)));
  const whats = columnOf(rows.map(({ what }) => clamp(what, widest.what)));
  const figures = rows.map(({ turns, tokens: count }) => [plural(turns, "turn"), tokens(count)]);
  const [turns, counts] = [0, 1].map((at) =>
    columnOf(
      figures.map((each) => each[at] ?? ""),
      "right",
    ),
  );
  const times = columnOf(
    rows.map((row) => elapsedTime(row.elapsedMs)),
    "right",
  );
  const all = rows.map((_, row) => [turns?.[row], counts?.[row], times[row]].join(figureGap));
  const room = Math.min(width, widestText) - 2;
  const forms = [
    { heads: rows.map((_, row) => `${names[row]}  ${whats[row]}`), ends: all },
    { heads: names, ends: all },
    { heads: names, ends: times },
  ].map(({ heads, ends }) => ({ heads, ends, left: room - columnsOf(heads[0] ?? "") - columnsOf(ends[0] ?? "") - 6 }));
  const form = forms.find(({ left }) => left >= leastNow) ?? forms.at(-1);
  if (!form) return [];
  return rows.map(({ state, now, accent }, row) => {
    const needs = state.state === "needs_you" && hint !== "" && state.words === states.needs_permission.words;
    const end = needs ? hint : (form.ends[row] ?? "");
    const left = Math.max(1, form.left + columnsOf(form.ends[row] ?? "") - columnsOf(end));
    const words = clamp(now || state.words, left);
    const shown = state.state === "working" ? words : style.state(state.state, words);
    const head = form.heads[row] ?? "";
    const gap = " ".repeat(Math.max(0, left - columnsOf(words)));
    const last = needs ? style.state("needs_you", end) : style.dim(end);
    return clamp(`  ${style.member(accent, head)}  ${style.state(state.state, style.symbol(state.state))} ${shown}${gap}  ${last}`, width);
  });
}

function columnOf(texts: string[], side: "left" | "right" = "left"): string[] {
  const width = Math.max(0, ...texts.map(columnsOf));
  return texts.map((text) => {
    const blanks = " ".repeat(width - columnsOf(text));
    return side === "left" ? text + blanks : blanks + text;
  });
}

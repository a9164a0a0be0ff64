// The result of one run of a session, gathered from its events: the last line of `--output-format stream-json`, and all of `json`.
import { plural } from "../wording/figures.ts";
import type { AgentEvent, Ending } from "./events.ts";
import type { Usage } from "./model.ts";
import type { Totals } from "./session.ts";

export type RunResult = {
  type: "result";
  session_id: string;
  /** Why it ended. `denied`: the agent said that it was done, and a permission had been missing on the way. */
  ending: Ending["kind"] | "denied";
  /** One sentence, when it did not end well. */
  reason?: string;
  /** The agent's last text. */
  result: string;
  model: string;
  /** Requests that were answered. */
  turns: number;
  duration_ms: number;
  /** Of that: waiting for the provider, and running tool calls; those that run side by side count each. */
  api_ms: number;
  tool_ms: number;
  usage: Usage;
  /** US dollars; null when a price is not known. */
  cost_usd: number | null;
  permission_denials: { tool: string; subject: string; reason: string; rules?: string[] }[];
  /** Items that agents recorded as failed, and continued with the others. */
  failures: { item: string; error: string; agent: string }[];
  exit_code: 0 | 1 | 3 | 4 | 130;
};

/** `spent`: what the session and its agents have used in this run (`spentSince`). */
export type RunEnd = {
  session: string;
  model: string;
  durationMs: number;
  spent: Pick<Totals, "usage" | "costUsd">;
  failures?: readonly RunResult["failures"][number][];
};

export interface Run {
  follow(event: AgentEvent): void;
  /** It cannot continue for a reason without an event, such as a failing disk. */
  fail(reason: string): void;
  result(end: RunEnd): RunResult;
}

export function createRun(): Run {
  let ending: Ending = { kind: "aborted" };
  let text = "";
  const gathered = { turns: 0, api_ms: 0, tool_ms: 0 };
  const denials: RunResult["permission_denials"] = [];
  return {
    follow(event) {
      if (event.type === "reply") gathered.turns++;
      if (event.type === "reply" || event.type === "compacted") gathered.api_ms += event.ms;
      else if (event.type === "tool_ended") gathered.tool_ms += event.ms;
      else if (event.type === "denied") {
        const { name: tool, subject, reason, rules } = event;
        denials.push({ tool, subject, reason, ...(rules && { rules }) });
      } else if (event.type === "ended") {
        ending = event.ending;
        text = event.text;
      }
    },
    fail(reason) {
      ending = { kind: "fault", reason };
    },
    result: ({ session, model, durationMs, spent: { usage, costUsd }, failures = [] }) => ({
      type: "result",
      session_id: session,
      ...outcomeOf(ending, denials.length),
      result: text,
      model,
      ...gathered,
      duration_ms: durationMs,
      usage,
      cost_usd: costUsd,
      permission_denials: denials,
      failures: failures.map(({ item, error, agent }) => ({ item, error, agent })),
    }),
  };
}

type Outcome = Pick<RunResult, "ending" | "reason" | "exit_code">;

/** A denied permission is never a silent success. */
function outcomeOf(ending: Ending, denials: number): Outcome {
  const { kind } = ending;
  switch (kind) {
    case "done":
      return denials === 0 ? { ending: kind, exit_code: 0 } : { ending: "denied", reason: deniedReason(denials), exit_code: 3 };
    case "max_turns":
      return { ending: kind, reason: `The limit of ${plural(ending.limit, "turn")} was reached.`, exit_code: 4 };
    case "budget":
      return { ending: kind, reason: `$${ending.spentUsd.toFixed(4)} of the budget of $${ending.limitUsd} is spent.`, exit_code: 4 };
    case "aborted":
      return { ending: kind, reason: "Interrupted.", exit_code: 130 };
    case "fault":
    case "repeats_itself":
    case "stopped_by_hook":
      return { ending: kind, reason: ending.reason, exit_code: 1 };
  }
}

export function deniedReason(count: number): string {
  return `${count} tool call${count > 1 ? "s were" : " was"} denied, so this may not be all that was asked for.`;
}

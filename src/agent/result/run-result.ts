// The result of one run of a session, gathered from its events: the last line of `--output-format stream-json`, and all of `json`.

import type { HandsFacts } from "../../places/hands-facts.ts";
import type { AgentEvent } from "../events.ts";
import { conditionText, type GoalCheck, type GoalEnding } from "../goal/goal.ts";
import type { Usage } from "../ports/model.ts";
import type { Totals } from "../session/session.ts";
import { endingIncident, type Incident, outcomeOfRun, type ReportedIncidents, type RunOutcome, reported } from "./outcome.ts";

/** `ending`: why it ended, by what weighs most of all that happened in it. */
export type RunResult = RunOutcome & {
  type: "result";
  /** Its exit code is 0. */
  ok: boolean;
  session_id: string;
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
  /** The goal that the run worked on, once it has ended. */
  goal?: GoalResult;
  /** Where its hands were, if they were at a place. */
  hands?: HandsFacts;
} & ReportedIncidents;

/** `turns` and `cost_usd`: since the goal was set, which may have been in an earlier run. */
export type GoalResult = { condition: string; reached: boolean; checks: GoalCheck[]; turns: number; cost_usd: number | null };

/** `spent`: what the session and its agents have used in this run (`spentSince`). `others`: the incidents of everything else that ran in it. */
export type RunEnd = {
  session: string;
  model: string;
  durationMs: number;
  spent: Pick<Totals, "usage" | "costUsd">;
  others: readonly Incident[];
  hands?: HandsFacts | undefined;
};

export interface Run {
  follow(event: AgentEvent): void;
  /** It cannot continue for a reason without an event, such as a failing disk. */
  fail(reason: string): void;
  /** Somebody wants it to end, whatever it has done by then. */
  interrupt(): void;
  /** Those of the agent itself so far. */
  incidents(): Incident[];
  result(end: RunEnd): RunResult;
}

/** `agent`: the name of the session's own agent. */
export function createRun(agent: string): Run {
  let ending: GoalEnding = { kind: "aborted" };
  let goal: GoalResult | undefined;
  let isInterrupted = false;
  let text = "";
  const gathered = { turns: 0, api_ms: 0, tool_ms: 0 };
  const denials: Incident[] = [];
  const incidents = () => {
    const end = endingIncident(isInterrupted ? { kind: "aborted" } : ending, agent);
    return end ? [...denials, end] : denials;
  };
  return {
    follow(event) {
      if (event.type === "reply") gathered.turns++;
      if (event.type === "reply" || event.type === "compacted") gathered.api_ms += event.ms;
      else if (event.type === "tool_ended") gathered.tool_ms += event.ms;
      else if (event.type === "denied") {
        const { name: tool, subject, reason, rules } = event;
        denials.push({ kind: "denied", agent, tool, subject, reason, ...(rules && { rules }) });
      } else if (event.type === "ended") {
        ending = event.ending;
        text = event.text;
      } else if (event.type === "goal_ended") {
        ending = event.ending;
        goal = goalResult(event);
      }
    },
    fail(reason) {
      ending = { kind: "fault", reason };
    },
    interrupt() {
      isInterrupted = true;
    },
    incidents,
    result({ session, model, durationMs, spent: { usage, costUsd }, others, hands }) {
      const all = [...incidents(), ...others];
      const outcome = outcomeOfRun(all, agent);
      return {
        type: "result",
        ok: outcome.exit_code === 0,
        session_id: session,
        ...outcome,
        result: text,
        model,
        ...gathered,
        duration_ms: durationMs,
        usage,
        cost_usd: costUsd,
        ...(goal && { goal }),
        ...(hands && { hands }),
        ...reported(all),
      };
    },
  };
}

function goalResult({ condition, ending, checks, turns, costUsd }: Extract<AgentEvent, { type: "goal_ended" }>): GoalResult {
  return { condition: conditionText(condition), reached: ending.kind === "done", checks, turns, cost_usd: costUsd };
}

// A session's pursuit of a goal: between two runs of turns it looks at the condition and does what next.ts decides. The runner of the turns asks it.
import type { Agent } from "../agent.ts";
import type { Ending, Input, TranscriptEvent } from "../events.ts";
import type { Session } from "../session/session.ts";
import { spentSince } from "../session/session.ts";
import { isKept } from "../session/transcript.ts";
import { type Goal, type GoalCondition, type GoalEnding, goalIn, withGoalEvent } from "./goal.ts";
import { judge, lastWords } from "./judge.ts";
import { afterCheck, afterRun } from "./next.ts";
import { goalText, goOnText, notYetText } from "./prompt.ts";

export type GoalPorts = {
  session: Pick<Session, "agent" | "say" | "listen" | "totals">;
  /** The events so far, those of earlier processes included. */
  events(): TranscriptEvent[];
  /** Runs the person's command as they typed it, confined as the agent's are. `ending`: empty after exit 0. */
  run(command: string, signal: AbortSignal): Promise<{ output: string; ending: string }>;
  /** Files of the working directory that were changed after this moment. */
  changedSince(at: string): Promise<string[]>;
};

export interface Pursuit {
  /** Replaces a goal that stands. `first`: look at the condition before any work, where that needs no request. */
  set(condition: GoalCondition, options: { maxTurns: number | undefined; first: boolean }): void;
  /** Ends it for the person; false if there is none. */
  off(): boolean;
  now(): Goal | undefined;
  /** Tells it that a run of turns has ended. `isLeaving`: because the session ends. */
  ranTurns(ending: Ending, isLeaving: boolean): void;
  /** There is something to do before the next run. */
  waits(): boolean;
  /** Does it: the goal ends, or the session has new input. An abort ends the goal, unless the session is `leaving`: then it stands. */
  make(signal: AbortSignal, leaving: AbortSignal): Promise<void>;
}

/** Without `--max-turns`. */
const defaultMaxTurns = 200;

export function createPursuit({ session, events, run, changedSince }: GoalPorts): Pursuit {
  const { agent } = session;
  const { limits } = agent;
  let goal = goalIn(events());
  let due: { ending: Ending } | undefined;
  session.listen((event) => {
    if (isKept(event)) goal = withGoalEvent(goal, event);
  });
  const begin = (text: string, kind: GoalCondition["kind"], first: boolean) => {
    if (first && kind === "command") due = { ending: { kind: "done" } };
    else session.say(harness(text));
    limitTurns(agent, goal);
  };
  const end = (ending: GoalEnding) => {
    due = undefined;
    agent.limits = limits;
    if (!goal) return;
    const { condition, checks, turns, spentUsd } = goal;
    const { usage, turns: _turns, costUsd } = session.totals();
    const cost = spentSince({ usage, turns: 0, costUsd: spentUsd }, { usage, turns: 0, costUsd }).costUsd;
    agent.emit({ type: "goal_ended", condition, ending, checks, turns, costUsd: cost, at: at(agent) });
  };
  const look = async ({ condition, setAt, lookedAt }: Goal, signal: AbortSignal) => {
    const started = agent.clock.monotonicMs();
    const since = events().filter((event) => "at" in event && event.at >= setAt);
    const files = [...new Set([...touchedAfter(since, lookedAt), ...(await changedSince(lookedAt))])];
    const seen =
      condition.kind === "command"
        ? await ranCommand(run, condition.command, signal)
        : await judge(agent, { condition: condition.text, events: since }, signal);
    if (!seen || signal.aborted) return false;
    const { cost, ...check } = seen;
    const said = firstLine(lastWords(since));
    agent.emit({ type: "goal_checked", ...check, files, said, ms: agent.clock.monotonicMs() - started, ...cost, at: at(agent) });
    return true;
  };
  if (goal) begin(goOnText(goal.condition), goal.condition.kind, true);
  return {
    set(condition, { maxTurns = defaultMaxTurns, first }) {
      if (goal) end({ kind: "aborted" });
      agent.emit({ type: "goal_set", condition, maxTurns, spentUsd: session.totals().costUsd, at: at(agent) });
      begin(goalText(condition), condition.kind, first);
    },
    off() {
      const stood = goal !== undefined;
      end({ kind: "aborted" });
      return stood;
    },
    now: () => goal,
    ranTurns(ending, isLeaving) {
      const next = goal && afterRun(goal, ending, isLeaving);
      if (next?.kind === "end") end(next.ending);
      else due = next?.kind === "check" ? { ending } : undefined;
    },
    waits: () => due !== undefined,
    async make(signal, leaving) {
      if (!goal || !due) return;
      const { ending } = due;
      due = undefined;
      const isFirst = goal.turns === 0;
      if (!(await look(goal, signal))) return leaving.aborted ? undefined : end({ kind: "aborted" });
      const next = afterCheck(goal, ending);
      if (next.kind === "end") return end(next.ending);
      const first = isFirst ? `${goalText(goal.condition)}\n\n` : "";
      session.say(harness(`${first}${notYetText(goal)}`));
      limitTurns(agent, goal);
    },
  };
}

const harness = (text: string): Input => ({ source: { kind: "harness" }, text, shown: "" });

/** The limit of one run of turns is what is left of the goal's. */
function limitTurns(agent: Agent, goal: Goal | undefined): void {
  if (goal) agent.limits = { ...agent.limits, maxTurns: Math.max(1, goal.maxTurns - goal.turns) };
}

async function ranCommand(run: GoalPorts["run"], command: string, signal: AbortSignal) {
  const { output, ending } = await run(command, signal);
  return { holds: ending === "", how: ending || "exit 0", output: lastLines(output), cost: undefined };
}

const mostLines = 60;
const mostCharacters = 6_000;

function lastLines(output: string): string {
  const lines = output.trimEnd().split("\n").slice(-mostLines).join("\n");
  return lines.slice(-mostCharacters).toWellFormed();
}

function touchedAfter(events: readonly TranscriptEvent[], moment: string): string[] {
  return events.flatMap((event) => (event.type === "tool_ended" && event.at > moment ? event.touched : []));
}

const firstLine = (text: string) => text.trim().split("\n", 1)[0] ?? "";

const at = (agent: Agent) => agent.clock.now().toISOString();

// A goal: a condition until which the session works on, turn after turn. Its state is read from the transcript, so that a restarted session has it.
import type { Ending, TranscriptEvent } from "../events.ts";

/** `command`: it holds when the harness has run the command and it exits with 0. `text`: it holds when a separate request finds it shown. */
export type GoalCondition = { kind: "command"; command: string } | { kind: "text"; text: string };

export type GoalEnding = Ending | { kind: "not_reached"; reason: string };

/** One look at the condition. `how`: how it came out, in a few words. `files`: changed since the look before. `said`: by the agent, its first line. */
export type GoalCheck = { holds: boolean; how: string; files: string[]; said: string };

/** A goal that has not ended. `turns`: since it was set. `alike`: how many of the last looks came out the same, with no file changed between them. */
export type Goal = {
  condition: GoalCondition;
  maxTurns: number;
  /** What the session had cost when the goal was set, in dollars; null when a price is not known. */
  spentUsd: number | null;
  turns: number;
  checks: GoalCheck[];
  alike: number;
  /** What the last look printed. */
  output: string;
  setAt: string;
  /** The moment of the last look, or of the setting. */
  lookedAt: string;
};

/** The goal that stands at the end of these events. */
export function goalIn(events: readonly TranscriptEvent[]): Goal | undefined {
  let goal: Goal | undefined;
  for (const event of events) goal = withGoalEvent(goal, event);
  return goal;
}

export function withGoalEvent(goal: Goal | undefined, event: TranscriptEvent): Goal | undefined {
  if (event.type === "goal_set") {
    const { condition, maxTurns, spentUsd, at } = event;
    return { condition, maxTurns, spentUsd, turns: 0, checks: [], alike: 0, output: "", setAt: at, lookedAt: at };
  }
  if (!goal || event.type === "goal_ended") return undefined;
  if (event.type === "reply") return { ...goal, turns: goal.turns + 1 };
  if (event.type !== "goal_checked") return goal;
  const { holds, how, files, said, output } = event;
  const last = goal.checks.at(-1);
  // What a judging request says is missing has other words each time.
  const isSame = goal.condition.kind === "text" || timeless(output) === timeless(goal.output);
  const isAlike = last?.how === how && files.length === 0 && isSame;
  return {
    ...goal,
    checks: [...goal.checks, { holds, how, files, said }],
    alike: isAlike ? goal.alike + 1 : 1,
    output,
    lookedAt: event.at,
  };
}

/** Test programs print when they ran and how long they took. */
function timeless(output: string): string {
  return output
    .replaceAll(/\d+(?:[.,]\d+)?\s?(?:ms|s|sec|seconds|m|min|minutes)\b/g, "(time)")
    .replaceAll(/\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?/g, "(time)")
    .replaceAll(/\bduration_ms \d+(?:\.\d+)?/g, "(time)");
}

/** As a person would type it. */
export const conditionText = (condition: GoalCondition) => (condition.kind === "command" ? condition.command : condition.text);

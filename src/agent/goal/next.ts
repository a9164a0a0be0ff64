// What comes next for a goal: a pure decision, once when a run of turns has ended, and once when the condition has been looked at.
import type { Ending } from "../events.ts";
import type { Goal, GoalCondition, GoalEnding } from "./goal.ts";

export type AfterRun =
  | { kind: "check" }
  | { kind: "end"; ending: GoalEnding }
  /** Nothing can be done now: the goal stands, and a typed line or a resumed session goes on with it. */
  | { kind: "stand" };

/** By how the run ended. A limit leaves a command one last look, which costs nothing; a look at a text would be another request. */
const afterRuns: Record<Ending["kind"], Record<GoalCondition["kind"], "check" | "end" | "stand">> = {
  done: { command: "check", text: "check" },
  max_turns: { command: "check", text: "check" },
  budget: { command: "check", text: "end" },
  aborted: { command: "end", text: "end" },
  repeats_itself: { command: "check", text: "end" },
  stopped_by_hook: { command: "end", text: "end" },
  fault: { command: "stand", text: "stand" },
};

/** `isLeaving`: the session itself ends, and the goal is there when it is resumed. */
export function afterRun(goal: Goal, ending: Ending, isLeaving = false): AfterRun {
  if (ending.kind === "aborted" && isLeaving) return { kind: "stand" };
  const kind = afterRuns[ending.kind][goal.condition.kind];
  return kind === "end" ? { kind, ending: endingOf(goal, ending) } : { kind };
}

export type AfterCheck = { kind: "continue" } | { kind: "end"; ending: GoalEnding };

/** So many looks that came out the same, without a changed file between them, are no progress. */
export const mostAlike = 3;

/** `goal`: with the look. `ending`: of the run before it. */
export function afterCheck(goal: Goal, ending: Ending): AfterCheck {
  const last = goal.checks.at(-1);
  if (last?.holds) return { kind: "end", ending: { kind: "done" } };
  if (ending.kind !== "done" && ending.kind !== "max_turns") return { kind: "end", ending };
  if (goal.turns >= goal.maxTurns) return { kind: "end", ending: { kind: "max_turns", limit: goal.maxTurns } };
  if (goal.alike >= mostAlike)
    return {
      kind: "end",
      ending: {
        kind: "not_reached",
        reason: `No progress: ${mostAlike} checks in a row came out the same (${last?.how}), and no file changed between them.`,
      },
    };
  return { kind: "continue" };
}

function endingOf(goal: Goal, ending: Ending): GoalEnding {
  return ending.kind === "max_turns" ? { kind: "max_turns", limit: goal.maxTurns } : ending;
}

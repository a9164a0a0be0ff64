// The goal of a session on a screen: the command /goal, and when a look at the condition is due.

import type { Ending } from "../../../agent/events.ts";
import type { GoalCondition } from "../../../agent/goal/goal.ts";
import type { Pursuit } from "../../../agent/goal/pursuit.ts";
import type { Ended } from "../../../agent/loop.ts";
import type { BoardDisk } from "../../../board/disk.ts";
import { goalName, goalStatus } from "../../../screen/events/goal-lines.ts";
import { plural } from "../../../wording/figures.ts";
import type { Solo } from "../open-session.ts";
import { commandGoal, sessionGoal } from "../session-goal.ts";
import type { Attended } from "./attended.ts";

export type GoalOnScreen = Pick<Pursuit, "make"> & {
  /** What is typed after /goal. */
  command(words: string): void;
  /** The goal of --until, or else one that the session had before. `isAlone`: no prompt comes with it, so that the command runs first. */
  begin(command: string | undefined, options: { isAlone: boolean }): void;
  /** For the status line; empty without a goal. */
  status(): string;
  /** Not while agents of the session work in the background: their reports bring another run. */
  waits(): boolean;
  /** Returns how the run ended. */
  ranTurns(ended: Ended, leaving: AbortSignal): Ending["kind"];
};

const usage = "/goal !npm test works on until the command succeeds, /goal <condition> until it is shown to hold, /goal off ends it.";

export function goalOnScreen({ world, pane, style, wake, flags }: Attended, solo: Solo, disk: BoardDisk): GoalOnScreen {
  const pursuit = sessionGoal(world, solo, { disk, showCommand: (command) => pane.showRunning(command) });
  const set = (condition: GoalCondition, first: boolean) => {
    pursuit.set(condition, { maxTurns: flags.maxTurns, first });
    wake.notify();
  };
  return {
    make: pursuit.make,
    command(words) {
      const typed = words.trim();
      if (typed === "") return pane.print(stateText(pursuit), 2);
      if (typed === "off") return pursuit.off() ? pane.interruptTurn() : pane.print(`There is no goal. ${usage}`, 2);
      if (typed === "!") return pane.warn(usage);
      set(typed.startsWith("!") ? { kind: "command", command: typed.slice(1).trim() } : { kind: "text", text: typed }, true);
    },
    begin(command, { isAlone }) {
      const goal = pursuit.now();
      if (command !== undefined) set(commandGoal(command), isAlone);
      else if (goal) pane.print(style.dim(`  The work on the goal goes on; Esc or /goal off ends it. ${goalName(goal.condition)}.`), 2);
    },
    status() {
      const goal = pursuit.now();
      return goal ? goalStatus(goal, style) : "";
    },
    waits: () => pursuit.waits() && !solo.agents.host.isAtWork(undefined),
    ranTurns({ ending }, leaving) {
      pursuit.ranTurns(ending, leaving.aborted);
      return ending.kind;
    },
  };
}

function stateText(pursuit: Pursuit): string {
  const goal = pursuit.now();
  if (!goal) return `There is no goal. ${usage}`;
  const { checks, turns, maxTurns, condition } = goal;
  const last = checks.at(-1);
  const looked = last ? `${plural(checks.length, "check")}, the last one: ${last.how}` : "not checked yet";
  return `${goalName(condition)}. ${looked}. ${turns} of ${plural(maxTurns, "turn")} used. /goal off ends it.`;
}

// The goal of a session: how its command is run, and how a session without a screen works until it ends.
import type { GoalCondition } from "../../agent/goal/goal.ts";
import { createPursuit, type Pursuit } from "../../agent/goal/pursuit.ts";
import { personsCommand } from "../../agent/persons-command.ts";
import type { BoardDisk } from "../../board/disk.ts";
import { runToRest } from "../../subagents/run-to-rest.ts";
import { changedMeanwhile } from "../../team/resume/changed-meanwhile.ts";
import { UsageError, type World } from "../world.ts";
import type { Solo } from "./open-session.ts";

/** `onOutput`: shows what the command prints, until the returned function is called. */
export type GoalView = { disk: BoardDisk; showCommand?: (command: string) => { write(text: string): void; end(): void } };

export function sessionGoal({ cwd }: World, { session, events, work }: Solo, { disk, showCommand }: GoalView): Pursuit {
  return createPursuit({
    session,
    events,
    async run(command, signal) {
      const shown = showCommand?.(command);
      try {
        const { output, ending } = await personsCommand(work.harnessShell, command, { signal, ...(shown && { onOutput: shown.write }) });
        return { output: await work.redacted(output), ending };
      } finally {
        shown?.end();
      }
    },
    async changedSince(since) {
      const changed = await changedMeanwhile({ disk, paths: work.paths }, { cwd, since, own: [] });
      return changed ? [...changed.files, ...changed.git] : [];
    },
  });
}

/** Throws UsageError for a blank command. */
export function commandGoal(typed: string): GoalCondition {
  const command = typed.trim();
  if (command === "") throw new UsageError("--until needs a command, such as --until 'npm test'.");
  return { kind: "command", command };
}

/** Resolves when nothing is left to do and the goal, if there is one, has ended or stands without anything that could be done for it. */
export async function runToGoal(
  { session, agents: { host } }: Pick<Solo, "session" | "agents">,
  goal: Pursuit,
  ending: AbortSignal,
): Promise<void> {
  while (!ending.aborted && (session.inputWaits() || goal.waits())) {
    if (goal.waits() && !session.inputWaits()) await goal.make(ending, ending);
    else goal.ranTurns((await runToRest(session.agent, { host, signal: ending })).ending, ending.aborted);
  }
}

// What a member's work on each task cost, read from its transcript.
import type { TranscriptEvent } from "../../agent/events.ts";
import { allTokens } from "../../agent/usage.ts";
import type { TaskId } from "../../board/tasks/task.ts";
import { createWorksOn } from "./touched.ts";

/** `task` is null for what it did beside its tasks. `costUsd` is null if a price is not known. */
export type Spent = { task: TaskId | null; tokens: number; costUsd: number | null };

/** One for each task that it worked on, in the order of the first request. */
export function spendingOf(events: Iterable<TranscriptEvent>): Spent[] {
  const spent = new Map<TaskId | null, Spent>();
  const worksOn = createWorksOn();
  for (const event of events) {
    worksOn.apply(event);
    if (!("usage" in event) || event.usage === undefined) continue;
    const task = worksOn.task() ?? null;
    const before = spent.get(task) ?? { task, tokens: 0, costUsd: 0 };
    const { costUsd = 0 } = event;
    spent.set(task, {
      task,
      tokens: before.tokens + allTokens(event.usage),
      costUsd: before.costUsd === null || costUsd === null ? null : before.costUsd + costUsd,
    });
  }
  return [...spent.values()];
}

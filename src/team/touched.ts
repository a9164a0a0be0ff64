// Which files a member wrote while it held which task, read from its transcript: what the lead is told when the member is gone.
import type { AgentEvent } from "../agent/events.ts";
import type { TaskId } from "../board/task.ts";

export interface Touched {
  apply(event: AgentEvent): void;
  /** Paths relative to the working directory, in the order of the first write. */
  of(task: TaskId): string[];
}

export function createTouched(events: Iterable<AgentEvent> = []): Touched {
  const files = new Map<TaskId, Set<string>>();
  let current: TaskId | undefined;
  const touched: Touched = {
    apply(event) {
      if (event.type === "input") {
        for (const { source } of event.inputs) if (source.kind === "task") current = source.task;
      } else if (event.type === "tool_ended" && current && event.touched.length > 0) {
        files.set(current, new Set([...(files.get(current) ?? []), ...event.touched]));
      }
    },
    of: (task) => [...(files.get(task) ?? [])],
  };
  for (const event of events) touched.apply(event);
  return touched;
}

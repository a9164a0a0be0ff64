// Whether a team's lead had told its model that all tasks are completed, before it was resumed: its merged work is tested before that.
import type { TranscriptEvent } from "../../agent/events.ts";
import type { Task } from "../../board/tasks/task.ts";
import { allCompletedInput } from "../prompt.ts";

/** `events`: the lead's transcript. `tasks`: all completed; false if the list has changed since. */
export function completionTold(events: TranscriptEvent[], tasks: Task[]): boolean {
  const told = allCompletedInput(tasks);
  return events.some((event) => event.type === "input" && event.inputs.some(({ text }) => text.startsWith(told)));
}

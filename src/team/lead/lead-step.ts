// What the lead does between its runs of turns, decided from the list and the mailboxes and nothing else.
import type { Task } from "../../board/tasks/task.ts";
import { allCompletedInput, stalledInput } from "../prompt.ts";

export type LeadView = {
  /** A typed line, a message that asks for a turn, or a notice of the supervisor is waiting. */
  inputWaits: boolean;
  tasks: Task[];
  revision: number;
  /** Revision at which the end of the list was last told to the lead's model; -1 when never. */
  completedToldAt: number;
  stalledToldAt: number;
  /** Why the team is stuck; empty while it is not. */
  stalled: string[];
  /** Some teammate works, starts, or has unread mail. */
  busy: boolean;
  /** The session ends by itself when its work is done: --print and the demo. */
  endWhenDone: boolean;
  /** The last run of turns failed, so asking again would only cost tokens. */
  failed: boolean;
  /** The provider did not answer the last run of turns: whether the time to ask again has come. */
  retry: "none" | "waits" | "due";
  /** The team has waited for its provider for longer than it may. */
  waitedTooLong: boolean;
};

export type LeadStep =
  | { kind: "turn" }
  | { kind: "tell_completed" | "tell_stalled"; text: string }
  | { kind: "end"; how: "completed" | "nothing_to_do" | "stalled" | "failed" }
  | { kind: "wait" };

export function leadStep(view: LeadView): LeadStep {
  if (view.failed && view.endWhenDone) return { kind: "end", how: "failed" };
  if (view.waitedTooLong) return { kind: "end", how: "stalled" };
  if (view.inputWaits || view.retry === "due") return { kind: "turn" };
  if (view.busy || view.retry === "waits") return { kind: "wait" };
  const completed = view.tasks.length > 0 && view.tasks.every((task) => task.status === "completed");
  if (completed && view.completedToldAt !== view.revision) return { kind: "tell_completed", text: allCompletedInput(view.tasks) };
  if (view.stalled.length > 0 && view.stalledToldAt !== view.revision) return { kind: "tell_stalled", text: stalledInput(view.stalled) };
  if (!view.endWhenDone) return { kind: "wait" };
  if (completed) return { kind: "end", how: "completed" };
  if (view.stalled.length > 0) return { kind: "end", how: "stalled" };
  return view.tasks.length === 0 ? { kind: "end", how: "nothing_to_do" } : { kind: "wait" };
}

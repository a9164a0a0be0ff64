// What a teammate does next. Its order is the specification: input, its own task, its own blocked task, a new claim, waiting.
import type { Task } from "../../board/tasks/task.ts";

export type TeammateView = {
  me: string;
  tasks: Task[];
  /** A typed line or a message that asks for a turn is waiting. */
  inputWaits: boolean;
  /** Own blocked tasks whose blocker is gone, with the reason in words: `bo answered`. */
  unblocked: Map<string, string>;
  /** The task this teammate would claim, by the board's rule. */
  claimable: Task | undefined;
  /** Agents that it has started are at work; their reports come as input. */
  agentsAtWork: boolean;
  /** Turns that ended with this task in progress, since it was claimed or resumed. */
  idleTurns: Map<string, number>;
};

export type Step =
  | { kind: "take_input" }
  | { kind: "continue"; task: Task }
  | { kind: "remind"; task: Task }
  | { kind: "give_up"; task: Task }
  | { kind: "resume"; task: Task; why: string }
  | { kind: "claim"; task: Task }
  | { kind: "wait_for_agents" }
  | { kind: "wait" };

/** After this many turns without a completion the task is blocked: no endless loop, no silent bill. */
const patience = 2;

export function nextStep(view: TeammateView): Step {
  const own = view.tasks.filter((task) => task.assigned_to === view.me);
  const current = own.find((task) => task.status === "in_progress");
  const resumable = own.find((task) => task.status === "blocked" && view.unblocked.has(task.id));
  if (!current && resumable) return { kind: "resume", task: resumable, why: view.unblocked.get(resumable.id) ?? "" };
  if (view.inputWaits) return { kind: "take_input" };
  const idleTurns = current && view.idleTurns.get(current.id);
  if (current && idleTurns !== undefined && view.agentsAtWork) return { kind: "wait_for_agents" };
  if (current) return onward(current, idleTurns);
  if (view.claimable) return { kind: "claim", task: view.claimable };
  return { kind: "wait" };
}

/** No count: this process has not worked on it yet, so it continues after a restart. */
function onward(task: Task, idleTurns: number | undefined): Step {
  if (idleTurns === undefined) return { kind: "continue", task };
  return idleTurns < patience ? { kind: "remind", task } : { kind: "give_up", task };
}

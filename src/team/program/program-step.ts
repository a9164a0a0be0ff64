// What the process beside a program of the person's does next, as a pure decision.
import type { Task, TaskId } from "../../board/tasks/task.ts";

/** `clean`: it has ended by itself with 0, and has nothing to do at the moment. `how`: continues "its program …". */
export type ProgramState = { kind: "none" } | { kind: "running" } | { kind: "ended"; clean: boolean; how: string; unusable: boolean };

export type ProgramStep =
  | { kind: "stop" }
  | { kind: "leave" }
  | { kind: "silent"; task: Task | undefined }
  | { kind: "fail"; how: string; unusable: boolean }
  | { kind: "start" }
  | { kind: "wake" }
  | { kind: "give_up"; task: Task }
  | { kind: "wait" };

export type ProgramFacts = {
  program: ProgramState;
  /** The lead asks the member to end. */
  asksToStop: boolean;
  lead: "alive" | "missing" | "gone";
  /** The lead interrupts it, since it has given no sign for long. */
  isInterrupted: boolean;
  held: Task | undefined;
  /** Mail or a task to claim that its program was not told of. */
  isNews: boolean;
  canWake: boolean;
  /** The task with which it was started again, since it had ended while it held it. */
  again: TaskId | undefined;
};

export function nextProgramStep({ program, asksToStop, lead, isInterrupted, held, isNews, canWake, again }: ProgramFacts): ProgramStep {
  if (asksToStop) return { kind: "stop" };
  if (lead === "gone") return { kind: "leave" };
  if (isInterrupted) return { kind: "silent", task: held };
  if (program.kind === "ended" && !program.clean) return { kind: "fail", how: program.how, unusable: program.unusable };
  if (lead === "missing") return { kind: "wait" };
  if (program.kind === "none") return { kind: "start" };
  if (program.kind === "running") return isNews && canWake ? { kind: "wake" } : { kind: "wait" };
  if (held) return held.id === again ? { kind: "give_up", task: held } : { kind: "start" };
  return isNews ? { kind: "start" } : { kind: "wait" };
}

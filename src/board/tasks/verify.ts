// The command that a task names as its proof: the harness runs it before the task counts as completed, and never under the list's lock.
import { evidenceWords, type TestRun } from "../../wording/evidence.ts";
import type { Board } from "../board.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Actor, Task, TaskId } from "./task.ts";
import { type Change, type ListView, updateTask } from "./tasks.ts";

/** `not_run`: the rules of its owner do not allow it, or it could not be started. */
export type VerifyRun = { kind: "ran"; evidence: TestRun; output: string } | { kind: "not_run"; reason: string; at: string };
export type Verifier = (command: string, signal: AbortSignal) => Promise<VerifyRun>;

export type Completion = { id: TaskId; status?: string | undefined; summary?: string | undefined };

/**
 * Runs the verify command of the task that this request completes. If it passes, `evidence` is the run. If not, the task goes back to its owner once
 * and is then blocked: the refusal says which. Nothing is run for a request that is refused anyway.
 */
export async function verifyFirst(
  board: Board,
  { request, signal }: { request: Completion; signal: AbortSignal },
  actor: Actor,
): Promise<{ ok: true; evidence?: TestRun } | Refusal> {
  const read = board.tasks.read();
  const task = read.ok ? read.list.tasks.find(({ id }) => id === request.id) : undefined;
  const { witness } = actor;
  const completes = request.status === "completed" && task?.status === "in_progress" && task.assigned_to === actor.name;
  if (!task?.verify || !completes || !request.summary?.trim() || !witness?.verify) return { ok: true };
  const known = witness.verified?.get(task.id);
  if (known?.command === task.verify) return { ok: true, evidence: known };
  const run = await witness.verify(task.verify, signal);
  if (signal.aborted) return refuse("verify_failed", `Cannot complete "${task.id}": ${task.verify} was stopped before its end`);
  if (run.kind === "ran" && run.evidence.result === "passed") {
    witness.verified?.set(task.id, run.evidence);
    return { ok: true, evidence: run.evidence };
  }
  const { evidence, words, output } = failed(task, run);
  const change = await board.tasks.change((view) =>
    sendBack({ ...view, teammates: [] }, { task, evidence, words, owed: !board.holder(actor.name) }, actor),
  );
  if (!change.ok) return change;
  if (change.task.status === "blocked") await board.blockNotices.send();
  const advice = run.kind === "ran" ? "Mend that" : "Ask lead for that";
  const text = change.task.status === "blocked" ? blockedText(task, words) : sentBackText(task, words, advice);
  return refuse("verify_failed", output ? `${text}. The end of its output:\n${output}` : text);
}

type Failure = { evidence: TestRun; words: string; output: string };

function failed({ verify = "" }: Task, run: VerifyRun): Failure {
  if (run.kind === "ran")
    return { evidence: run.evidence, words: evidenceWords(run.evidence).replace(/^verify/, verify), output: run.output };
  const evidence: TestRun = { kind: "verify", command: verify, result: "unclear", summary: "not run", at: run.at };
  return { evidence, words: `${verify} was not run: ${run.reason.replace(/\.$/, "")}`, output: "" };
}

/** The first time the task stays in progress with what was seen; the next time it is blocked. `owed`: its owner has no process that tells the lead. */
function sendBack(
  view: ListView,
  { task, evidence, words, owed }: Omit<Failure, "output"> & { task: Task; owed: boolean },
  actor: Actor,
): Change {
  const now = view.tasks.find(({ id }) => id === task.id);
  if (now?.status !== "in_progress" || now.assigned_to !== actor.name)
    return refuse("verify_failed", `Cannot complete "${task.id}": ${words}, and meanwhile the task was taken away`);
  const after = { ...now, evidence };
  const tasks = view.tasks.map((other) => (other === now ? after : other));
  if (now.evidence?.kind === "verify") {
    const change = updateTask({ ...view, tasks }, { id: task.id, status: "blocked", reason: `its proof failed twice: ${words}` }, actor);
    if (!change.ok || change.event?.kind !== "task_blocked" || !owed) return change;
    return { ...change, event: { ...change.event, notice_owed: true } };
  }
  const event = {
    by: actor.name,
    task: now.id,
    title: now.title,
    assigned_to: now.assigned_to,
    kind: "task_sent_back" as const,
    reason: words,
  };
  return { ok: true, tasks, task: after, event };
}

const sentBackText = ({ id }: Task, words: string, advice: string) =>
  `Cannot complete "${id}" yet: ${words}. ${advice} and complete the task again; if it fails once more, the task is blocked`;
const blockedText = ({ id }: Task, words: string) =>
  `Cannot complete "${id}": ${words}, again. The task is blocked now, and the lead is told`;

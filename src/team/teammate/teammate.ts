// A teammate: it takes its next step again and again until it is told to stop. Claiming, resuming, reminding and giving up cost no model turn.

import { runTurns } from "../../agent/loop.ts";
import type { AskedCompaction } from "../../agent/requests/asked-compaction.ts";
import type { Mailbox } from "../../board/messages/mailbox.ts";
import type { Message } from "../../board/messages/message.ts";
import { heldBy } from "../../board/tasks/claims.ts";
import type { Task, TaskId } from "../../board/tasks/task.ts";
import { nextClaim } from "../../board/tasks/tasks.ts";
import { leadGoneReason, stoppedReason } from "../end-reasons.ts";
import type { MemberSession } from "../member-session.ts";
import { blockedNotice, goOnInput, interruptedInput, reminderInput, restartInput, resumeInput, taskInput, withFiles } from "../prompt.ts";
import type { MemberExit } from "../report/status.ts";
import { wakes } from "../wakes.ts";
import { afterTurn, mailOf, type TurnRecord, turnRecord } from "./after-turn.ts";
import { type LeadWatch, leadWatch } from "./lead-watch.ts";
import { nextStep, type Step } from "./next-step.ts";
import { type Pause, pauseAfter } from "./pause.ts";
import { createUnblocked, type Unblocked } from "./unblocked.ts";

/** What a teammate does to the shared list and to others' mailboxes. */
export type TeamBoard = {
  tasks(): Task[];
  /** False when the list refused, because another agent was faster. */
  claim(task: TaskId): Promise<boolean>;
  block(task: TaskId, reason: string): Promise<boolean>;
  send(message: Pick<Message, "to" | "kind" | "text" | "reply_to">): void;
  /** Logs that this teammate takes nothing up before somebody writes to it, or so many milliseconds have passed. */
  logWait(wait: { reason: string; holds: TaskId | null; againMs: number | undefined }): void;
  /** Writes a text that is too long for a message; returns its path. */
  keepReport(text: string): string;
};

export type Teammate = LeadWatch & {
  name: string;
  session: MemberSession;
  mailbox: Mailbox;
  board: TeamBoard;
  /** Resolves at the next change of the mailbox, the list or the keyboard, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>;
  compaction: Pick<AskedCompaction, "waits" | "make">;
  /** Calls that a former process did not start: they are run now. */
  notBegun: readonly string[];
  /** Before it begins with a task, or continues with one: what it is to be told besides. */
  beforeTask?(): Promise<string | undefined>;
  /** Whether agents that it has started in the background have not ended. */
  agentsAtWork(): boolean;
  /** It has nothing left to do. */
  onIdle(): void;
  /** Aborts when the process is to end. */
  ending: AbortSignal;
  /** A fresh signal for one run of turns; Esc aborts it. */
  turnSignal(): AbortSignal;
};

/** Works until told to stop. Resolves with the reason; its own task is blocked by then unless it is to be restarted. */
export async function runTeammate(teammate: Teammate): Promise<MemberExit["reason"]> {
  const { session, ending } = teammate;
  const memory: Memory = {
    unblocked: createUnblocked(teammate.name),
    idleTurns: new Map(),
    lastText: "",
    paused: undefined,
    triesMade: 0,
    unreported: undefined,
    leadGoneAt: undefined,
  };
  session.setState("idle", null);
  if (session.wasCutOff && !heldBy(teammate.board.tasks(), teammate.name)) session.say({ source: { kind: "harness" }, text: goOnInput });
  while (!ending.aborted) {
    const waiting = session.waitingMail(); // read once for all that this step looks at
    if (waiting.some(asksToStop)) return stop(teammate, stoppedReason(teammate.name));
    const lead = leadWatch(teammate, memory);
    if (lead === "gone") return leadGone(teammate);
    if (teammate.compaction.waits()) await compactAsAsked(teammate, memory);
    else await take(decide(teammate, memory, { waiting, leadMissing: lead === "missing" }), teammate, memory);
  }
  return "signal";
}

export type Memory = {
  unblocked: Unblocked;
  idleTurns: Map<TaskId, number>;
  /** What the last run of turns ended with. */
  lastText: string;
  /** Why it takes nothing up by itself until somebody writes to it, or the time to try again has come. */
  paused: Pause | undefined;
  /** Runs in a row that failed for lack of the provider, and were tried again. */
  triesMade: number;
  /** Input of such a run that has not been reported yet. */
  unreported: TurnRecord | undefined;
  leadGoneAt: number | undefined;
};

type Seen = { waiting: Message[]; leadMissing: boolean };

function decide(teammate: Teammate, memory: Memory, { waiting, leadMissing }: Seen): Step {
  const { session, board, name } = teammate;
  const tasks = board.tasks();
  memory.unblocked.list(tasks);
  for (const message of waiting) memory.unblocked.mail(message, session.wroteTo());
  const inputWaits = session.inputWaits() || waiting.some(wakes);
  if (leadMissing) return { kind: "wait" };
  if (memory.paused && !inputWaits) return isDue(memory.paused, teammate.now()) ? { kind: "take_input" } : { kind: "wait" };
  return nextStep({
    me: name,
    tasks,
    inputWaits,
    unblocked: memory.unblocked.reasons(),
    claimable: nextClaim(tasks, name),
    agentsAtWork: teammate.agentsAtWork(),
    idleTurns: memory.idleTurns,
  });
}

/** Its conversation ends with unanswered input: the next run of turns asks again. */
function isDue({ again }: Pause, nowMs: number): boolean {
  return again !== undefined && nowMs >= again.atMs;
}

async function take(step: Step, teammate: Teammate, memory: Memory): Promise<void> {
  const { session, board } = teammate;
  switch (step.kind) {
    case "wait":
      if (memory.paused) session.setState(memory.paused.again ? "waiting_provider" : "waiting_person");
      else if (session.workState() !== "idle") {
        session.setState("idle", null);
        teammate.onIdle();
      }
      return teammate.changed(teammate.ending);
    case "wait_for_agents":
      session.setDoing("waits for its agents");
      return teammate.changed(teammate.ending);
    case "take_input":
      return turn(teammate, memory, undefined);
    case "claim":
      if (!(await board.claim(step.task.id))) return;
      return work(step.task, { text: taskInput(step.task, completedBefore(board.tasks(), step.task)), note: "" });
    case "resume":
      memory.unblocked.settle(step.task.id);
      if (!(await board.claim(step.task.id))) return;
      return work(step.task, { text: resumeInput(step.task, step.why), note: `continues: ${step.why}` });
    case "continue":
      return work(step.task, { text: restartInput(step.task), note: "continues after a restart" });
    case "remind":
      return turn(teammate, memory, { task: step.task, text: reminderInput(step.task), shown: `${step.task.id} is still in progress` });
    case "give_up":
      return giveUp(teammate, memory, { task: step.task, reason: memory.lastText || "its turn ended twice without a result" });
  }

  async function work(task: Task, { text, note }: { text: string; note: string }): Promise<void> {
    memory.idleTurns.set(task.id, 0);
    const besides = await teammate.beforeTask?.();
    await turn(teammate, memory, {
      task,
      text: [text, besides].filter(Boolean).join("\n\n"),
      shown: `${task.id}  ${task.title}\n${note || task.description}`,
    });
  }
}

/** One run of turns, and what others must hear of it afterwards. */
async function turn(teammate: Teammate, memory: Memory, start: { task: Task; text: string; shown: string } | undefined): Promise<void> {
  const { session, board, name } = teammate;
  const before = board.tasks();
  const held = () => heldBy(board.tasks(), name);
  if (start) session.say({ source: { kind: "task", task: start.task.id }, text: start.text, shown: start.shown });
  memory.paused = undefined;
  session.setPaused(undefined);
  session.setState("working", start?.task.id ?? held()?.id ?? null);
  const record = memory.unreported ?? turnRecord();
  const stopListening = session.listen((event) => {
    record.apply(event);
    if (event.type === "tool_ended" && event.name === "TaskUpdate") session.setState("working", held()?.id ?? null);
    if (event.type === "input") for (const mail of mailOf(event)) memory.unblocked.mail(mail, session.wroteTo());
  });
  takeInterrupts(teammate); // one from before means a turn that has ended
  const ended = await untilCutShort(teammate, memory, (signal) => runTurns(session.agent, signal, teammate.notBegun));
  stopListening();
  if (teammate.ending.aborted) return;
  const [interrupt] = takeInterrupts(teammate);
  if (interrupt) session.say({ source: { kind: "harness" }, text: interruptedInput(interrupt.text) });
  const { triesMade } = memory;
  memory.paused = stopRequested(teammate) || interrupt ? undefined : pauseAfter(ended.ending, { triesMade, nowMs: teammate.now() });
  memory.triesMade = memory.paused?.again ? triesMade + 1 : 0;
  memory.unreported = memory.paused?.again && record;
  session.setPaused(memory.paused?.reason);
  memory.lastText = ended.text;
  await afterTurn(teammate, memory, { ended, record, before });
}

async function compactAsAsked(teammate: Teammate, memory: Memory): Promise<void> {
  teammate.session.setState("working");
  await untilCutShort(teammate, memory, teammate.compaction.make);
}

/** Works under a signal for everything that may end it: the process, Esc, the lead. */
async function untilCutShort<T>(teammate: Teammate, memory: Memory, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const cut = cutShort(teammate, memory, over.signal);
  try {
    return await work(AbortSignal.any([teammate.ending, teammate.turnSignal(), cut]));
  } finally {
    over.abort();
  }
}

/** Aborts when what is under way must not be finished: the lead asks for the end or interrupts, or it is gone and did not come back in time. */
function cutShort(teammate: Teammate, memory: Memory, over: AbortSignal): AbortSignal {
  const cut = new AbortController();
  const look = async () => {
    while (!over.aborted && !cut.signal.aborted) {
      if (isCutShort(teammate, memory)) cut.abort();
      else await teammate.changed(over);
    }
  };
  look().catch((error) => cut.abort(error));
  return cut.signal;
}

/** A read that fails does not end a turn: the next look may succeed, and the loop between turns reports what stays unreadable. */
function isCutShort(teammate: Teammate, memory: Memory): boolean {
  try {
    return teammate.mailbox.peek().some(cutsShort) || leadWatch(teammate, memory) === "gone";
  } catch {
    return false;
  }
}

async function giveUp(teammate: Teammate, memory: Memory, { task, reason }: { task: Task; reason: string }): Promise<void> {
  memory.idleTurns.delete(task.id);
  if (!(await teammate.board.block(task.id, reason))) return;
  const blocked = teammate.board.tasks().find(({ id }) => id === task.id);
  if (blocked) teammate.board.send({ to: "lead", kind: "task_notice", text: blockedNotice(blocked, teammate.session.touched(task.id)) });
}

function completedBefore(tasks: Task[], task: Task): Task[] {
  return tasks.filter(({ id, status }) => task.dependencies.includes(id) && status === "completed");
}

function stopRequested({ mailbox }: Teammate): boolean {
  return mailbox.peek().some(asksToStop);
}

function asksToStop({ kind }: Message): boolean {
  return kind === "shutdown";
}

function cutsShort(message: Message): boolean {
  return asksToStop(message) || interrupts(message);
}

function interrupts({ kind }: Message): boolean {
  return kind === "interrupt";
}

function takeInterrupts({ mailbox }: Teammate): Message[] {
  const taken = mailbox.take(interrupts);
  mailbox.acknowledge(taken.map(({ id }) => id));
  return taken;
}

async function stop(teammate: Teammate, reason: string): Promise<MemberExit["reason"]> {
  const { mailbox, board, session, name } = teammate;
  session.setState("stopping");
  mailbox.acknowledge(mailbox.take(asksToStop).map(({ id }) => id));
  await blockOwn(teammate, reason);
  board.send({ to: "lead", kind: "shutdown_answer", text: `${name} ends.` });
  return "stopped";
}

async function leadGone(teammate: Teammate): Promise<MemberExit["reason"]> {
  teammate.session.setState("stopping");
  await blockOwn(teammate, leadGoneReason);
  return "lead_gone";
}

async function blockOwn({ board, name, session }: Teammate, reason: string): Promise<void> {
  const current = heldBy(board.tasks(), name);
  if (current) await board.block(current.id, withFiles(reason, session.touched(current.id)));
}

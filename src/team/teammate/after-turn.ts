// What others must be told after a run of turns. The harness tells them, so that no teammate's last words are lost in its own pane.

import type { AgentEvent } from "../../agent/events.ts";
import type { Ended } from "../../agent/loop.ts";
import type { Message } from "../../board/messages/message.ts";
import { heldBy } from "../../board/tasks/claims.ts";
import type { Task } from "../../board/tasks/task.ts";
import { recipients } from "../member-session.ts";
import { blockedNotice, longReport, triesAgainNotice, turnReport, waitsNotice } from "../prompt.ts";
import type { Pause } from "./pause.ts";
import type { Memory, TeamBoard, Teammate } from "./teammate.ts";

export type Turn = {
  ended: Ended;
  record: TurnRecord;
  /** The list as it was before. */
  before: Task[];
};

/** Handles the end of a run of turns: counts or blocks unfinished work, and tells those who must know. */
export async function afterTurn(teammate: Teammate, memory: Memory, done: Turn): Promise<void> {
  const { board, name, session } = teammate;
  const { ended, record, before } = done;
  const current = heldBy(board.tasks(), name);
  if (current && ended.ending.kind === "done" && !teammate.agentsAtWork())
    memory.idleTurns.set(current.id, (memory.idleTurns.get(current.id) ?? 0) + 1);
  const reason = memory.paused?.again ? undefined : problem(ended);
  if (current && reason) await board.block(current.id, reason);
  const tasks = board.tasks();
  memory.unblocked.list(tasks);
  for (const mail of record.mail) {
    if (record.wrote.has(mail.from)) memory.unblocked.mail(mail, session.wroteTo());
  }
  const blocked = tasks.filter((task) => newlyBlocked(task, before, name));
  for (const task of blocked) tellBlocked(teammate, task, record);
  if (memory.paused) tellWaiting(teammate, memory.paused, { leadKnows: blocked.length > 0 || memory.triesMade > 1 });
  if (memory.paused?.again) return;
  answerQuestions(teammate, record, ended.text);
  reportTurn(teammate, record, ended.text);
}

/** A message as it was taken into a request. */
type Mail = { id: string; from: string; kind: Message["kind"]; text: string; replyTo?: string };

export type TurnRecord = {
  /** Members it wrote to. */
  wrote: Set<string>;
  mail: Mail[];
  /** A person typed into its pane. */
  typed: boolean;
  apply(event: AgentEvent): void;
};

export function turnRecord(): TurnRecord {
  const record: TurnRecord = {
    wrote: new Set(),
    mail: [],
    typed: false,
    apply(event) {
      for (const to of recipients(event)) record.wrote.add(to);
      if (event.type !== "input") return;
      record.mail.push(...mailOf(event));
      if (event.inputs.some(({ source }) => source.kind === "user")) record.typed = true;
    },
  };
  return record;
}

export function mailOf(event: Extract<AgentEvent, { type: "input" }>): Mail[] {
  return event.inputs.flatMap(({ source, text }) =>
    source.kind === "mail"
      ? { id: source.message, from: source.from, kind: source.mail as Message["kind"], text, replyTo: source.replyTo }
      : [],
  );
}

function newlyBlocked(task: Task, before: Task[], name: string): boolean {
  return task.status === "blocked" && task.assigned_to === name && before.find(({ id }) => id === task.id)?.status !== "blocked";
}

/** The lead hears about a block once: by the teammate's own words if it wrote them, else by a notice. It is woken unless somebody else was asked. */
function tellBlocked({ board, session }: Teammate, task: Task, { wrote }: TurnRecord): void {
  if (wrote.has("lead")) return;
  board.send({ to: "lead", kind: wrote.size > 0 ? "notice" : "task_notice", text: blockedNotice(task, session.touched(task.id)) });
}

/** The person sees it in the log's line. The lead's model need not be asked about it, and reads it with its next request, once. */
function tellWaiting({ board, name }: Teammate, { reason, again }: Pause, { leadKnows }: { leadKnows: boolean }): void {
  const held = heldBy(board.tasks(), name);
  board.logWait({ reason, holds: held?.id ?? null, againMs: again?.afterMs });
  const notice = again ? triesAgainNotice : waitsNotice;
  if (!leadKnows) board.send({ to: "lead", kind: "notice", text: notice(name, reason, held) });
}

/** A question answered only in text would never arrive: the text is sent as the answer. Answers are never answered. */
function answerQuestions({ board }: Teammate, record: TurnRecord, text: string): void {
  if (!text) return;
  for (const mail of record.mail) {
    const asks = mail.kind === "message" && mail.replyTo === undefined && mail.text.includes("?");
    if (asks && !record.wrote.has(mail.from) && mail.from !== "user") {
      sendText(board, { to: mail.from, kind: "message", text, reply_to: mail.id });
      record.wrote.add(mail.from);
    }
  }
}

/** What a person typed here or a message set off is reported to the lead, which reads it with its next request. */
function reportTurn({ board, name }: Teammate, record: TurnRecord, text: string): void {
  const setOff = record.typed || record.mail.some(({ kind }) => kind !== "notice");
  if (!text || record.wrote.has("lead") || !setOff) return;
  sendText(board, { to: "lead", kind: "turn_report", text: turnReport(text, heldBy(board.tasks(), name)) });
}

const longestText = 30_000;

function sendText(board: TeamBoard, message: Parameters<TeamBoard["send"]>[0]): void {
  const tooLong = Buffer.byteLength(message.text) > longestText;
  board.send(tooLong ? { ...message, text: longReport(message.text, board.keepReport(message.text)) } : message);
}

function problem({ ending }: Ended): string | undefined {
  switch (ending.kind) {
    case "fault":
    case "repeats_itself":
    case "stopped_by_hook":
      return ending.reason;
    case "max_turns":
      return `reached maxTurns (${ending.limit})`;
    case "budget":
      return `the budget of $${ending.limitUsd} is spent`;
    case "done":
    case "aborted":
      return undefined;
  }
}

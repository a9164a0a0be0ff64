// The agents' operations as one function from a request to its reply. `tool team exec`, the commands for people and the models' tools all call it.

import { faultSentence } from "../../wording/error-text.ts";
import { type Arguments, type OperationName, operationArguments, readArguments } from "../arguments.ts";
import type { Board } from "../board.ts";
import type { Unreadable } from "../messages/mailbox.ts";
import type { Message } from "../messages/message.ts";
import { type Refusal, type RefusalCode, refuse } from "../refusal.ts";
import { programOf, recipientsOf, teammatesOf } from "../team-record.ts";
import type { Actor, Task } from "./task.ts";
import { idsInList } from "./task-checks.ts";
import { type Change, createTask, type ListView, updateTask } from "./tasks.ts";
import { verifyFirst } from "./verify.ts";

export type Reply =
  | { ok: true; task: Task }
  | { ok: true; tasks: Task[] }
  | { ok: true; message: Message }
  /** `unreadable`: files that were not messages and have been moved to bad/; reported once. */
  | { ok: true; messages: Message[]; unreadable?: Unreadable[] }
  | { ok: false; error: { code: RefusalCode; message: string } };

/** Runs one operation for `actor`. `request` is unchecked input. Throws only because of a bug. */
export async function operate(board: Board, request: unknown, actor: Actor): Promise<Reply> {
  const call = readRequest(request);
  if (!call.ok) return asReply(call);
  const read = readArguments(call.op, call.args);
  return read.ok ? perform(board, { op: call.op, args: read.args }, actor) : asReply(read);
}

/** Runs one operation whose arguments are checked, as those of a model's tool are before it runs. */
export async function perform<Name extends OperationName>(
  board: Board,
  { op, args, signal }: { op: Name; args: Arguments<Name>; signal?: AbortSignal | undefined },
  actor: Actor,
): Promise<Reply> {
  try {
    return asReply(await operations[op](board, { ...args, signal }, actor));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return asReply(refuse("write_failed", `Cannot run ${op}: ${faultSentence(error, "Nothing was done")}`));
  }
}

type Success = Exclude<Reply, { ok: false }>;
type Outcome = Success | Refusal;
type Given<Name extends OperationName> = Arguments<Name> & { signal: AbortSignal | undefined };
type Operation<Name extends OperationName> = (board: Board, args: Given<Name>, actor: Actor) => Outcome | Promise<Outcome>;

const operations: { [Name in OperationName]: Operation<Name> } = {
  TaskCreate: (board, args, actor) => changeList(board, actor, (view) => createTask(view, args, actor)),
  async TaskUpdate(board, { signal = new AbortController().signal, ...request }, actor) {
    const verified = await verifyFirst(board, { request, signal }, actor);
    actor.witness?.verified?.delete(request.id);
    if (!verified.ok) return verified;
    const evidence = verified.evidence ?? actor.witness?.evidence?.(request.id);
    return changeList(board, actor, (view) => updateTask(view, { ...request, evidence }, actor));
  },
  TaskGet(board, { id }) {
    const read = board.tasks.read();
    if (!read.ok) return read;
    const task = read.list.tasks.find((candidate) => candidate.id === id);
    if (task) return { ok: true, task };
    return refuse("not_found", `Cannot get "${id}": there is no such task. ${idsInList(read.list.tasks)}`);
  },
  TaskList(board) {
    const read = board.tasks.read();
    return read.ok ? { ok: true, tasks: read.list.tasks } : read;
  },
  SendMessage(board, { to, text }, actor) {
    const read = board.record();
    if (!read.ok) return refuse("list_damaged", read.reason);
    const others = recipientsOf(read.record).filter((name) => name !== actor.name);
    if (!others.includes(to)) return refuse("unknown_agent", unknownRecipient(to, actor, others));
    return board.send({ from: actor.name, to, kind: "message", text });
  },
  Inbox: readInbox,
};

function readRequest(request: unknown): { ok: true; op: OperationName; args: unknown } | Refusal {
  if (typeof request !== "object" || request === null || Array.isArray(request))
    return refuse("bad_request", 'Cannot read the request: it must be an object like {"op":"TaskList","args":{}}');
  const { op, args = {}, ...others } = request as Record<string, unknown>;
  const names = Object.keys(operationArguments);
  if (typeof op !== "string" || !names.includes(op))
    return refuse("bad_request", `Cannot run ${JSON.stringify(op) ?? "a request without op"}: the operations are ${names.join(", ")}`);
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    return refuse("unknown_field", `Cannot run ${op}: ${JSON.stringify(unknown[0])} is not part of a request; it has "op" and "args"`);
  return { ok: true, op: op as OperationName, args };
}

async function changeList(board: Board, actor: Actor, decide: (view: ListView) => Change): Promise<Outcome> {
  // The record is read under the lock: a member that ended earlier cannot become the assignee, and one that ends later releases the new task.
  const change = await board.tasks.change((view) => {
    const read = board.record();
    return read.ok
      ? owingNotice(board, actor, decide({ ...view, teammates: teammatesOf(read.record) }))
      : refuse("list_damaged", read.reason);
  });
  if (!change.ok) return change;
  // If the notice is refused, it is still owed: the list has changed, and the next process that looks sends the notice.
  if (change.event?.kind === "task_blocked" && change.event.notice_owed) await board.blockNotices.send();
  if (change.event && "overlaps" in change.event && change.event.overlaps) await board.overlapNotices.send();
  return { ok: true, task: change.task };
}

/** The lead is told about every block. A member with a process sends its own message at the end of its turn, with more detail. */
function owingNotice(board: Board, actor: Actor, change: Change): Change {
  if (!change.ok || change.event?.kind !== "task_blocked" || actor.role !== "teammate" || speaksForItself(board, actor.name)) return change;
  return { ...change, event: { ...change.event, notice_owed: true } };
}

/** Whether a process of ours takes its messages and reports for it. Beside a program of the person's one only watches. */
function speaksForItself(board: Board, name: string): boolean {
  if (!board.holder(name)) return false;
  const read = board.record();
  return !read.ok || programOf(read.record, name) === undefined;
}

/** The others are for the process that runs the member. */
const isForReading = ({ kind }: Message) => kind !== "shutdown" && kind !== "interrupt";

async function readInbox(board: Board, { ack = [] }: Arguments<"Inbox">, actor: Actor): Promise<Outcome> {
  if (actor.role === "user") return refuse("unknown_agent", "Cannot read the inbox of user: only lead and teammates have a mailbox");
  if (actor.role === "lead") await board.blockNotices.send(); // if refused, it is sent later
  const unreadable: Unreadable[] = [];
  const mailbox = board.mailbox(actor.name, (found) => unreadable.push(found));
  const present = [...mailbox.unacknowledged(), ...mailbox.peek()].filter(isForReading).sort((a, b) => (a.id < b.id ? -1 : 1));
  const live = speaksForItself(board, actor.name);
  if (live && ack.length > 0)
    return refuse(
      "bad_request",
      `Cannot acknowledge for ${actor.name}: it is running and takes its messages itself; its inbox can only be read`,
    );
  if (live) return { ok: true, messages: present };
  const unknown = ack.filter((id) => !present.some((message) => message.id === id) && !mailbox.knows(id));
  if (unknown.length > 0) return refuse("not_found", `Cannot acknowledge ${JSON.stringify(unknown[0])}: ${actor.name} has no such message`);
  const left = mailbox.acknowledge(ack);
  if (left.length > 0)
    return refuse("write_failed", `Cannot acknowledge ${JSON.stringify(left[0])}: the disk refuses writes. The message is kept; try again`);
  mailbox.take(isForReading);
  return { ok: true, messages: mailbox.unacknowledged(), ...(unreadable.length > 0 ? { unreadable } : {}) };
}

function unknownRecipient(to: string, actor: Actor, others: string[]): string {
  const found = to === actor.name ? "that is yourself" : to === "user" ? "the user has no mailbox" : "no such member works in this team";
  const known = others.length > 0 ? `You can write to ${others.join(", ")}.` : "There is nobody to write to.";
  return `Cannot send to ${JSON.stringify(to.slice(0, 60))}: ${found}. ${known}`;
}

function asReply(outcome: Outcome): Reply {
  return outcome.ok ? outcome : { ok: false, error: { code: outcome.code, message: outcome.reason } };
}

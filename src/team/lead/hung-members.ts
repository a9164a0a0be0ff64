// Teammates that work without an event: after one period the person and the lead are told, after a second one their turn is interrupted.
import type { Board } from "../../board/board.ts";
import { heldBy } from "../../board/tasks/claims.ts";
import type { Task } from "../../board/tasks/task.ts";
import { hungForMs, hungWords } from "../hung.ts";
import { hungNotice, interruptedNotice } from "../prompt.ts";
import type { MemberStatus } from "../report/status.ts";

export interface HungMembers {
  /** Reports new hangs, and interrupts. `names`: the running teammates. */
  check(names: string[]): void;
  /** Those that are hung now, and since when in words. */
  now(): { name: string; words: string }[];
}

export type HungMembersSetup = {
  board: Pick<Board, "log" | "send">;
  /** Monotonic, the same for all processes of this machine. */
  nowMs: () => number;
  now: () => Date;
  tasks: () => Task[];
  statusOf: (name: string) => MemberStatus | undefined;
  /** By a signal. */
  isStopped: (process: { pid: number; start: string }) => boolean;
  tellLead: (text: string) => void;
};

export function createHungMembers({ board, tasks, statusOf, ...setup }: HungMembersSetup): HungMembers {
  const hung = new Map<string, Hung>();

  function lookAt(name: string): void {
    const status = statusOf(name);
    const stopped = status !== undefined && status.state === "working" && setup.isStopped(status);
    const silentMs = hungForMs({ status, stopped, nowMs: setup.nowMs() });
    if (!status || silentMs === undefined) return void hung.delete(name);
    const before = hung.get(name);
    const step = hungStep(before, { status, stopped, silentMs });
    const words = hungWords(silentMs, status.doing);
    if (step !== "none" && !act({ name, words, stopped, task: heldBy(tasks(), name) }, step)) return;
    hung.set(name, { sign: signOf(status), words, interrupted: step === "interrupt" || (step === "none" && before?.interrupted === true) });
  }

  /** False when the message could not be written: the next look retries. */
  function act({ name, words, stopped, task }: Found, step: "tell" | "interrupt"): boolean {
    const interrupted = step === "interrupt";
    if (interrupted && !board.send({ from: "lead", to: name, kind: "interrupt", text: words }).ok) return false;
    board.log({ kind: "member_hung", by: "lead", at: setup.now().toISOString(), member: name, reason: words, interrupted });
    setup.tellLead(interrupted ? interruptedNotice(name, words) : hungNotice({ name, words, stopped }, task));
    return true;
  }

  return {
    check(names) {
      for (const name of hung.keys()) if (!names.includes(name)) hung.delete(name);
      for (const name of names) lookAt(name);
    },
    now: () => [...hung].map(([name, { words }]) => ({ name, words })),
  };
}

/** `sign`: of the process and of its last event, so that a later silence is another one. */
type Hung = { sign: string; words: string; interrupted: boolean };
type Found = { name: string; words: string; stopped: boolean; task: Task | undefined };

function signOf({ nonce, sign_ms }: MemberStatus): string {
  return `${nonce} ${sign_ms}`;
}

/** A member that a signal has suspended is not interrupted: it would read the message only after it was continued. */
function hungStep(
  before: Pick<Hung, "sign" | "interrupted"> | undefined,
  { status, stopped, silentMs }: { status: MemberStatus; stopped: boolean; silentMs: number },
): "tell" | "interrupt" | "none" {
  if (before?.sign !== signOf(status)) return "tell";
  const isSecond = silentMs >= 2 * (status.hung_after_ms ?? Number.POSITIVE_INFINITY);
  return isSecond && !stopped && !before.interrupted ? "interrupt" : "none";
}

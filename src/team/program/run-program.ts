// A member that another program plays: this runs beside it, starts and wakes it, and keeps the promises that the team relies on. What the program does
// to the board it does itself, through the board's server.
import type { Mailbox } from "../../board/messages/mailbox.ts";
import type { Message } from "../../board/messages/message.ts";
import { heldBy } from "../../board/tasks/claims.ts";
import type { Task } from "../../board/tasks/task.ts";
import { nextClaim } from "../../board/tasks/tasks.ts";
import { leadGoneReason, stoppedReason } from "../end-reasons.ts";
import { blockedNotice, withFiles } from "../prompt.ts";
import type { MemberExit } from "../report/status.ts";
import { type LeadWatch, leadWatch } from "../teammate/lead-watch.ts";
import type { TeamBoard } from "../teammate/teammate.ts";
import { newsLine } from "./program-prompt.ts";
import { nextProgramStep, type ProgramState, type ProgramStep } from "./program-step.ts";

export type ProgramMember = LeadWatch & {
  name: string;
  mailbox: Mailbox;
  board: TeamBoard;
  program: {
    state(): ProgramState;
    /** It has ended well, or lived long enough after its start. */
    hasBegun(): boolean;
    start(news: string): Promise<void>;
    /** Absent if its entry has no way to be told. */
    wake: ((news: string) => Promise<void>) | undefined;
    /** Nothing of it is left when this resolves. */
    end(): Promise<void>;
  };
  /** Files in its working directory that have changed since then and that no other task has. */
  touched(since: Date): Promise<string[]>;
  /** For its status: what it does, and the task that it holds. */
  onState(state: ProgramActivity, task: Task | undefined): void;
  /** Before it is started: what others have done is brought into its worktree. */
  beforeStart(): Promise<void>;
  changed(signal: AbortSignal): Promise<void>;
  today(): Date;
  /** Aborts when the process is to end. */
  ending: AbortSignal;
};

/** `starting`: it is not known yet whether it can be started at all. */
export type ProgramActivity = "starting" | "working" | "idle";

export type ProgramEnd = Pick<MemberExit, "reason" | "detail" | "cause">;

type Memory = {
  told: Set<string>;
  again: string | undefined;
  leadGoneAt: number | undefined;
  held: { id: string; since: Date } | undefined;
};

export async function runProgram(member: ProgramMember): Promise<ProgramEnd> {
  const memory: Memory = { told: new Set(), again: undefined, leadGoneAt: undefined, held: undefined };
  try {
    while (!member.ending.aborted) {
      const seen = look(member, memory);
      const end = await take(nextProgramStep({ ...seen, again: memory.again, canWake: member.program.wake !== undefined }), seen, {
        member,
        memory,
      });
      if (end) return end;
    }
    return { reason: "signal" };
  } finally {
    await member.program.end();
  }
}

function look(member: ProgramMember, memory: Memory) {
  const { mailbox, board, name, program, today } = member;
  const waiting = mailbox.peek();
  const tasks = board.tasks();
  const held = heldBy(tasks, name);
  if (held?.id !== memory.held?.id) memory.held = held && { id: held.id, since: today() };
  if (held?.id !== memory.again) memory.again = undefined;
  member.onState(held ? "working" : program.hasBegun() ? "idle" : "starting", held);
  const letters = waiting.filter((message) => !asksToStop(message) && !interrupts(message));
  const claimable = nextClaim(tasks, name)?.id;
  const ids = [...letters.map(({ id }) => id), ...(claimable === undefined ? [] : [claimable])];
  return {
    program: program.state(),
    asksToStop: waiting.some(asksToStop),
    isInterrupted: waiting.some(interrupts),
    lead: leadWatch(member, memory),
    held,
    ids,
    isNews: ids.some((id) => !memory.told.has(id)),
    news: newsLine(letters.length, claimable),
  };
}

type Life = { member: ProgramMember; memory: Memory };

/** Returns how the process ends, if it does. */
async function take(step: ProgramStep, { held, ids, news }: ReturnType<typeof look>, life: Life): Promise<ProgramEnd | undefined> {
  const { member, memory } = life;
  const { board, program } = member;
  switch (step.kind) {
    case "wait":
      await member.changed(member.ending);
      return undefined;
    case "start":
      if (program.state().kind === "ended" && held) memory.again = held.id;
      await member.beforeStart();
      await program.start(news);
      for (const id of ids) memory.told.add(id);
      return undefined;
    case "wake":
      for (const id of ids) memory.told.add(id);
      await program.wake?.(news);
      return undefined;
    case "give_up":
      await block(life, step.task, "its program ended twice and left it in progress");
      return undefined;
    case "silent":
      acknowledge(member, interrupts);
      if (step.task) await block(life, step.task, `${member.name} gave no sign for too long, and its program was ended`);
      return { reason: "fault", detail: "its program gave no sign for too long" };
    case "stop":
      await program.end();
      acknowledge(member, asksToStop);
      await blockHeld(life, held, stoppedReason(member.name));
      board.send({ to: "lead", kind: "shutdown_answer", text: `${member.name} ends.` });
      return { reason: "stopped" };
    case "leave":
      await program.end();
      await blockHeld(life, held, leadGoneReason);
      return { reason: "lead_gone" };
    case "fail":
      return { reason: "fault", detail: `its program ${step.how}`, ...(step.unusable && { cause: "configuration" }) };
  }
}

/** Unasked for: the lead hears of it. */
async function block({ member, memory }: Life, task: Task, reason: string): Promise<void> {
  const touched = await touchedBy(member, memory);
  if (!(await member.board.block(task.id, reason))) return;
  const blocked = member.board.tasks().find(({ id }) => id === task.id);
  if (blocked) member.board.send({ to: "lead", kind: "task_notice", text: blockedNotice(blocked, touched) });
}

async function blockHeld({ member, memory }: Life, held: Task | undefined, reason: string): Promise<void> {
  if (held) await member.board.block(held.id, withFiles(reason, await touchedBy(member, memory)));
}

/** That they cannot be listed must not keep its task from being blocked. */
const touchedBy = async (member: ProgramMember, { held }: Memory) => (held ? member.touched(held.since).catch(() => []) : []);

function acknowledge({ mailbox }: ProgramMember, wanted: (message: Message) => boolean): void {
  mailbox.acknowledge(mailbox.take(wanted).map(({ id }) => id));
}

const asksToStop = ({ kind }: Message) => kind === "shutdown";
const interrupts = ({ kind }: Message) => kind === "interrupt";

// The lead: runs turns when somebody needs its model, and otherwise watches. Events of the team reach its screen without a model turn.

import type { Clock } from "../agent/clock.ts";
import type { Ended } from "../agent/loop.ts";
import { runTurns } from "../agent/loop.ts";
import { stallCulprits } from "../board/graph.ts";
import type { Message } from "../board/message.ts";
import type { TaskList } from "../board/task.ts";
import { nextClaim } from "../board/tasks.ts";
import { type LeadStep, leadStep } from "./lead-step.ts";
import type { MemberSession } from "./member-session.ts";
import { allCompletedInput, stalledInput } from "./prompt.ts";
import type { MemberStatus } from "./status.ts";
import type { Supervisor } from "./supervisor.ts";
import { wakes } from "./wakes.ts";

export type LeadEnd = {
  how: "completed" | "nothing_to_do" | "stalled" | "failed" | "interrupted";
  last: Ended | undefined;
  stalled: string[];
};

export type Lead = {
  session: MemberSession;
  supervisor: Supervisor;
  clock: Clock;
  readList(): TaskList;
  statusOf(name: string): MemberStatus | undefined;
  waitingMailOf(name: string): Message[];
  /** Resolves at the next change of list, mail or keyboard, after half a second at most. */
  changed(signal: AbortSignal): Promise<void>;
  endWhenDone: boolean;
  /** Aborts when the person wants to leave. */
  ending: AbortSignal;
  turnSignal(): AbortSignal;
};

type Memory = { completedToldAt: number; stalledToldAt: number; stillSince: number | undefined; last: Ended | undefined };

/** Without an answer from anybody for this long, nothing is on its way any more. */
const stillMs = 2_000;

/** Leads until the work is done or the person leaves. Teammates are stopped by whoever called. */
export async function runLead(lead: Lead): Promise<LeadEnd> {
  const memory: Memory = { completedToldAt: -1, stalledToldAt: -1, stillSince: undefined, last: undefined };
  while (!lead.ending.aborted) {
    await lead.supervisor.look();
    const stalled = stalledNow(lead, memory);
    const step = decide(lead, memory, stalled);
    if (step.kind === "end") return { how: step.how, last: memory.last, stalled };
    await take(step, lead, memory);
  }
  return { how: "interrupted", last: memory.last, stalled: [] };
}

function decide(lead: Lead, memory: Memory, stalled: string[]): LeadStep {
  const { tasks, revision } = lead.readList();
  return leadStep({
    inputWaits: lead.session.inputWaits() || lead.session.waitingMail().some(wakes),
    tasks,
    revision,
    completedToldAt: memory.completedToldAt,
    stalledToldAt: memory.stalledToldAt,
    stalled,
    busy: busy(lead),
    endWhenDone: lead.endWhenDone,
    failed: memory.last !== undefined && memory.last.ending.kind !== "done" && memory.last.ending.kind !== "aborted",
  });
}

async function take(step: Exclude<LeadStep, { kind: "end" }>, lead: Lead, memory: Memory): Promise<void> {
  const { tasks, revision } = lead.readList();
  switch (step.kind) {
    case "wait":
      lead.session.setState("idle");
      return lead.changed(lead.ending);
    case "tell_completed":
      memory.completedToldAt = revision;
      lead.session.say({ source: { kind: "harness" }, text: allCompletedInput(tasks) });
      break;
    case "tell_stalled":
      memory.stalledToldAt = revision;
      lead.session.say({ source: { kind: "harness" }, text: stalledInput(step.culprits) });
      break;
    case "turn":
      break;
  }
  lead.session.setState("working");
  memory.last = await runTurns(lead.session.agent, AbortSignal.any([lead.ending, lead.turnSignal()]));
}

/** Why nothing can go on. Empty while something is under way, and for the first moments of stillness. */
function stalledNow(lead: Lead, memory: Memory): string[] {
  const { tasks } = lead.readList();
  const unfinished = tasks.some((task) => task.status !== "completed");
  if (!unfinished || busy(lead)) {
    memory.stillSince = undefined;
    return [];
  }
  const now = lead.clock.now().getTime();
  memory.stillSince ??= now;
  if (now - memory.stillSince < stillMs) return [];
  const culprits = stallCulprits(tasks);
  return lead.supervisor.running().length > 0 ? culprits : [...culprits, "no teammate is running: start one with SpawnTeammate"];
}

/** A teammate works, starts, has mail to read, or can claim something. */
function busy(lead: Lead): boolean {
  const { tasks } = lead.readList();
  return lead.supervisor.running().some((name) => {
    const status = lead.statusOf(name);
    if (status === undefined || status.state !== "idle") return true;
    if (tasks.some((task) => task.status === "in_progress" && task.assigned_to === name)) return true;
    return nextClaim(tasks, name) !== undefined || lead.waitingMailOf(name).some(wakes);
  });
}

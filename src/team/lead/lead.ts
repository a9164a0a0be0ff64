// The lead: runs turns when somebody needs its model, and otherwise watches. Events of the team reach its screen without a model turn.

import type { Ended } from "../../agent/loop.ts";
import { runTurns } from "../../agent/loop.ts";
import type { Clock } from "../../agent/ports/clock.ts";
import type { AskedCompaction } from "../../agent/requests/asked-compaction.ts";
import type { Message } from "../../board/messages/message.ts";
import { heldBy } from "../../board/tasks/claims.ts";
import { stallCulprits } from "../../board/tasks/graph.ts";
import type { Task, TaskList } from "../../board/tasks/task.ts";
import { nextClaim } from "../../board/tasks/tasks.ts";
import type { MemberSession } from "../member-session.ts";
import { interdependentInput, interdependentNotice } from "../prompt.ts";
import type { MemberStatus } from "../report/status.ts";
import { interrupted, type Pause, pauseAfter } from "../teammate/pause.ts";
import { wakes } from "../wakes.ts";
import { type BackgroundCheck, backgroundCheck } from "./background-check.ts";
import { createInterdependence, type Interdependence } from "./interdependence.ts";
import { type LeadStep, leadStep } from "./lead-step.ts";
import type { Checked } from "./merged-work.ts";
import { createProviderWait, type WaitState } from "./provider-wait.ts";

export type LeadEnd = {
  how: "completed" | "nothing_to_do" | "stalled" | "failed" | "interrupted";
  last: Ended | undefined;
  stalled: string[];
  /** There is a check of the merged work, and it has not passed on the list as it is. */
  unchecked: boolean;
};

export type Lead = {
  session: MemberSession;
  /** Looks at every process, and settles what has ended. */
  poll(): Promise<void>;
  /** Names of the teammates that live or are being started. */
  running(): string[];
  clock: Clock;
  /** Undefined while the list cannot be read; the person has been told. */
  readList(): TaskList | undefined;
  /** Undefined while it is being started, or waits for that. */
  statusOf(name: string): MemberStatus | undefined;
  waitingMailOf(name: string): Message[];
  /** Resolves at the next change of list, mail or keyboard, after half a second at most. */
  changed(signal: AbortSignal): Promise<void>;
  compaction: Pick<AskedCompaction, "waits" | "make">;
  /** Calls that a former process did not start: they are run now. */
  notBegun: readonly string[];
  endWhenDone: boolean;
  /** Revision of a list whose end was told before the team was resumed. */
  toldAt?: number | undefined;
  /** All tasks are completed: what the lead's model is told besides, or that there is a new task. It may take minutes: the lead continues beside it. */
  check?: ((signal: AbortSignal) => Promise<Checked>) | undefined;
  /** All tasks were completed and the lead has told the user; it may have made new tasks. `checked`: what the check found. */
  onCompleted(checked: string | undefined): void;
  /** A fact for the person. */
  onNotice(text: string): void;
  /** How long the team may only wait for its provider; absent: as long as the person likes. */
  longestWaitMs?: number | undefined;
  /** From now on the team does nothing but wait for its provider. `reasons`: one for each member that waits, with its name. */
  onProviderWait(reasons: string[]): void;
  /** Logs that the provider did not answer the lead, which asks again by itself. */
  logWait(reason: string, againMs: number): void;
  /** Aborts when the person wants to leave. */
  ending: AbortSignal;
  turnSignal(): AbortSignal;
};

/** The revisions at which the end and a stall were last told, when stillness began, and how the last run of turns ended. */
type Memory = {
  tell_completed: number;
  tell_stalled: number;
  stillSince: number | undefined;
  last: Ended | undefined;
  /** Whether the merged work failed its check, or could not be checked. */
  checkFailed: boolean;
  interdependence: Interdependence;
  /** The provider did not answer: when the lead asks again. */
  retry: Required<Pause> | undefined;
  triesMade: number;
  providerWait: ReturnType<typeof createProviderWait>;
};

/** After this long without any activity, no message is still under way. */
const stillMs = 2_000;

/** Leads until the work is done or the person leaves. Teammates are stopped by whoever called. */
export async function runLead(lead: Lead): Promise<LeadEnd> {
  const memory: Memory = {
    tell_completed: lead.toldAt ?? -1,
    tell_stalled: -1,
    stillSince: undefined,
    last: undefined,
    checkFailed: false,
    interdependence: createInterdependence(),
    retry: undefined,
    triesMade: 0,
    providerWait: createProviderWait(lead.longestWaitMs),
  };
  const check = lead.check && backgroundCheck(lead.check, () => [turnSignal(lead)]);
  try {
    return await leadOn(lead, memory, check);
  } finally {
    await check?.stop();
  }
}

async function leadOn(lead: Lead, memory: Memory, check: BackgroundCheck | undefined): Promise<LeadEnd> {
  lead.session.setStalled([]);
  while (!lead.ending.aborted) {
    await lead.poll();
    if (lead.compaction.waits()) {
      lead.session.setState("working");
      await lead.compaction.make(turnSignal(lead));
      continue;
    }
    const list = lead.readList();
    if (list) adviseOnDependencies(lead, memory, list.tasks);
    const reasons = providerReasons(lead, memory);
    const waitedTooLong = providerState(lead, memory, reasons) === "too_long";
    const stalled = waitedTooLong ? reasons : list ? stalledNow(lead, memory, list.tasks) : [];
    const step = list ? decide(lead, memory, { list, stalled, waitedTooLong }) : ({ kind: "wait" } as const);
    lead.session.setStalled(step.kind === "wait" ? stalled : []); // while its model works on it, the team is not stuck
    if (step.kind === "end") {
      const how = step.how === "completed" && memory.checkFailed ? "failed" : step.how;
      return { how, last: memory.last, stalled, unchecked: memory.checkFailed };
    }
    const checked = step.kind === "tell_completed" && list ? check?.of(list.revision) : undefined;
    if (checked?.kind === "task") continue;
    if (step.kind === "tell_completed" && check && !checked) {
      lead.session.setState("working");
      await Promise.race([lead.changed(lead.ending), check.ended()]);
      continue;
    }
    memory.checkFailed = checked?.failed ?? memory.checkFailed;
    await take(step.kind === "tell_completed" && checked ? { ...step, text: `${step.text}\n\n${checked.text}` } : step, lead, memory);
    if (step.kind === "tell_completed" && !lead.endWhenDone) lead.onCompleted(checked?.text);
    if (list && (step.kind === "tell_completed" || step.kind === "tell_stalled")) memory[step.kind] = list.revision;
  }
  const unchecked = check !== undefined && (memory.checkFailed || memory.tell_completed !== lead.readList()?.revision);
  return { how: "interrupted", last: memory.last, stalled: [], unchecked };
}

/** The person is told, and the lead's model, which can still change the tasks. */
function adviseOnDependencies(lead: Lead, memory: Memory, tasks: Task[]): void {
  const statuses = lead.running().map(lead.statusOf);
  const waiting = memory.interdependence({ tasks, statuses, atMs: lead.clock.monotonicMs() });
  if (!waiting) return;
  lead.onNotice(interdependentNotice(waiting));
  lead.session.say({ source: { kind: "harness" }, text: interdependentInput(waiting) });
}

/** Why members wait for the provider, each with its name. */
function providerReasons({ running, statusOf }: Lead, { retry }: Memory): string[] {
  const others = running().flatMap((name) => {
    const status = statusOf(name);
    return status?.state === "waiting_provider" ? `${name} waits for its model: ${status.paused ?? ""}` : [];
  });
  return [...(retry ? [`lead waits for its model: ${retry.reason}`] : []), ...others];
}

function providerState(lead: Lead, { providerWait }: Memory, reasons: string[]): WaitState {
  const statuses = lead.running().map(lead.statusOf);
  const works = statuses.some((status) => status === undefined || !inactive.has(status.state));
  const turns = [lead.session.status(), ...statuses].reduce((sum, status) => sum + (status?.turns ?? 0), 0);
  const state = providerWait({ waits: reasons.length > 0, works, turns, nowMs: lead.clock.monotonicMs() });
  if (state === "begins") lead.onProviderWait(reasons);
  return state;
}

const inactive = new Set<MemberStatus["state"]>(["idle", "waiting_person", "waiting_provider"]);

type Now = { list: TaskList; stalled: string[]; waitedTooLong: boolean };

function decide(lead: Lead, memory: Memory, { list, stalled, waitedTooLong }: Now): LeadStep {
  const { retry } = memory;
  return leadStep({
    // while the lead waits for its provider, new mail alone starts no request: the retry reads it
    inputWaits: lead.session.inputWaits() || (!retry && lead.session.waitingMail().some(wakes)),
    retry: retry ? (lead.clock.monotonicMs() >= retry.again.atMs ? "due" : "waits") : "none",
    waitedTooLong,
    tasks: list.tasks,
    revision: list.revision,
    completedToldAt: memory.tell_completed,
    stalledToldAt: memory.tell_stalled,
    stalled,
    busy: busy(lead, list.tasks),
    endWhenDone: lead.endWhenDone,
    failed: memory.last !== undefined && !retry && memory.last.ending.kind !== "done" && memory.last.ending.kind !== "aborted",
  });
}

async function take(step: Exclude<LeadStep, { kind: "end" }>, lead: Lead, memory: Memory): Promise<void> {
  if (step.kind === "wait") {
    lead.session.setState(memory.retry ? "waiting_provider" : "idle");
    return lead.changed(lead.ending);
  }
  if (step.kind !== "turn") lead.session.say({ source: { kind: "harness" }, text: step.text });
  memory.retry = undefined;
  lead.session.setPaused(undefined);
  lead.session.setState("working");
  memory.last = await runTurns(lead.session.agent, turnSignal(lead), lead.notBegun);
  retryLater(lead, memory, memory.last);
}

/** A session that ends by itself and has never had a reply ends: most likely its settings are wrong, and nothing is lost. */
function retryLater({ session, clock, endWhenDone, logWait }: Lead, memory: Memory, { ending }: Ended): void {
  const pause = pauseAfter(ending, { triesMade: memory.triesMade, nowMs: clock.monotonicMs() });
  const again = endWhenDone && session.status().turns === 0 ? undefined : pause?.again;
  memory.retry = pause && again && { ...pause, again };
  memory.triesMade = memory.retry ? memory.triesMade + 1 : 0;
  if (!memory.retry) return;
  session.setPaused(memory.retry.reason);
  logWait(memory.retry.reason, memory.retry.again.afterMs);
}

function turnSignal(lead: Lead): AbortSignal {
  return AbortSignal.any([lead.ending, lead.turnSignal()]);
}

/** Why the team is stuck, be it that the person has stopped somebody. Empty while anything is under way, and for the first moments of inactivity. */
function stalledNow(lead: Lead, memory: Memory, tasks: Task[]): string[] {
  const unfinished = tasks.some((task) => task.status !== "completed");
  if (!unfinished || lead.running().some((name) => isAtWork(lead, name, tasks))) {
    memory.stillSince = undefined;
    return [];
  }
  const now = lead.clock.monotonicMs();
  memory.stillSince ??= now;
  if (now - memory.stillSince < stillMs) return [];
  const waits = (name: string) => lead.statusOf(name)?.paused !== undefined;
  const running = lead.running();
  const working = running.filter((name) => !waits(name));
  return stallCulprits(tasks, working, running.filter(waits));
}

/** A teammate is at work, or was stopped by the person, who will say how it continues. */
function busy(lead: Lead, tasks: Task[]): boolean {
  return lead.running().some((name) => lead.statusOf(name)?.paused === interrupted || isAtWork(lead, name, tasks));
}

/** It works, starts, has mail to read or can claim something. */
function isAtWork(lead: Lead, name: string, tasks: Task[]): boolean {
  const status = lead.statusOf(name);
  if (status === undefined || (status.state !== "idle" && status.state !== "waiting_person")) return true;
  if (status.paused !== undefined) return lead.waitingMailOf(name).some(wakes);
  return heldBy(tasks, name) !== undefined || nextClaim(tasks, name) !== undefined || lead.waitingMailOf(name).some(wakes);
}

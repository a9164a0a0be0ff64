// One run of one agent, from its opened session to its report.

import type { AgentEvent } from "../agent/events.ts";
import { evidenceReader } from "../agent/evidence/evidence-reader.ts";
import type { Ended } from "../agent/loop.ts";
import type { Denial } from "../agent/result/outcome.ts";
import { type Session, spentSince, type Totals } from "../agent/session/session.ts";
import { suspensionOf } from "../agent/session/suspension.ts";
import { errorText } from "../wording/error-text.ts";
import type { Evidence } from "../wording/evidence.ts";
import { isolated, noteTokens, settled } from "./isolation.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { type AgentRecord, isUnderWay, moved } from "./record.ts";
import { callLines, type EndedCall, failedCallsIn, reportOf } from "./report.ts";
import { watchRun } from "./run-limits.ts";
import { runToRest } from "./run-to-rest.ts";
import type { Opened, SubagentPorts, Subagents } from "./subagents.ts";
import { failureOf } from "./workers/worker-rules.ts";

export type RunOrder = SubagentPorts & {
  host: Subagents;
  /** Aborting it ends the run. The abort reason says why. */
  controller: AbortController;
  /** Saves a state of the record. */
  put: (record: AgentRecord) => void;
};

/** Resolves with the record and its report at the end of the run; the caller saves it. Never rejects because of a failure in the run. */
export async function runAgent(record: AgentRecord, order: RunOrder): Promise<AgentRecord> {
  const questions = openQuestions(record.id, order);
  const opened = await open(record, { order, questions });
  if ("reason" in opened) return settledHere(failedToOpen(order.host.find(record.id) ?? record, opened.reason, order), order);
  const { session } = opened;
  const before = session.totals();
  const started = order.clock.monotonicMs();
  const followed = follow(opened.record, session, { order, questions });
  try {
    const { host, controller } = order;
    const rest = { host, id: record.id, signal: controller.signal, notBegun: record.notBegun };
    const last = await runToRest(session.agent, rest).catch(faulty);
    const reported = endedAs(last, { followed, session, order });
    await opened.close(); // so that none of its commands can change the worktree any more
    const ended = { ...(await settledHere(reported, order)), endedAt: order.clock.now().toISOString() };
    order.onEvent(ended, endEvent(ended, { spent: spentSince(before, session.totals()), ms: order.clock.monotonicMs() - started }));
    return ended;
  } finally {
    followed.stop();
    order.controller.abort(); // stops the timers that watch the run
    await opened.close();
  }
}

type Run = { order: RunOrder; questions: OpenQuestions };

/** `asks`: opens one; the returned function closes it. `askedMs`: how long at least one has been open. */
type OpenQuestions = { asks: (subject: string) => () => void; first: () => string | undefined; askedMs: () => number };

/** What an agent asks the person, which is shown in its record. */
function openQuestions(id: string, { host, put, clock }: RunOrder): OpenQuestions {
  const open: string[] = [];
  let before = 0;
  let since = 0;
  const show = () => {
    const record = host.find(id);
    if (record) put({ ...record, asks: open[0] });
  };
  return {
    asks(subject) {
      if (open.push(subject) === 1) since = clock.monotonicMs();
      show();
      return () => {
        open.splice(open.indexOf(subject), 1);
        if (open.length === 0) before += clock.monotonicMs() - since;
        show();
      };
    },
    first: () => open[0],
    askedMs: () => before + (open.length > 0 ? clock.monotonicMs() - since : 0),
  };
}

/** `calls`: those that have ended in this run. `subjectOf`: what the newest call of this tool that has not ended is about. */
type Followed = {
  record: () => AgentRecord;
  calls: EndedCall[];
  evidence: () => Evidence;
  subjectOf: (tool: string) => string;
  stop: () => void;
};

/** Updates the record while the run goes on, and ends a run that would not end by itself. */
function follow(record: AgentRecord, session: Session, { order, questions }: Run): Followed {
  const calls: EndedCall[] = [];
  const watched = watchRun({
    ...order,
    signal: order.controller.signal,
    halt: (why) => order.controller.abort(why),
    waits: () => order.host.isAtWork(record.id),
    askedMs: questions.askedMs,
  });
  const evidence = evidenceReader(record.evidence);
  let now = record;
  const open = new Map<string, { name: string; subject: string }>();
  const stop = session.listen((event) => {
    watched(event);
    evidence.apply(event);
    if (event.type === "tool_ended") calls.push(event);
    now = { ...progressed(now, event, session.totals()), asks: questions.first() };
    // Of parallel calls, the first one is recorded.
    if (event.type === "reply" || event.type === "denied" || (event.type === "tool_started" && open.size === 0)) order.put(now);
    if (event.type === "tool_started") open.set(event.id, event);
    if (event.type === "tool_ended") open.delete(event.id);
    order.onEvent(now, event);
  });
  const subjectOf = (tool: string) => [...open.values()].findLast(({ name }) => name === tool)?.subject ?? "";
  return { record: () => now, calls, evidence: evidence.now, subjectOf, stop };
}

/** The record after the end of the conversation, with the report. */
function endedAs(last: Ended, { followed, session, order }: { followed: Followed; session: Session; order: RunOrder }): AgentRecord {
  const { calls, evidence } = followed;
  const now = followed.record();
  const { signal } = order.controller;
  const came = outcomeOf(last, { record: now, turns: session.totals().turns, signal, command: order.command });
  const undone = came.state === "completed" && now.worker ? failureOf(now.worker, calls) : undefined;
  const outcome: Outcome = undone === undefined ? came : { state: "failed", reason: undone };
  const text =
    outcome.reason === undefined
      ? last.text
      : [outcome.reason, last.text && `What it had by then:\n${last.text}`].filter(Boolean).join("\n\n");
  const failed = failedCallsIn(calls);
  const commands = callLines(failed.filter(({ name }) => name === "Bash"));
  const mostTokens = order.limits.reportTokens - noteTokens(now);
  const report = reportOf({ text, failedCalls: callLines(failed), mostTokens, outputs: order.outputs });
  const { state, ...why } = outcome;
  return moved(now, state, {
    reason: undefined,
    endedBy: undefined,
    missing: undefined,
    ...why,
    ...suspendedAt(now, { followed, session, signal }),
    failedCalls: commands.length > 0 ? commands.slice(0, mostCommands) : undefined,
    filesChanged: new Set(calls.flatMap(({ touched }) => touched)).size || undefined,
    report,
    ...((now.evidence || calls.some(isWork)) && { evidence: evidence() }),
    now: undefined,
    asks: undefined,
  });
}

/** Where a suspended run continues, and what it lacks. */
function suspendedAt(
  { denials = [] }: AgentRecord,
  { followed, session, signal }: { followed: Followed; session: Session; signal: AbortSignal },
): Pick<AgentRecord, "notBegun" | "denials"> {
  const suspension = suspensionOf(signal);
  if (!suspension) return { notBegun: undefined };
  const { tool, why: reason, missing: rules } = suspension;
  const lacked = { tool, subject: followed.subjectOf(tool), reason, ...(rules.length > 0 && { rules }) };
  return { notBegun: session.agent.history.pendingCalls().map(({ id }) => id), denials: [...denials, lacked] };
}

/** A test could show how it came out. */
const isWork = ({ name, touched }: EndedCall) => name === "Bash" || touched.length > 0;

function settledHere(record: AgentRecord, { host, worktrees }: RunOrder): Promise<AgentRecord> {
  return settled(record, { worktrees, underWay: host.list().filter(isUnderWay), find: host.find });
}

type Begun = Opened & { record: AgentRecord };

async function open(
  record: AgentRecord,
  { order: { host, controller, ...ports }, questions: { asks } }: Run,
): Promise<Begun | { reason: string }> {
  try {
    const placed = await isolated(record, { ...ports, find: host.find });
    const { session, close } = await ports.open(placed, { host, asks, suspend: (why) => controller.abort(why) });
    let closing: Promise<void> | undefined;
    return {
      record: placed,
      session,
      close() {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    return { reason: `It could not be started: ${errorText(error)}` };
  }
}

function failedToOpen(record: AgentRecord, reason: string, { clock }: RunOrder): AgentRecord {
  return moved(record, "failed", { reason, report: reason, endedAt: clock.now().toISOString() });
}

/** A failure below the loop, such as a lost disk, ends only this agent. */
const faulty = (error: unknown): Ended => ({
  ending: { kind: "fault", reason: errorText(error) },
  text: "",
});

/** The most failed commands that a record keeps. */
const mostCommands = 10;

function progressed(record: AgentRecord, event: AgentEvent, { turns, usage, costUsd }: Totals): AgentRecord {
  const at = event.type === "tool_started" ? { now: `${event.name} ${event.subject}`.trim() } : {};
  const lacked = event.type === "denied" ? { denials: [...(record.denials ?? []), denialOf(event)] } : {};
  return { ...record, ...at, ...lacked, turns, usage, costUsd };
}

function denialOf({ name: tool, subject, reason, rules }: Extract<AgentEvent, { type: "denied" }>): Denial {
  return { tool, subject, reason, ...(rules && { rules }) };
}

export function endEvent(record: AgentRecord, { spent, ms }: { spent: Totals; ms: number }): Extract<AgentEvent, { type: "agent_ended" }> {
  const { id: agent, name, description, state, reason, evidence, failedCalls, filesChanged: files, report, model, endedAt = "" } = record;
  if (state === "pending" || state === "running") throw new Error(`Agent ${agent} has not ended.`);
  const seen = {
    ...(evidence && { evidence }),
    ...(failedCalls && { failedCommands: failedCalls.length }),
    ...(files && { files }),
    ...(report && { report }),
  };
  return { type: "agent_ended", agent, name, description, state, ...(reason && { reason }), ...seen, ...spent, model, ms, at: endedAt };
}

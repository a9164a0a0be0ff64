// Limits that end a stuck agent: total time, time without progress, and repeated identical denials.

import type { AgentEvent } from "../agent/events.ts";
import type { Clock } from "../agent/ports/clock.ts";
import type { AgentLimits } from "../settings/agent-limits.ts";
import { Halt } from "./outcome.ts";

export type RunLimits = { wallClockMs: number; noProgressMs: number; equalDenials: number };

/** The settings describe each limit. */
export type SubagentLimits = RunLimits & { deepest: number; atOnce: number; reportTokens: number };

export function subagentLimits({ depth, atOnce, reportTokens, wallClockMinutes, noProgressMinutes }: AgentLimits): SubagentLimits {
  const runs = { wallClockMs: wallClockMinutes * minuteMs, noProgressMs: noProgressMinutes * minuteMs, equalDenials: 3 };
  return { deepest: depth, atOnce, reportTokens, ...runs };
}

const minuteMs = 60_000;

export type WatchedRun = {
  clock: Clock;
  limits: RunLimits;
  halt: (why: Halt) => void;
  signal: AbortSignal;
  /** True while the agent is idle because agents that it started are running. */
  waits?: () => boolean;
  /** How long it has waited for the person so far, which counts for no limit. */
  askedMs?: () => number;
};

/** Watches a run until its signal aborts. The returned function must be called with every event of the run. */
export function watchRun({ clock, limits, halt, signal, waits, askedMs = () => 0 }: WatchedRun): (event: AgentEvent) => void {
  const denials = new Map<string, number>();
  const begun = clock.monotonicMs();
  let progress = begun;
  const watch = async () => {
    while (!signal.aborted) {
      const now = clock.monotonicMs() - askedMs();
      if (waits?.()) progress = now;
      const left = Math.min(begun + limits.wallClockMs - now, progress + limits.noProgressMs - now);
      if (left <= 0) return halt(new Halt("failed", tooLong(now - begun >= limits.wallClockMs, limits)));
      await clock.sleep(left, signal);
    }
  };
  void watch();
  return (event) => {
    progress = clock.monotonicMs() - askedMs();
    if (event.type !== "denied") return;
    const key = `${event.name}\n${event.subject}\n${event.reason}`;
    const times = (denials.get(key) ?? 0) + 1;
    denials.set(key, times);
    if (times >= limits.equalDenials) halt(new Halt("failed", `${event.name} ${event.subject} was denied ${times} times: ${event.reason}`));
  };
}

function tooLong(wallClock: boolean, { wallClockMs, noProgressMs }: RunLimits): string {
  const minutes = (ms: number) => `${Math.round(ms / 6_000) / 10} minutes`;
  return wallClock ? `It ran for ${minutes(wallClockMs)}, its limit.` : `It made no progress for ${minutes(noProgressMs)}.`;
}

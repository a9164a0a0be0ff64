// What an agent is doing at the moment, for the live part: its request or its tool calls, each with the time so far.
import { stripVTControlCharacters } from "node:util";
import type { AgentEvent } from "../../agent/events.ts";
import { elapsedTime, tokens } from "../../wording/figures.ts";
import { lastWritten } from "../../wording/last-written.ts";
import type { Style } from "../style.ts";
import { beginning, visibleLine } from "../visible-text.ts";

export interface Activity {
  apply(event: AgentEvent): void;
  /** At most that many rows. */
  lines(rows?: number): string[];
  /** Stops the clocks of calls while the person is asked, until the returned function is called. */
  pause(): () => void;
}

type Doing =
  | { kind: "nothing" }
  | { kind: "request"; since: number; characters: number; thought: number }
  | { kind: "wait"; until: number; reason: string }
  | { kind: "compacting"; since: number }
  | { kind: "calls"; calls: Map<string, Call> };

/** `output`: the end of its output so far. */
type Call = { name: string; subject: string; purpose: string; since: number; output: string };

/** How many of a running command's last lines are shown, and how much output is kept for them. */
const outputRows = 5;
const keptOutput = 4_000;
const longestLine = 300;

/** As a terminal would show them: without colours, and only the newest text of a line that is overwritten. */
function lastLines(output: string, most: number): string[] {
  if (most <= 0 || output === "") return [];
  const whole = output.length < keptOutput ? output : output.slice(output.indexOf("\n") + 1);
  return stripVTControlCharacters(whole)
    .split("\n")
    .map((line) => beginning(lastWritten(line), longestLine))
    .filter((line) => line.trim() !== "")
    .slice(-most)
    .map(visibleLine);
}

/** Estimates a reply's tokens before their number is known. */
const charactersPerToken = 4;

export function createActivity({ style, now }: { style: Style; now: () => number }): Activity {
  let doing: Doing = { kind: "nothing" };
  let pauses = 0;
  let pausedAt: number | undefined;
  const since = (start: number) => {
    const time = elapsedTime((pausedAt ?? now()) - start);
    return time === "0s" ? "" : ` ${time}`;
  };
  return {
    apply(event) {
      switch (event.type) {
        case "request":
          if (doing.kind !== "compacting") doing = { kind: "request", since: now(), characters: 0, thought: 0 };
          break;
        case "text":
          if (doing.kind === "request") doing.characters += event.text.length;
          break;
        case "thought":
          if (doing.kind === "request") doing.thought += event.text.length;
          break;
        case "retry":
          doing = { kind: "wait", until: now() + event.waitMs, reason: event.reason };
          break;
        case "tool_started": {
          if (doing.kind !== "calls") doing = { kind: "calls", calls: new Map() };
          doing.calls.set(event.id, {
            name: event.name,
            subject: event.subject,
            purpose: event.purpose ?? "",
            since: pausedAt ?? now(),
            output: "",
          });
          break;
        }
        case "tool_output": {
          const call = doing.kind === "calls" ? doing.calls.get(event.id) : undefined;
          if (call) call.output = (call.output + event.text).slice(-keptOutput);
          break;
        }
        case "tool_ended":
          if (doing.kind === "calls") doing.calls.delete(event.id);
          break;
        case "compacting":
          doing = { kind: "compacting", since: now() };
          break;
        case "reply":
        case "compacted":
        case "compaction_failed":
        case "ended":
          doing = { kind: "nothing" };
          break;
        case "agent_ended":
        case "rewound":
        case "session":
        case "unfinished_reply":
        case "input":
        case "denied":
        case "notice":
        case "media_dropped":
        case "thoughts_dropped":
          break;
      }
    },
    pause() {
      if (pauses++ === 0) pausedAt = now();
      return () => {
        if (--pauses > 0 || pausedAt === undefined) return;
        const asked = now() - pausedAt;
        pausedAt = undefined;
        if (doing.kind === "calls") for (const call of doing.calls.values()) call.since += asked;
      };
    },
    lines: (rows = Number.POSITIVE_INFINITY) => doingLines(doing, { style, rows, since, nowMs: now() }),
  };
}

type Look = { style: Style; rows: number; nowMs: number; since: (start: number) => string };

function doingLines(doing: Doing, { style, rows, nowMs, since }: Look): string[] {
  switch (doing.kind) {
    case "nothing":
      return [];
    case "request": {
      const size = doing.characters + doing.thought;
      const written = size > 0 ? `  ~${tokens(Math.ceil(size / charactersPerToken))} tokens` : "";
      return [style.dim(`  ${style.symbol("waiting")} ${doing.characters > 0 ? "writing" : "thinking"}${since(doing.since)}${written}`)];
    }
    case "compacting":
      return [style.dim(`  ${style.symbol("waiting")} summarizing the conversation${since(doing.since)}`)];
    case "wait": {
      const left = Math.ceil((doing.until - nowMs) / 1_000);
      const again = `  ${style.symbol("needs_you")} trying again in ${left}s: ${beginning(visibleLine(doing.reason), 200)}`;
      return left > 0 ? [style.state("needs_you", again)] : [];
    }
    case "calls":
      return callLines([...doing.calls.values()], { style, rows, since });
  }
}

function callLines(calls: Call[], { style, rows, since }: Omit<Look, "nowMs">): string[] {
  let room = Math.min(outputRows, rows - calls.length);
  return calls.flatMap((call) => {
    const what = [beginning(visibleLine(call.name), 30), beginning(visibleLine(call.subject), 200)].filter(Boolean).join(" ");
    const purpose = call.purpose ? `  ${beginning(visibleLine(call.purpose), 80)}` : "";
    const output = lastLines(call.output, room);
    room -= output.length;
    return [
      `  ${style.state("working", style.symbol("working"))} ${what}${style.dim(`${purpose}${since(call.since)}`)}`,
      ...output.map((line) => style.dim(`      ${style.separator} ${line}`)),
    ];
  });
}

// What an agent is doing at the moment, for the live part: its request or its tool calls, each with the time so far.
import { stripVTControlCharacters } from "node:util";
import type { AgentEvent } from "../../agent/events.ts";
import { elapsedTime, tokens } from "../../wording/figures.ts";
import { lastWritten } from "../../wording/last-written.ts";
import { waitWords } from "../events/wait-words.ts";
import type { Style } from "../style.ts";
import { beginning, visibleLine } from "../visible-text.ts";

export interface Activity {
  apply(event: AgentEvent): void;
  /** At most that many rows. Agents have rows of their own. */
  lines(rows?: number): string[];
  /** The same in a few words, without the time; empty while nothing is done. */
  words(): string;
  isBusy(): boolean;
  /** The newest lines of what runs or is written, at most that many. */
  output(rows: number): string[];
  /** Stops the clocks of calls while the person is asked, until the returned function is called. */
  pause(): () => void;
}

type Doing =
  | { kind: "nothing" }
  | { kind: "request"; since: number; characters: number; thought: number; text: string; call?: WrittenCall }
  | { kind: "wait"; until: number; retry: Retry }
  | { kind: "compacting"; since: number }
  | { kind: "calls"; calls: Map<string, Call> };

type Retry = Extract<AgentEvent, { type: "retry" }>;

/** A call whose input is still being written. `head`: the beginning of the input. */
type WrittenCall = { name: string; head: string; characters: number };

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
      doing = after(doing, event, { nowMs: now(), countedMs: pausedAt ?? now() });
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
    words: () => doingWords(doing, now()),
    isBusy: () => doingWords(doing, now()) !== "",
    output(rows) {
      if (doing.kind === "request") return lastLines(doing.text, rows);
      return doing.kind === "calls" ? [...doing.calls.values()].flatMap(({ output }) => lastLines(output, rows)).slice(-rows) : [];
    },
  };
}

/** What is done after an event. `countedMs`: from when a call counts; a question may have stopped the clock. */
function after(doing: Doing, event: AgentEvent, { nowMs, countedMs }: { nowMs: number; countedMs: number }): Doing {
  switch (event.type) {
    case "request":
      return doing.kind === "compacting" ? doing : { kind: "request", since: nowMs, characters: 0, thought: 0, text: "" };
    case "text": {
      if (doing.kind !== "request") return doing;
      return { ...doing, characters: doing.characters + event.text.length, text: (doing.text + event.text).slice(-keptOutput) };
    }
    case "thought":
      return doing.kind === "request" ? { ...doing, thought: doing.thought + event.text.length } : doing;
    case "call_text":
      return doing.kind === "request" ? { ...doing, call: written(doing.call, event) } : doing;
    case "retry":
      return { kind: "wait", until: nowMs + event.waitMs, retry: event };
    case "tool_started":
      return begun(doing, event, countedMs);
    case "tool_output": {
      const call = doing.kind === "calls" ? doing.calls.get(event.id) : undefined;
      if (call) call.output = (call.output + event.text).slice(-keptOutput);
      return doing;
    }
    case "tool_ended":
      if (doing.kind === "calls") doing.calls.delete(event.id);
      return doing;
    case "compacting":
      return { kind: "compacting", since: nowMs };
    case "reply":
    case "compacted":
    case "compaction_failed":
    case "ended":
      return { kind: "nothing" };
    case "agent_ended":
    case "mode_changed":
    case "goal_set":
    case "goal_checked":
    case "goal_ended":
    case "rewound":
    case "session":
    case "unfinished_reply":
    case "input":
    case "denied":
    case "notice":
    case "media_dropped":
    case "thoughts_dropped":
      return doing;
  }
}

function begun(doing: Doing, { id, name, subject, purpose = "" }: Extract<AgentEvent, { type: "tool_started" }>, since: number): Doing {
  const calls = doing.kind === "calls" ? doing.calls : new Map<string, Call>();
  calls.set(id, { name, subject, purpose, since, output: "" });
  return { kind: "calls", calls };
}

function doingWords(doing: Doing, nowMs: number): string {
  switch (doing.kind) {
    case "nothing":
      return "";
    case "request":
      return doing.call ? callWords(doing.call) : doing.characters > 0 ? "writing" : "thinking";
    case "compacting":
      return "summarizing the conversation";
    case "wait":
      return doing.until > nowMs ? waitWords(doing.retry, doing.until - nowMs) : "";
    case "calls": {
      const [first, ...others] = [...doing.calls.values()].map(({ name, subject }) => `${name} ${subject}`.trim());
      return [first, others.length > 0 && `and ${others.length} more`].filter(Boolean).join(" ");
    }
  }
}

/** A new call of the same reply begins anew. */
function written(before: WrittenCall | undefined, { name, text, begins }: Extract<AgentEvent, { type: "call_text" }>): WrittenCall {
  const { head, characters } = before && !begins ? before : { head: "", characters: 0 };
  return { name, head: head.length < headSize ? head + text : head, characters: characters + text.length };
}

/** Enough for a path before the content of a file. */
const headSize = 1_000;

/** The tool, and the file that it is about. */
function callWords({ name, head }: WrittenCall): string {
  const path = /"(?:file_)?path"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(head)?.[1];
  return `${name} ${path === undefined ? "" : String(JSON.parse(path))}`.trim();
}

type Look = { style: Style; rows: number; nowMs: number; since: (start: number) => string };

function doingLines(doing: Doing, { style, rows, nowMs, since }: Look): string[] {
  switch (doing.kind) {
    case "nothing":
      return [];
    case "request": {
      if (doing.call) {
        const size = tokens(Math.ceil(doing.call.characters / charactersPerToken));
        const what = beginning(visibleLine(callWords(doing.call)), 200);
        return [`  ${style.state("working", style.symbol("working"))} ${what}${style.dim(`  ~${size} tokens ${since(doing.since)}`)}`];
      }
      const size = doing.characters + doing.thought;
      const written = size > 0 ? `  ~${tokens(Math.ceil(size / charactersPerToken))} tokens` : "";
      return [style.dim(`  ${style.symbol("waiting")} ${doing.characters > 0 ? "writing" : "thinking"}${since(doing.since)}${written}`)];
    }
    case "compacting":
      return [style.dim(`  ${style.symbol("waiting")} summarizing the conversation${since(doing.since)}`)];
    case "wait": {
      const words = beginning(visibleLine(doingWords(doing, nowMs)), 250);
      return words === "" ? [] : [style.state("needs_you", `  ${style.symbol("needs_you")} ${words}`)];
    }
    case "calls":
      return callLines(
        [...doing.calls.values()].filter(({ name }) => name !== "Agent"),
        { style, rows, since },
      );
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

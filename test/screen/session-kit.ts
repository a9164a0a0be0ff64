// A session's screen on an emulated terminal, and the events that agents send it.
import type { AgentEvent } from "../../src/agent/events.ts";
import { createStyle } from "../../src/screen/style.ts";
import { createSessionScreen, type SessionScreenOptions } from "../../src/screen/terminal/session-screen.ts";
import { emulatedTerminal } from "./emulated-terminal.ts";

const at = "2026-01-01T00:00:00Z";
const usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

export const said: Record<"request" | "aborted", AgentEvent> & {
  text: (text: string) => AgentEvent;
  reply: (...texts: string[]) => AgentEvent;
  retry: (reason: string) => AgentEvent;
  started: (id: string, name: string, subject: string) => AgentEvent;
  wrote: (id: string, text: string) => AgentEvent;
  ended: (id: string, more: Partial<Extract<AgentEvent, { type: "tool_ended" }>>) => AgentEvent;
  typed: (text: string) => AgentEvent;
} = {
  request: { type: "request", turn: 1, retryCount: 0, at },
  aborted: { type: "ended", ending: { kind: "aborted" }, text: "", at },
  text: (text) => ({ type: "text", text }),
  reply: (...texts) => ({
    type: "reply",
    turn: 1,
    message: { role: "assistant", content: texts.map((text) => ({ type: "text", text })) },
    stop_reason: "end_turn",
    usage,
    costUsd: 0,
    model: "m",
    ms: 1,
    at,
  }),
  retry: (reason) => ({ type: "retry", reason, waitMs: 8_000, retryCount: 1, at }),
  started: (id, name, subject) => ({ type: "tool_started", id, name, subject, at }),
  wrote: (id, text) => ({ type: "tool_output", id, text }),
  ended: (id, more) => ({
    type: "tool_ended",
    id,
    name: "Bash",
    subject: "npm test",
    text: "",
    isError: false,
    summary: "exit 0",
    touched: [],
    ms: 5,
    at,
    ...more,
  }),
  typed: (text) => ({ type: "input", inputs: [{ source: { kind: "user" }, text }], at }),
};

type Options = Partial<SessionScreenOptions> & { columns?: number; rows?: number; env?: Record<string, string> };

/** Without colours, unless `env` sets them. The clock is `clock.now`. */
export function sessionScreen({ columns = 60, rows = 16, env = { NO_COLOR: "1" }, ...more }: Options = {}) {
  const emulated = emulatedTerminal(columns, rows);
  const clock = { now: 0 };
  const lines: string[] = [];
  const happened: string[] = [];
  const screen = createSessionScreen({
    terminal: emulated.terminal,
    style: createStyle({ LANG: "C.UTF-8", ...env }),
    statusLine: () => "status",
    onLine: (line) => lines.push(line) > 0,
    onEscape: () => happened.push("escape"),
    onInterrupt: (again) => void happened.push(again ? "interrupt again" : "interrupt"),
    onExit: () => void happened.push("exit"),
    now: () => clock.now,
    ...more,
  });
  screen.refresh();
  emulated.rest();
  return { ...emulated, screen, clock, typed: lines, happened };
}

/** The text in pieces of this many characters, as a model streams it. */
export function piecesOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
}

// The commands that run in the background, as /tasks and `tool tasks` list them.
import { type CommandRecord, elapsedMs, stateText } from "../background/command.ts";
import { duration } from "./figures.ts";
import { clamp } from "./line-widths.ts";
import type { State, Style } from "./style.ts";
import { aligned, cell, headRow } from "./table.ts";
import { visibleLine } from "./visible-text.ts";

/** `lastLine`: of its output. */
export type ShownCommand = { record: CommandRecord; lastLine: string };

const widestCommand = 48;

/** A line each, the newest last. */
export function commandTable(commands: readonly ShownCommand[], style: Style, nowMs: number): string {
  const rows = commands.map(({ record, lastLine }) => {
    const state = symbolOf(record);
    return [
      cell(record.id),
      cell(visibleLine(agentOf(record))),
      cell(clamp(visibleLine(record.command), widestCommand)),
      cell(`${style.symbol(state)} ${stateWords(record)}`, (text) => style.state(state, text)),
      cell(duration(elapsedMs(record, nowMs))),
      cell(clamp(visibleLine(lastLine), widestCommand)),
    ];
  });
  const heads = headRow(["command", "agent", "what", "state", "elapsed", "last line"], style);
  return aligned([heads, ...rows]).join("\n");
}

/** One in full. */
export function commandText({ record, lastLine }: ShownCommand, nowMs: number): string {
  const { id, command, output } = record;
  const lines = [
    `${id}: ${command}`,
    `${stateText(record)}, ${duration(elapsedMs(record, nowMs))}`,
    lastLine && `Last line: ${lastLine}`,
    output && `Output: ${output}`,
  ];
  return lines.flatMap((line) => (line ? line.split("\n").map(visibleLine) : [])).join("\n");
}

/** For `--json`. */
export function commandJson({ record, lastLine }: ShownCommand, nowMs: number): Record<string, unknown> {
  const { id, command, state, code, reason, output } = record;
  return {
    command: id,
    agent: agentOf(record),
    what: command,
    state,
    code: code ?? null,
    reason: reason ?? null,
    elapsed_ms: elapsedMs(record, nowMs),
    last_line: lastLine || null,
    output: output ?? null,
  };
}

/** An agent is kept as `<session>:<agent>`. */
const agentOf = ({ agent }: CommandRecord) => agent.slice(agent.lastIndexOf(":") + 1);

/** The reason is for one line alone. */
const stateWords = (record: CommandRecord) => (record.state === "completed" ? stateText(record) : record.state);

function symbolOf({ state, code }: CommandRecord): State {
  if (state === "running") return "working";
  return state === "completed" && code === 0 ? "done" : "failed";
}

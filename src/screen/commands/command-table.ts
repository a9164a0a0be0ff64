// The table of background commands in /tasks and `tool tasks`.
import { type CommandRecord, elapsedMs, sessionEnded, stateText } from "../../background/command.ts";
import { duration } from "../../wording/figures.ts";
import { clamp } from "../line-widths.ts";
import type { State, Style } from "../style.ts";
import { columnsFor, fittedTable, stateCell } from "../table.ts";
import { visibleLine } from "../visible-text.ts";

/** `lastLine`: the last line of output. `session`: its session, if several sessions are listed. */
export type ShownCommand = { record: CommandRecord; lastLine: string; session?: string };

const widestCommand = 48;

/** One line for each command, newest last. `columns`: how wide it may be. */
export function commandTable(
  commands: readonly ShownCommand[],
  style: Style,
  { nowMs, columns = Number.POSITIVE_INFINITY }: { nowMs: number; columns?: number },
): string {
  const several = commands.some(({ session }) => session !== undefined);
  const column = columnsFor(commands);
  const what = (most: number) => (shown: ShownCommand) => clamp(visibleLine(shown.record.command), most);
  const all = [
    column("command", ({ record }) => record.id),
    ...(several ? [column("session", ({ session = "" }) => visibleLine(session.slice(0, 8)))] : []),
    column("agent", ({ record }) => visibleLine(agentOf(record))),
    column("what", what(widestCommand), what(widestCommand / 2)),
    column("state", ({ record }) => stateCell({ state: symbolOf(record), words: stateWords(record) }, style)),
    column("elapsed", ({ record }) => duration(elapsedMs(record, nowMs))),
    column("last line", ({ lastLine }) => clamp(visibleLine(lastLine), widestCommand)),
  ];
  return fittedTable(all, { columns, style, giveWay: columnsGiveWay }).join("\n");
}

const columnsGiveWay = ["what", "agent", "elapsed", "session"];

/** All of one command. */
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

/** The commands that end together with the session, a line each. */
export const endingWithSession = (commands: readonly CommandRecord[]) =>
  commands
    .filter(({ state }) => state === "running")
    .map(({ id, command }) => visibleLine(`The background command ${id} ends with this session: ${command}`));

/** The commands that ended when the session was left or killed, a line each. Their agent is told in its next turn. */
export const stoppedWithSession = (commands: readonly CommandRecord[]) =>
  commands
    .filter(({ state, told, reason }) => state === "stopped" && !told && reason === sessionEnded)
    .map(({ id, command }) => visibleLine(`The background command ${id} was stopped with its session: ${command}`));

/** For `--json`. */
export function commandJson({ record, lastLine, session }: ShownCommand, nowMs: number): Record<string, unknown> {
  const { id, command, state, code, reason, output } = record;
  return {
    command: id,
    session: session ?? null,
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

/** The record has `<session>:<agent>`. */
const agentOf = ({ agent }: CommandRecord) => agent.slice(agent.lastIndexOf(":") + 1);

/** The reason appears only when one command is shown. */
const stateWords = (record: CommandRecord) => (record.state === "completed" ? stateText(record) : record.state);

function symbolOf({ state, code }: CommandRecord): State {
  if (state === "running") return "working";
  return state === "completed" && code === 0 ? "done" : "failed";
}

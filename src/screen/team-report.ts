// The end of a team as text.
import type { TeamReport } from "../team/report.ts";
import type { TeamResult } from "../team/result.ts";
import { dollars, duration, tokens } from "./figures.ts";
import type { State, Style } from "./style.ts";
import { visibleLine } from "./visible-text.ts";

const stateOfTask: Record<TeamReport["tasks"][number]["status"], State> = {
  open: "waiting",
  in_progress: "working",
  blocked: "needs_you",
  completed: "done",
};

/** How a team ended: its report, and what it stood still at. */
export function teamEndText({ report, end }: TeamResult, style: Style, command: string): string {
  return teamReportText(report, style, { stalled: end.stalled, command });
}

/** `command`: what starts this program. `running`: of a team that goes on. `stalled`: why it stood still. `timeline`: its lines, in place of where to find them. */
type ReportMore = { running?: boolean; stalled?: string[]; timeline?: string[]; command?: string };

export function teamReportText(
  report: TeamReport,
  style: Style,
  { running = false, stalled = [], timeline, command = "tool" }: ReportMore = {},
): string {
  const { team, completed, tasks: all, members, ms } = report;
  const cached = report.tokens > 0 ? ` (${Math.round((100 * report.cached_tokens) / report.tokens)} % from cache)` : "";
  const title = running ? "so far" : all.length > 0 && completed === all.length ? "finished" : "ended";
  const head = `Team ${team} ${title}: ${completed} of ${all.length} tasks in ${duration(ms)} by ${count(members.length, "teammate")}, ${tokens(report.tokens)} tokens${cached}, ${dollars(report.cost_usd)}`;
  const tasks = all.length > 0 ? ["", ...all.map((task) => taskLine(task, style))] : [];
  const when = timeline ? ["Timeline:", ...timeline.map((line) => `  ${line}`)] : [`Timeline: ${command} team report --team ${team}`];
  const stood = stalled.map((culprit) => `Stalled: ${visibleLine(culprit)}`);
  return [style.bold(head), ...tasks, "", ...onTheWay(report), ...refused(report), ...stood, ...when].join("\n");
}

function taskLine(task: TeamReport["tasks"][number], style: Style): string {
  const state = stateOfTask[task.status];
  const who = task.assigned_to ?? "";
  const what = task.summary ?? (task.blocked_reason ? `${task.title} (blocked: ${task.blocked_reason})` : task.title);
  const files = task.files.length > 0 ? style.dim(`  ${task.files.map(visibleLine).join(" ")}`) : "";
  return `${task.id.padEnd(8)} ${style.state(state, style.symbol(state))} ${style.member(who, visibleLine(who).padEnd(6))} ${visibleLine(what)}${files}`;
}

function onTheWay({ blocks, ends }: TeamReport): string[] {
  const lines: string[] = [];
  for (const { task, ms, reason, answered_by } of blocks) {
    lines.push(
      `Blocked on the way: ${task} for ${duration(ms)} (${visibleLine(reason)}${answered_by ? `; answered by ${visibleLine(answered_by)}` : ""}).`,
    );
  }
  for (const { member, how } of ends) lines.push(`On the way: ${member} ended: ${visibleLine(how)}.`);
  return lines;
}

const mostDenials = 10;

function refused({ denials }: TeamReport): string[] {
  const lines = denials.slice(0, mostDenials).map(({ member, tool, subject, reason, times }) => {
    const call = [tool, subject].filter(Boolean).map(visibleLine).join(" ");
    return `Denied: ${visibleLine(member)} ${call}${times > 1 ? ` (${times} times)` : ""}. ${visibleLine(reason)}`;
  });
  const more = denials.length - lines.length;
  return more > 0 ? [...lines, `Denied: ${more} more, which --json lists.`] : lines;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

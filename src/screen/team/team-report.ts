// The final report of a team as text.

import { wholeSession } from "../../agent/result/outcome.ts";
import type { TeamResult } from "../../team/lead/result.ts";
import type { TeamReport } from "../../team/report/report.ts";
import type { KeptTree } from "../../team/worktrees.ts";
import { counted } from "../../wording/counted.ts";
import { dollars, duration, plural, tokens } from "../../wording/figures.ts";
import { shellWord } from "../../wording/shell-word.ts";
import { doneState, evidenceAside } from "../evidence-text.ts";
import type { State, Style } from "../style.ts";
import { visibleLine, visibleText } from "../visible-text.ts";

const stateOfTask: Record<TeamReport["tasks"][number]["status"], State> = {
  open: "waiting",
  in_progress: "working",
  blocked: "needs_you",
  completed: "done",
};

/** A completed task whose last test failed is not simply done. */
export function stateOfReported({ status, evidence }: Pick<TeamReport["tasks"][number], "status" | "evidence">): State {
  return status === "completed" ? doneState({ evidence: evidence ?? undefined }) : stateOfTask[status];
}

/** How a team ended: its report, and why it was stuck if it was. */
export function teamEndText({ report, end, worktrees }: TeamResult, style: Style, more: Pick<ReportMore, "command" | "resumable">): string {
  return teamReportText(report, style, { ...more, stalled: end.stalled, worktrees });
}

/**
 * `command`: the command that starts this program. `running`: the team is still running. `stalled`: why it was stuck. `timeline`: its lines, instead
 * of where to find them. `resumable`: the team can be resumed. `worktrees`: where its work was at its end.
 */
type ReportMore = {
  running?: boolean;
  stalled?: string[];
  timeline?: string[];
  command?: string;
  resumable?: boolean;
  worktrees?: string[] | undefined;
};

export function teamReportText(
  report: TeamReport,
  style: Style,
  { running = false, stalled = [], timeline, command = "tool", resumable = false, worktrees = [] }: ReportMore = {},
): string {
  const { team, tasks: all } = report;
  const head = headLine(report, running);
  const tasks = all.length > 0 ? ["", ...all.map((task) => taskLine(task, style))] : [];
  const when = timeline ? ["Timeline:", ...timeline.map((line) => `  ${line}`)] : [`Timeline: ${command} team report --team ${team}`];
  const stood = stalled.map((culprit) => `Stalled: ${visibleLine(culprit)}`);
  const goOn = resumable && !isFinished(report) ? [`Resume: ${command} team --resume ${team}`] : [];
  return [
    style.bold(head),
    ...tasks,
    "",
    ...onTheWay(report),
    ...shortfall(report),
    ...stood,
    ...when,
    ...goOn,
    ...worktrees.map(visibleLine),
  ].join("\n");
}

/** `tested`: the end of a sentence about the branch, such as "npm test passes there". */
type MergedWork = { branch: string; commits: number; isTaken?: boolean; tested?: string | undefined; how: Ways };

/** What brings the work into the person's branch, and what removes a kept worktree. */
type Ways = { take: string; taken: string; remove: (kept: KeptTree) => string };

/** While the team is known, its work has ids. */
export const byId = (command: string, team: string): Ways => ({
  take: `To look at it: ${command} changes ${team}. To take it into your branch: ${command} take ${team}`,
  taken: `Your branch has it. To remove what is left: ${command} drop ${team}`,
  remove: ({ name }) => `To remove one: ${command} drop ${team}/${name}`,
});

/** Without its record only git knows its work. */
export function byGit(root: string, branch: string): Ways {
  const git = `git -C ${shellWord(root)}`;
  return {
    take: `To merge it: git merge ${branch}`,
    taken: `Your branch has it. To remove the team's: ${git} branch -D ${branch}`,
    remove: ({ folder, branch: own }) => `To remove one: ${git} worktree remove --force ${shellWord(folder)} && ${git} branch -D ${own}`,
  };
}

/** Where the work of a team with worktrees is, which worktrees are kept, and how to remove one of them. */
export function settledLines({ branch, commits, isTaken, tested, how }: MergedWork, kept: KeptTree[]): string[] {
  const result = `The team's work is on the branch ${branch} (${plural(commits, "commit")})${tested === undefined ? "" : `; ${tested}`}.`;
  const left = kept.find(({ isThere }) => isThere);
  return [
    ...(commits === 0 ? [] : [result, isTaken ? how.taken : how.take]),
    ...kept.map(({ folder, branch: own, why }) => `Kept: the worktree ${folder}, branch ${own}: ${why}`),
    ...(left ? [how.remove(left)] : []),
  ];
}

/**
 * Shown below the lead's last words when everything is done and the team still exists. Undefined if the lead has made new tasks while it spoke.
 * `checked`: where its work is merged, and how its test ended.
 */
export function completedText(report: TeamReport, style: Style, checked?: string): string | undefined {
  if (!isFinished(report)) return undefined;
  const { tasks, completed } = report;
  const all = tasks.length === 1 ? "The task is completed." : `${completed} of ${tasks.length} tasks are completed.`;
  return [
    headLine(report, true),
    ...tasks.map((task) => taskLine(task, style)),
    ...(checked === undefined ? [] : ["", visibleText(checked)]),
    "",
    style.bold(`${all} Type to continue, Ctrl-C twice to end.`),
  ].join("\n");
}

/** The result in one line. */
export function headLine(report: TeamReport, running: boolean): string {
  const { team, completed, tasks, members, ms } = report;
  const title = running ? "so far" : isFinished(report) ? "finished" : "ended";
  const cached = report.tokens > 0 ? ` (${Math.round((100 * report.cached_tokens) / report.tokens)} % from cache)` : "";
  return `Team ${team} ${title}: ${completed} of ${tasks.length} tasks in ${duration(ms)} by ${plural(members.length, "teammate")}, ${tokens(report.tokens)} tokens${cached}, ${dollars(report.cost_usd)}`;
}

function isFinished({ completed, tasks }: TeamReport): boolean {
  return tasks.length > 0 && completed === tasks.length;
}

function taskLine(task: TeamReport["tasks"][number], style: Style): string {
  const state = stateOfReported(task);
  const tests = task.status === "completed" ? evidenceAside(task.evidence ?? undefined, style) : "";
  const who = task.assigned_to ?? "";
  const what = task.summary ?? (task.blocked_reason ? `${task.title} (blocked: ${task.blocked_reason})` : task.title);
  const files = task.files.length > 0 ? style.dim(`  ${task.files.map((path) => fileWords(path, task.changes)).join(" ")}`) : "";
  return `${task.id.padEnd(8)} ${style.state(state, style.symbol(state))} ${style.member(who, visibleLine(who).padEnd(6))} ${visibleLine(what)}${tests}${files}`;
}

/** `src/parse.js +41 −12`. */
function fileWords(path: string, changes: TeamReport["tasks"][number]["changes"]): string {
  const own = changes.filter((change) => change.path === path);
  const total = (count: (change: (typeof own)[number]) => number | undefined) =>
    own.reduce<number | undefined>((sum, change) => (sum === undefined ? undefined : add(sum, count(change))), 0);
  const [added, removed] = [total((change) => change.added), total((change) => change.removed)];
  return own.length === 0 || added === undefined || removed === undefined
    ? visibleLine(path)
    : `${visibleLine(path)} +${added} −${removed}`;
}

function add(sum: number, more: number | undefined): number | undefined {
  return more === undefined ? undefined : sum + more;
}

/** Without ends that are said as failures. */
function onTheWay({ blocks, ends, failures }: TeamReport): string[] {
  const lines: string[] = [];
  for (const { task, ms, reason, answered_by } of blocks) {
    lines.push(
      `Was blocked: ${task} for ${duration(ms)} (${visibleLine(reason)}${answered_by ? `; answered by ${visibleLine(answered_by)}` : ""}).`,
    );
  }
  const isFailure = ({ member, how }: (typeof ends)[number]) => failures.some(({ agent, error }) => agent === member && error === how);
  for (const end of ends) if (!isFailure(end)) lines.push(`Meanwhile: ${end.member} ended: ${visibleLine(end.how)}.`);
  return lines;
}

const mostLines = 10;

function shortfall({ permission_denials: denials, failures }: TeamReport): string[] {
  const denied = denials.map(({ agent, tool, subject, reason }) => {
    const call = [tool, subject].filter(Boolean).map(visibleLine).join(" ");
    return `Denied: ${visibleLine(agent)} ${call}. ${visibleLine(reason)}`;
  });
  const failed = failures.map(({ agent, item, error }) => {
    const what = item === wholeSession || item === agent ? [agent] : [agent, item];
    return `Failed: ${[...what, error.split("\n", 1)[0] ?? ""].map(visibleLine).join(": ")}`;
  });
  return [...shortened(counted(denied), "Denied"), ...shortened(counted(failed), "Failed")];
}

function shortened(lines: string[], what: string): string[] {
  const more = lines.length - mostLines;
  return more > 0 ? [...lines.slice(0, mostLines), `${what}: ${more} more; --json lists them.`] : lines;
}

// The last line of a pane: the team's numbers and what each member does, dropping words before states when it gets narrow.
import { visibleWidth } from "@earendil-works/pi-tui";
import type { Task } from "../board/task.ts";
import type { MemberState, MemberStatus } from "../team/status.ts";
import { dollars, duration, tokens } from "./figures.ts";
import type { State, Style } from "./style.ts";
import { visibleLine } from "./visible-text.ts";

export type TeamView = { tasks: Task[]; members: MemberStatus[]; nowMs: number };

/** The lead's status line: `3 ✓  2 ▶  1 !  2 waiting │ ada ▶ task-4 Edit src/fmt.ts 12s │ … │ $0.21`. */
export function teamStatusLine(view: TeamView, style: Style, width: number): string {
  const cost = style.dim(dollars(sum(view.members.map((member) => member.cost_usd))));
  const forms: ((member: MemberStatus) => string)[] = [
    (member) => memberPart(member, view, style),
    (member) => memberPart({ ...member, doing: "" }, view, style),
    (member) => shortPart(member, view.tasks, style),
  ];
  const teammates = view.members.filter(({ name }) => name !== "lead");
  for (const [index, form] of forms.entries()) {
    const line = [counts(view.tasks, style, index === 2), ...teammates.map(form), cost].join(style.dim(` ${style.separator} `));
    if (visibleWidth(line) <= width) return line;
  }
  return [counts(view.tasks, style, true), ...teammates.map((member) => shortPart(member, view.tasks, style))].join(" ");
}

/** A teammate's own status line: its state, its task, its tokens and cost. */
export function memberStatusLine(
  status: MemberStatus,
  { style, nowMs, paneHint }: { style: Style; nowMs: number; paneHint: string },
): string {
  const used = `${status.turns} turns  ${tokens(status.tokens)} tokens  ${dollars(status.cost_usd)}`;
  return [
    `${style.member(status.name, status.name)} ${memberState(status, style)}`,
    [status.task, visibleLine(status.doing), elapsed(status, nowMs)].filter(Boolean).join(" "),
    style.dim(used),
    style.dim(paneHint),
  ]
    .filter(Boolean)
    .join(style.dim(` ${style.separator} `));
}

/** A pane's title: `ada > task-4 Format amounts`. Plain, since a title has no colours. */
export function paneTitle(status: MemberStatus, tasks: Task[], style: Style): string {
  const task = tasks.find(({ id }) => id === status.task);
  const state = style.symbol(stateOf[status.state]);
  return [status.name, state, task ? `${task.id} ${visibleLine(task.title)}` : status.state.replace("_", " ")].join(" ");
}

/** A state's symbol and colour, the same everywhere. */
const stateOf: Record<MemberState, State> = {
  starting: "waiting",
  working: "working",
  waiting_permission: "needs_you",
  idle: "waiting",
  stopping: "waiting",
};

function counts(tasks: Task[], style: Style, short: boolean): string {
  const count = (status: Task["status"]) => tasks.filter((task) => task.status === status).length;
  const gap = short ? "" : " ";
  const part = (state: State, number: number) => style.state(state, `${number}${gap}${style.symbol(state)}`);
  const shown = [part("done", count("completed")), part("working", count("in_progress"))];
  if (count("blocked") > 0) shown.push(part("needs_you", count("blocked")));
  shown.push(short ? String(count("open")) : `${count("open")} waiting`);
  return shown.join(short ? " " : "  ");
}

function memberPart(member: MemberStatus, { tasks, nowMs }: TeamView, style: Style): string {
  const blocked = tasks.find((task) => task.status === "blocked" && task.assigned_to === member.name);
  const what = [member.task ?? (blocked && `${style.symbol("needs_you")} ${blocked.id}`), visibleLine(member.doing).slice(0, 30)]
    .filter(Boolean)
    .join(" ");
  return [style.member(member.name, member.name), memberState(member, style), what, elapsed(member, nowMs)].filter(Boolean).join(" ");
}

function shortPart(member: MemberStatus, tasks: Task[], style: Style): string {
  const blocked = tasks.find((task) => task.status === "blocked" && task.assigned_to === member.name);
  const number = (member.task ?? blocked?.id ?? "").replace("task-", "");
  const state: State = !member.task && blocked ? "needs_you" : stateOf[member.state];
  return `${style.member(member.name, member.name)} ${style.state(state, `${style.symbol(state)}${number}`)}`;
}

function memberState(member: MemberStatus, style: Style): string {
  const state = stateOf[member.state];
  const word =
    member.state === "waiting_permission" ? " needs you" : member.state === "working" || member.state === "idle" ? "" : ` ${member.state}`;
  return style.state(state, `${style.symbol(state)}${word}`);
}

function elapsed(member: MemberStatus, nowMs: number): string {
  if (member.state !== "working") return "";
  return duration(Math.max(0, Math.floor((nowMs - Date.parse(member.since)) / 1000) * 1000)).replace("0ms", "");
}

function sum(costs: (number | null)[]): number | null {
  return costs.includes(null) ? null : costs.reduce<number>((total, cost) => total + (cost ?? 0), 0);
}

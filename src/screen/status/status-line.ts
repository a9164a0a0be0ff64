// The status line of a team's pane: the team's numbers and what each member does. When it is narrow, words are dropped before states.
import type { Task } from "../../board/tasks/task.ts";
import type { MemberStatus } from "../../team/report/status.ts";
import { dollars, elapsedTime, plural, windowFill } from "../../wording/figures.ts";
import { clamp, firstFitting } from "../line-widths.ts";
import type { State, Style } from "../style.ts";
import { memberStates } from "../team/member-states.ts";
import { visibleLine } from "../visible-text.ts";
import { handsBrief } from "./hands-text.ts";
import { modeKey, ownCommandText } from "./solo-status-line.ts";

export type TeamView = {
  tasks: Task[];
  members: MemberStatus[];
  /** Of everybody who was ever in the team; null when a price is not known. */
  costUsd: number | null;
  nowMs: number;
  /** A key that does something at the moment. An urgent one comes first and stays until there is room only for states. */
  hint?: Hint;
};

export type Hint = { text: string; urgent: boolean };

/** The lead's status line: `3 ✓  2 ▶  1 !  2 waiting │ ada ▶ task-4 Edit src/fmt.ts 12s │ … │ $0.21`. */
export function teamStatusLine(view: TeamView, style: Style, width: number): string {
  const teammates = view.members.filter(({ name }) => name !== "lead");
  const cost = style.dim(dollars(view.costUsd));
  const urgent = view.hint?.urgent ? [style.state("needs_you", `${style.symbol("needs_you")} ${visibleLine(view.hint.text)}`)] : [];
  const calm = view.hint && !view.hint.urgent ? [style.dim(visibleLine(view.hint.text))] : [];
  const long = tally(view.tasks, style, "long");
  const short = tally(view.tasks, style, "short");
  const shortest = tally(view.tasks, style, "shortest");
  const full = teammates.map((member) => memberPart(member, view, style));
  const brief = teammates.map((member) => memberPart({ ...member, doing: "" }, view, style));
  const states = teammates.map((member) => shortPart(member, view.tasks, style));
  const initials = teammates.map((member) => shortPart(member, view.tasks, style, 2));
  const bar = style.dim(` ${style.separator} `);
  const forms = [
    [...urgent, long, ...full, cost, ...calm].join(bar),
    [...urgent, long, ...full, cost].join(bar),
    [...urgent, long, ...brief, cost].join(bar),
    [...urgent, short, ...states, cost].join(bar),
    [...urgent, shortest, ...states, cost].join(bar),
    ...(urgent.length > 0
      ? [[...urgent, [shortest, ...states].join(" ")].join(bar), [...urgent, shortest].join(bar)]
      : [[shortest, ...states].join(" ")]),
    [shortest, ...initials].join(" "),
  ];
  return firstFitting(forms, width);
}

const longestDoing = 30;

/** `command`: the person's own running command, if any. */
type MemberLook = { style: Style; nowMs: number; mode: string; wayBack: string; command?: string | undefined; width: number };

/** A teammate's status line: state, task, how full its window is, cost, and last the way back to the lead, if there is one. */
export function memberStatusLine(status: MemberStatus, { style, nowMs, mode, wayBack, command, width }: MemberLook): string {
  const state = `${style.member(status.name, status.name)} ${memberState(status, style)}`;
  const how = status.state === "waiting_person" ? "type here to continue" : visibleLine(status.doing);
  const isOwn = command !== undefined && status.state !== "working";
  const doing = (words: string) =>
    isOwn ? ownCommandText(command) : [status.task, words, elapsed(status, nowMs)].filter(Boolean).join(" ");
  const [now, brief] = [doing(how), doing(clamp(how, longestDoing))];
  const window = windowFill(status.context_tokens, status.window_tokens);
  const used =
    status.turns > 0 ? style.dim([plural(status.turns, "turn"), window, dollars(status.cost_usd)].filter(Boolean).join("  ")) : "";
  const back = style.dim(wayBack);
  const hands = status.hands ? style.dim(handsBrief(status.hands)) : "";
  const unusual = mode === "default" ? "" : style.dim(mode);
  const forms = [
    [state, now, hands, style.dim(`${mode} (${modeKey})`), used, back],
    [state, brief, hands, style.dim(`${mode} (${modeKey})`), used, back],
    [state, brief, hands, unusual, used, back],
    [state, brief, hands, unusual, back],
    [state, brief, back],
    [state, status.task ?? "", back],
    [state, back],
  ].map((parts) => parts.filter(Boolean).join(style.dim(` ${style.separator} `)));
  return firstFitting(forms, width);
}

/** A pane's title, such as `ada ▶ task-4 Format amounts` or `ada ! needs you task-4 Format amounts`. Plain, because a title has no colours. */
export function paneTitle(status: MemberStatus, tasks: Task[], style: Style): string {
  const task = tasks.find(({ id }) => id === status.task);
  const shown = memberStates[status.state];
  const state = style.symbol(shown.state);
  const needed = status.state.startsWith("waiting_") ? shown.words : undefined;
  const needsYou = needed ? [needed] : [];
  const blocked = needed || task || status.state !== "idle" ? undefined : blockedOf(status, tasks);
  if (blocked) return `${status.name} ${style.symbol("needs_you")} ${blocked.id} ${visibleLine(blocked.title)}: blocked`;
  const what = task ? [`${task.id} ${visibleLine(task.title)}`] : needed ? [] : [shown.words];
  return [status.name, state, ...needsYou, ...what].join(" ");
}

function blockedOf({ name }: MemberStatus, tasks: Task[]): Task | undefined {
  return tasks.find((task) => task.status === "blocked" && task.assigned_to === name);
}

function tally(tasks: Task[], style: Style, form: "long" | "short" | "shortest"): string {
  const number = (status: Task["status"]) => tasks.filter((task) => task.status === status).length;
  if (tasks.length === 0) return style.state("waiting", form === "shortest" ? "no tasks" : "no tasks yet");
  const gap = form === "long" ? " " : "";
  const part = (state: State, status: Task["status"]) => style.state(state, `${number(status)}${gap}${style.symbol(state)}`);
  const shown = [part("done", "completed")];
  if (number("in_progress") > 0) shown.push(part("working", "in_progress"));
  if (number("blocked") > 0) shown.push(part("needs_you", "blocked"));
  if (number("open") > 0) shown.push(form === "shortest" ? part("waiting", "open") : `${number("open")} waiting`);
  return shown.join(form === "long" ? "  " : " ");
}

function memberPart(member: MemberStatus, { tasks, nowMs }: TeamView, style: Style): string {
  const name = style.member(member.name, member.name);
  const blocked = blockedOf(member, tasks);
  if (!member.task && blocked && member.state === "idle") {
    return `${name} ${style.state("needs_you", style.symbol("needs_you"))} ${blocked.id}`;
  }
  const what = [member.task, clamp(visibleLine(member.doing), longestDoing)].filter(Boolean).join(" ");
  const hands = member.hands && style.dim(`at ${member.hands.place}`);
  return [name, hands, memberState(member, style), what, elapsed(member, nowMs)].filter(Boolean).join(" ");
}

function shortPart(member: MemberStatus, tasks: Task[], style: Style, letters = Number.POSITIVE_INFINITY): string {
  const blocked = blockedOf(member, tasks);
  const number = (member.task ?? blocked?.id ?? "").replace("task-", "");
  const state: State = !member.task && blocked ? "needs_you" : memberStates[member.state].state;
  return `${style.member(member.name, member.name.slice(0, letters))} ${style.state(state, `${style.symbol(state)}${number}`)}`;
}

/** With its word, unless the task or the activity beside it says enough. */
function memberState(member: MemberStatus, style: Style): string {
  const { state, words } = memberStates[member.state];
  const isPlain = member.state === "working" || member.state === "idle";
  const word = isPlain && (member.task || member.doing) ? "" : ` ${words}`;
  return style.state(state, `${style.symbol(state)}${word}`);
}

function elapsed(member: MemberStatus, nowMs: number): string {
  if (member.state !== "working") return "";
  const time = elapsedTime(nowMs - Date.parse(member.since));
  return time === "0s" ? "" : time;
}

// The rows of the teams that run: each team, its members with what they wait for, and the questions that are open in it.

import { transcriptPath } from "../../agent/session/transcript.ts";
import { askerWords, type Request } from "../../board/messages/requests.ts";
import type { Task } from "../../board/tasks/task.ts";
import type { TeamRecord } from "../../board/team-record.ts";
import type { Question } from "../../permissions/questions/question.ts";
import { memberStates } from "../../screen/team/member-states.ts";
import type { WatchRow } from "../../screen/watch/row.ts";
import { handlesOf } from "../../team/place.ts";
import type { MemberView, TeamStatus } from "../../team/report/team-status.ts";
import { questionSubject } from "../../wording/question-words.ts";

export type WatchedTeam = { status: TeamStatus; record: TeamRecord; tasks: Task[]; pending: Request<Question>[] };

export function teamRows({ status, record, tasks, pending }: WatchedTeam, configDir: string): WatchRow[] {
  const { team, cwd, cost_usd, members } = status;
  const root = `team ${team}`;
  const living = members.filter(({ pid, state }) => pid !== null || state === "elsewhere");
  const counts = `${status.tasks.completed} of ${tasks.length} tasks completed`;
  const head: WatchRow = {
    id: root,
    kind: "team",
    name: root,
    fullName: root,
    state: status.stalled.length > 0 ? "needs_you" : status.state === "running" ? "working" : "failed",
    words: status.stalled.length > 0 ? "is stuck" : status.state === "running" ? "running" : "lost its lead",
    since: status.created_at,
    now: status.stalled[0] ?? counts,
    waitsFor: [],
    folder: cwd,
    turns: null,
    tokens: status.tokens,
    costUsd: cost_usd,
    pid: null,
    ...(status.state !== "running" && { command: `team --resume ${team}` }),
  };
  return [head, ...living.map((member) => memberRow(member, { status, record, tasks, pending, configDir, root }))];
}

type Around = WatchedTeam & { configDir: string; root: string };

function memberRow(member: MemberView, { status, record, tasks, pending, configDir, root }: Around): WatchRow {
  const { name } = member;
  const asked = pending.find(({ from }) => from === name);
  const shown = asked ? memberStates.waiting_permission : memberStates[member.state];
  const handle = handlesOf(record).find((each) => each.name === name)?.handle;
  const session = record.members.find((each) => each.name === name)?.session;
  const held = tasks.find(({ id }) => id === (member.task ?? member.blocked[0]));
  const doing = [held?.id, member.how || member.doing || held?.title].filter(Boolean).join(" ");
  return {
    id: `${status.team}/${name}`,
    kind: "member",
    name,
    fullName: `${status.team}/${name}`,
    root,
    state: shown.state,
    words: shown.words,
    since: asked?.asked_at ?? member.since,
    now: asked ? `${asked.agent === undefined ? "" : `${askerWords(asked)}: `}${questionSubject(asked.question)}` : doing,
    waitsFor: shown.state === "needs_you" ? ["you"] : waitsFor(member, status, tasks),
    folder: status.cwd,
    turns: member.turns,
    tokens: member.tokens,
    costUsd: member.cost_usd,
    pid: member.pid,
    ...(asked && { question: { in: { team: status.team }, request: asked.id } }),
    ...(session !== undefined && { transcript: transcriptPath(configDir, status.cwd, session) }),
    ...(handle?.kind === "tmux" && { pane: handle }),
  };
}

/** Whom an idle member waits for: the owners of what its tasks depend on; at the lead, the teammates at work. */
export function waitsFor({ name, role, state, blocked }: MemberView, { members }: TeamStatus, tasks: readonly Task[]): string[] {
  if (blocked.length > 0) return ["lead"];
  if (state !== "idle") return [];
  if (role === "lead") return members.filter((one) => one.role === "teammate" && one.state === "working").map((one) => one.name);
  const next = tasks.filter(({ status, assigned_to }) => status === "open" && (assigned_to === null || assigned_to === name));
  const needed = new Set(next.flatMap(({ dependencies }) => dependencies));
  const owners = tasks.filter(({ id, status }) => needed.has(id) && status !== "completed").map(({ assigned_to }) => assigned_to);
  return [...new Set(owners)].filter((owner) => owner !== null && owner !== name) as string[];
}

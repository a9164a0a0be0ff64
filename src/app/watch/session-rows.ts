// The rows of the solo sessions that run, with the agents that each has at work in the background.
import { allTokens } from "../../agent/usage.ts";
import { memberStates } from "../../screen/team/member-states.ts";
import type { WatchRow } from "../../screen/watch/row.ts";
import { type AgentRecord, isUnderWay } from "../../subagents/record.ts";
import type { RunningSession } from "./running-sessions.ts";

/** `stopped`: a signal keeps its process from doing anything. */
export function sessionRows(
  session: RunningSession,
  { agents, stopped, question }: { agents: readonly AgentRecord[]; stopped: boolean; question?: WatchRow["question"] },
): WatchRow[] {
  const { session: id, state, doing, since, cwd, turns, tokens, cost_usd, pid, transcript, display, kind, what } = session;
  const root = `session ${id}`;
  const shown = stopped ? memberStates.suspended : state === "idle" ? { state: "waiting" as const, words: "ready" } : memberStates[state];
  const atWork = agents.filter((agent) => isUnderWay(agent) || agent.state === "needs_permission");
  const head: WatchRow = {
    id: root,
    kind: "session",
    name: `session ${id.slice(0, 8)}`,
    fullName: `session ${id.slice(0, 8)}`,
    state: shown.state,
    words: kind === "printed" && state === "working" ? "printing" : shown.words,
    since,
    now: stopped ? `resume it with kill -CONT ${pid}` : doing || what,
    waitsFor: shown.state === "needs_you" ? ["you"] : state === "idle" ? atWork.map(({ name }) => name) : [],
    folder: cwd,
    turns,
    tokens,
    costUsd: cost_usd,
    pid,
    transcript,
    ...(question && { question }),
    ...(display?.kind === "tmux" && { pane: display }),
  };
  return [head, ...atWork.map((agent) => agentRow(agent, { head, session: id }))];
}

/** Of an agent in the background. Its question is open in its session, and answered there. */
export function agentRow(
  agent: AgentRecord,
  { head, session }: { head: Pick<WatchRow, "id" | "fullName" | "folder" | "question" | "pane">; session: string },
): WatchRow {
  const {
    id,
    name,
    state,
    description,
    now = "",
    startedAt,
    resumedAt = startedAt,
    turns,
    usage,
    costUsd,
    transcript,
    reason = "",
    asks,
  } = agent;
  const suspended = state === "needs_permission";
  const needs = suspended || (state === "running" && asks !== undefined);
  return {
    id: `${session}/${id}`,
    kind: "agent",
    name,
    fullName: `${head.fullName}/${name}`,
    root: head.id,
    state: needs ? "needs_you" : state === "pending" ? "waiting" : "working",
    words: needs ? "needs you" : state === "pending" ? "queued" : "working",
    since: resumedAt,
    now: suspended ? reason : needs ? `asks: ${asks}` : now || description,
    waitsFor: needs ? ["you"] : [],
    folder: head.folder,
    turns,
    tokens: allTokens(usage),
    costUsd,
    pid: null,
    transcript,
    ...(suspended && { command: `agents resume ${id}` }),
    ...(needs && !suspended && head.question && { question: head.question }),
    ...(needs && !suspended && head.pane && { pane: head.pane }),
  };
}

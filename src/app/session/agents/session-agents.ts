// Composes the agents that a session starts: each gets its own session on the same model, under the same rules, narrowed.
import type { AgentEvent } from "../../../agent/events.ts";
import type { Incident } from "../../../agent/result/outcome.ts";
import type { Session } from "../../../agent/session/session.ts";
import type { Spending } from "../../../agent/spending.ts";
import type { Workspace } from "../../../agent/workspace.ts";
import { lastWords } from "../../../subagents/agent-tool.ts";
import type { Definitions } from "../../../subagents/definitions/definitions.ts";
import { receiver } from "../../../subagents/deliveries.ts";
import { incidentsOf } from "../../../subagents/incidents.ts";
import { type AgentWorktrees, settled } from "../../../subagents/isolation.ts";
import { reconcile, reportsIn } from "../../../subagents/reconcile.ts";
import { type AgentRecord, isUnderWay } from "../../../subagents/record.ts";
import { openRecords } from "../../../subagents/record-file.ts";
import { subagentLimits } from "../../../subagents/run-limits.ts";
import { spentBelow } from "../../../subagents/spent-below.ts";
import { obeyStops, stopInRecords } from "../../../subagents/stop-requests.ts";
import { createSubagents, type StartResult, type Subagents } from "../../../subagents/subagents.ts";
import type { AnyTool } from "../../../tools/tool.ts";
import type { AgentHands } from "../../places/agent-hands.ts";
import type { World } from "../../world.ts";
import { agentTools, hookFactsOf, modelFor, openAgent, transcriptsOf } from "../agent-session.ts";
import { sessionFolderOf } from "../session-claim.ts";
import { sessionDefinitions } from "../session-definitions.ts";
import { watchStops } from "../watch-stops.ts";
import { sessionWorktrees } from "./agent-worktrees.ts";
import type { AgentsOrder } from "./agents-order.ts";
import { type ForkedSkill, skillOrder } from "./forked-skill.ts";
import { recordFailed } from "./session-workers.ts";

export type SessionAgents = {
  host: Subagents;
  tools: AnyTool[];
  definitions: Definitions;
  /** What they had spent when the session was opened. */
  spentBefore: Spending;
  /** Messages for the person about interrupted agents. */
  notices: string[];
  /**
   * Sends costs and reports to this session from now on, and resumes interrupted agents, all or those of these ids. `wake`: called when a report waits
   * or a state has changed.
   */
  attach(session: Session, wake: () => void, resumes?: (id: string) => boolean): void;
  /** Runs a skill in a separate agent. */
  startSkill(forked: ForkedSkill): Promise<StartResult>;
  /** Puts waiting reports into the session's conversation without starting a turn, unless a call there waits for its result. */
  deliver(signal: AbortSignal): Promise<void>;
  /** What the agents that ran in this process add to the outcome of the session's run; complete when they have ended. */
  incidents(): Incident[];
  /** Ends all of them. */
  close(): Promise<void>;
  /** Calls the listener with every event of every agent until the returned function is called. */
  listen(listener: (record: AgentRecord, event: AgentEvent) => void): () => void;
};

export async function openSessionAgents(world: World, order: AgentsOrder): Promise<SessionAgents> {
  const folder = sessionFolderOf(order.transcript);
  const settings = order.work.settings();
  const definitions = order.definitions ?? (await sessionDefinitions(world, settings));
  const worktrees = sessionWorktrees(world, order);
  const { records, goOn } = await agentsBefore(order, folder, worktrees);
  const stops = await watchStops(world, { disk: order.disk, folder, host: () => host });
  const sessions = new Map<string, Session>();
  const works = new Map<string, Workspace>();
  const hands = new Map<string, AgentHands>();
  const listeners: ((record: AgentRecord, event: AgentEvent) => void)[] = [];
  let main: Session | undefined;
  let wake = () => {};
  const host = createSubagents({
    records,
    limits: subagentLimits(settings.effective.agents),
    clock: order.clock,
    newId: () => `a-${world.uniqueId().slice(0, 4)}`,
    transcriptPath: (id) => `${folder}/subagents/agent-${id}.jsonl`,
    outputs: order.outputs,
    worktrees,
    cwd: world.cwd,
    command: world.command,
    open: (record, way) => openAgent(record, way, { world, order, definitions, sessions, works, hands, main: () => main }),
    onEvent(record, event) {
      const above = (sessions.get(receiver(record, records) ?? "") ?? main)?.agent;
      if (event.type === "agent_ended") {
        above?.emit(event);
        recordFailed(record, order);
        order.hooks.subagentStops({ ...hookFactsOf(record), status: record.state, report: record.report ?? "" });
      }
      for (const listener of listeners) listener(record, event);
    },
    onChange() {
      stops.poll();
      wake();
    },
  });
  return {
    host,
    definitions,
    spentBefore: spentBelow(records.all(), { parent: undefined, transcriptOf: transcriptsOf(order) }),
    tools: agentTools(
      { order, definitions, host },
      { work: order.work, cwd: world.cwd, tools: order.as?.tools, lastWords: ({ id }) => lastWords(sessions.get(id)) },
    ),
    notices: goOn.map((id) => `Agent ${records.find(id)?.name} was interrupted when the session ended, and continues now.`),
    attach(session, onWake, resumes = () => true) {
      main = session;
      wake = onWake;
      for (const id of goOn.filter(resumes)) void host.resume(id, { background: true }, new AbortController().signal);
    },
    startSkill: (forked) => host.start(skillOrder(forked, modelFor(order)), forked.signal),
    deliver: async (signal) => main && deliverTo(main, host, signal),
    incidents: () => host.ran().flatMap(incidentsOf),
    close() {
      stops.end();
      return host.close();
    },
    listen(listener) {
      listeners.push(listener);
      return () => void listeners.splice(listeners.indexOf(listener), 1);
    },
  };
}

/** The records after the previous process has ended, and the agents that continue. */
async function agentsBefore({ disk, clock, past }: AgentsOrder, folder: string, worktrees: AgentWorktrees) {
  const records = openRecords(disk, folder);
  obeyStops(disk, folder, { find: records.find, stop: (id) => stopInRecords(records, id, clock.now().toISOString()) });
  const { records: now, goOn } = reconcile(records.all(), {
    parentHas: reportsIn(past),
    transcriptOf: transcriptsOf({ disk }),
  });
  const underWay = now.filter(({ id }) => goOn.includes(id));
  for (const record of now) {
    const isLeft = record.worktree?.state === "used" && record.report !== undefined && !isUnderWay(record) && !goOn.includes(record.id);
    const last = isLeft ? await settled(record, { worktrees, underWay, find: records.find }) : record;
    if (last !== records.find(record.id)) records.put(last);
  }
  return { records, goOn };
}

async function deliverTo({ agent }: Session, host: Subagents, signal: AbortSignal): Promise<void> {
  const reports = host.deliveriesTo(undefined);
  if (agent.history.pendingCalls().length > 0 || !reports.waits()) return;
  const inputs = reports.take();
  agent.emit({ type: "input", inputs, at: agent.clock.now().toISOString() });
  await agent.written?.(signal);
  reports.recorded(inputs);
}

// The agents that a session starts, composed: each gets a session of its own on the same model, behind the same rules, narrowed.
import { dirname } from "node:path";
import type { Clock } from "../../agent/clock.ts";
import type { AgentEvent, TranscriptEvent } from "../../agent/events.ts";
import type { Failures } from "../../agent/failures.ts";
import { type Instructions, instructionsPrompt } from "../../agent/instructions.ts";
import type { Ledger } from "../../agent/ledger.ts";
import type { Model } from "../../agent/model.ts";
import { modelNamed } from "../../agent/requests/prices.ts";
import type { RetryBudget } from "../../agent/requests/retry.ts";
import { createSession, reportsOf, type Session } from "../../agent/session.ts";
import { openTranscript, outputsFolder } from "../../agent/transcript.ts";
import type { Work } from "../../agent/work.ts";
import type { PatientDisk } from "../../board/disk.ts";
import type { SessionHooks } from "../../hooks/session-hooks.ts";
import type { Ask } from "../../permissions/permit.ts";
import { agentTool, checkAgentTool, lastWords } from "../../subagents/agent-tool.ts";
import type { Definition } from "../../subagents/definition.ts";
import type { Definitions } from "../../subagents/definitions.ts";
import { forkResults } from "../../subagents/fork.ts";
import { goOnText, subagentSystemPrompt } from "../../subagents/prompt.ts";
import { reconcile, reportsIn } from "../../subagents/reconcile.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import { openRecords } from "../../subagents/record-file.ts";
import { subagentLimits } from "../../subagents/run-limits.ts";
import { obeyStops, stopInRecords } from "../../subagents/stop-requests.ts";
import { createSubagents, type Opened, type OpenWay, type Subagents } from "../../subagents/subagents.ts";
import type { OutputStore } from "../../tools/output.ts";
import type { AnyTool } from "../../tools/tool.ts";
import { openHooks } from "../open-hooks.ts";
import type { World } from "../world.ts";
import { agentPermit } from "./agent-permit.ts";
import type { ToolUser } from "./further-tools.ts";
import { definedTools, sessionDefinitions } from "./session-definitions.ts";
import { recordFailed, workerMail, workerTools } from "./session-workers.ts";
import { watchStops } from "./watch-stops.ts";

/** What the session has, whose agents these are. */
export type AgentsOrder = {
  id: string;
  /** The marker of everything that its commands start; an agent's begins with it. */
  owner: string;
  /** The session's transcript: agents lie in the folder beside it. */
  transcript: string;
  past: TranscriptEvent[];
  events: () => TranscriptEvent[];
  disk: PatientDisk;
  clock: Clock;
  model: Model;
  modelName: string;
  scripted: boolean;
  work: Work;
  /** Absent: they are read now. */
  definitions?: Definitions;
  /** The definition that the session itself works by. */
  as?: Definition | undefined;
  hooks: SessionHooks;
  instructions: Instructions[];
  outputs: OutputStore;
  ledger: Ledger;
  retryBudget: RetryBudget | undefined;
  budgetUsd: number | undefined;
  maxTurns: number | undefined;
  /** Asks the person in the name of an agent; absent where nobody can be asked. */
  askFor?: (name: string) => Ask;
  onNotice?: (text: string) => void;
  /** Where a worker is named that failed and did not say so itself. */
  failures: Pick<Failures, "record">;
  /** What every agent of the session has beside its work and other agents. */
  furtherTools: (user: ToolUser) => AnyTool[];
};

export type SessionAgents = {
  host: Subagents;
  tools: AnyTool[];
  definitions: Definitions;
  /** For the person: agents that were interrupted. */
  notices: string[];
  /** From now on costs and reports go to this session, and interrupted agents go on. `wake`: a report waits, or a state has changed. */
  attach(session: Session, wake: () => void): void;
  /** Puts the reports that wait into the session's conversation, without a turn. */
  deliver(): void;
  /** Ends all of them. */
  close(): Promise<void>;
  /** Every event of every agent, until the returned function is called. */
  listen(listener: (record: AgentRecord, event: AgentEvent) => void): () => void;
};

export async function openSessionAgents(world: World, order: AgentsOrder): Promise<SessionAgents> {
  const folder = order.transcript.slice(0, -".jsonl".length);
  const settings = order.work.settings();
  const definitions = order.definitions ?? (await sessionDefinitions(world, settings));
  const records = openRecords(order.disk, folder);
  obeyStops(order.disk, folder, { find: records.find, stop: (id) => stopInRecords(records, id, order.clock.now().toISOString()) });
  const { records: now, goOn } = reconcile(records.all(), {
    parentHas: reportsIn(order.past),
    transcriptOf: (record) => openTranscript(order.disk, record.transcript).events(),
  });
  for (const record of now) if (record !== records.find(record.id)) records.put(record);
  const stops = await watchStops(world, { disk: order.disk, folder, host: () => host });
  const sessions = new Map<string, Session>();
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
    open: (record, way) => openAgent(record, way, { world, order, definitions, sessions, main: () => main }),
    onEvent(record, event) {
      const above = (sessions.get(record.parent ?? "") ?? main)?.agent;
      if (event.type === "agent_ended") {
        above?.emit(event);
        recordFailed(record, order);
        order.hooks.subagentStops({ ...toldOf(record), status: record.state, report: record.report ?? "" });
      }
      // Seen live below the call that waits for it.
      if (event.type === "tool_started" && !record.background) {
        above?.emit({ type: "tool_output", id: record.call, text: `${event.name} ${event.subject}\n` });
      }
      for (const listener of listeners) listener(record, event);
    },
    onChange() {
      stops.look();
      wake();
    },
  });
  const setup = {
    host,
    definitions: definitions.list,
    listBytes: settings.effective.agents.promptBytes,
    modelOf: modelFor(order),
    clockMs: () => order.clock.now().getTime(),
  };
  return {
    host,
    definitions,
    tools: [
      ...workerTools({ ...setup, ...coordinating(world, order), tools: order.as?.tools }),
      agentTool(setup),
      checkAgentTool(setup, (record) => lastWords(sessions.get(record.id))),
    ],
    notices: goOn.map((id) => `Agent ${records.find(id)?.name} was interrupted when the session ended, and goes on.`),
    attach(session, onWake) {
      main = session;
      wake = onWake;
      for (const id of goOn) void host.resume(id, { ask: false, background: true }, new AbortController().signal);
    },
    deliver() {
      const reports = host.deliveriesTo(undefined);
      const inputs = reports.take();
      if (inputs.length === 0) return;
      main?.agent.emit({ type: "input", inputs, at: order.clock.now().toISOString() });
      reports.recorded(inputs);
    },
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

/** A script answers whichever model is named. */
function modelFor({ scripted, modelName }: AgentsOrder): (wanted: string) => string {
  return (wanted) => (scripted || wanted === "inherit" ? modelName : modelNamed(wanted));
}

type Opening = {
  world: World;
  order: AgentsOrder;
  definitions: Definitions;
  sessions: Map<string, Session>;
  main: () => Session | undefined;
};

async function openAgent(record: AgentRecord, way: OpenWay, opening: Opening): Promise<Opened> {
  const { world, order, sessions, main } = opening;
  const { edges, cwd, configDir, env } = world;
  order.disk.makeFolder(dirname(record.transcript));
  const transcript = openTranscript(order.disk, record.transcript);
  const past = transcript.events();
  const outputs = await edges.outputs(outputsFolder(record.transcript));
  const { tools, disallowedTools, permissionMode } = record.definition;
  const work = await edges.work({
    cwd,
    configDir,
    env,
    owner: `${order.owner}/${record.id}`,
    sandboxFound: undefined,
    readOnly: false,
    settings: order.work.settings(),
    outputs,
    child: {
      parent: order.work.shared,
      agent: shownName(record),
      tools,
      disallowedTools,
      mode: permissionMode,
      files: record.worker?.files,
    },
  });
  const hooks = openHooks(world, {
    work: { settings: order.work.settings, mode: work.mode, environment: work.environment },
    session: order.id,
    transcript: record.transcript,
    agent: record.name,
    cwd,
    clock: order.clock,
    onNotice: (text) => main()?.agent.emit({ type: "notice", level: "warning", text, at: order.clock.now().toISOString() }),
  });
  const parent = sessions.get(record.parent ?? "") ?? main();
  const fork = record.context === "fork" ? parent?.agent : undefined;
  const inherited = fork ? inheritedBy(record, order) : undefined;
  const session = createSession({
    id: order.id,
    agent: record.name,
    cwd,
    version: world.version,
    model: order.model,
    modelName: record.model,
    system: fork?.system ?? systemOf(record, { cwd, work, instructions: order.instructions }),
    tools: toolsOf(record, { work, way, opening, fork: fork?.tools }),
    permit: hooks.permit(agentPermit(record, { way, work, order, hooks })),
    screen: work.screen,
    hooks: hooks.subagent,
    ledger: order.ledger.forAgent(record.id, { inherits: fork !== undefined }),
    limits: { maxTurns: record.maxTurns === undefined ? order.maxTurns : record.maxTurns - record.turns, budgetUsd: order.budgetUsd },
    clock: order.clock,
    transcript,
    written: order.disk.written,
    past,
    inherited,
    outputs,
    retryBudget: order.retryBudget,
    reports: reportsOf(way.host.deliveriesTo(record.id), work.commands.own.ends),
    mail: workerMail(record, past, { host: way.host, cwd, disk: order.disk }),
    alsoSpentUsd: () => (main()?.totals().costUsd ?? 0) + way.host.spentNowUsd(),
  });
  sessions.set(record.id, session);
  session.listen(({ type }) => type === "ended" && work.widen());
  begin(session, record, past);
  order.hooks.subagentStarts({ ...toldOf(record), prompt: record.prompt });
  return { session, close: () => work.endAll() };
}

const shownName = ({ id, name }: AgentRecord) => (name === id ? `agent ${id}` : `agent ${name} (${id})`);

const toldOf = ({ id, definition, background }: AgentRecord) => ({ agent_id: id, agent_name: definition.name, background });

/** The first words of an agent, or those with which it goes on. */
function begin(session: Session, record: AgentRecord, past: TranscriptEvent[]): void {
  const say = (text: string) => session.say({ source: { kind: "harness" }, text });
  const { agent } = session;
  if (past.length === 0 && record.context === "fork") for (const event of forkResults(agent, record)) agent.emit(event);
  else if (past.length === 0) say(record.prompt);
  else if (agent.history.messages().at(-1)?.role === "assistant" && agent.history.pendingCalls().length === 0) say(goOnText(record));
}

/** The conversation of the session as it was when the fork began. */
function inheritedBy(record: AgentRecord, { events }: AgentsOrder): TranscriptEvent[] {
  const all = events();
  const reply = all.findLastIndex(
    (event) => event.type === "reply" && event.message.content.some((block) => block.type === "tool_use" && block.id === record.call),
  );
  return all.slice(0, reply + 1);
}

function systemOf(
  { definition, name }: AgentRecord,
  { cwd, work, instructions }: { cwd: string; work: Work; instructions: Instructions[] },
): string {
  const files = instructionsPrompt(instructions, cwd);
  return subagentSystemPrompt({ name, instructions: definition.prompt, cwd, platform: work.platform, files });
}

function coordinating({ cwd }: World, { disk, work }: AgentsOrder) {
  return { cwd, disk, work, workerModel: work.settings().effective.agentModels?.worker };
}

/** A fork shows its model the very tools of its parent; those that its definition takes away are refused when they are called. */
function toolsOf(
  record: AgentRecord,
  { work, way, opening, fork }: { work: Work; way: OpenWay; opening: Opening; fork: AnyTool[] | undefined },
): AnyTool[] {
  const { world, order, definitions, sessions } = opening;
  const clockMs = () => order.clock.now().getTime();
  const listBytes = order.work.settings().effective.agents.promptBytes;
  const setup = { host: way.host, definitions: definitions.list, listBytes, modelOf: modelFor(order), self: record, clockMs };
  const agent = () => sessions.get(record.id)!.agent;
  const further = order.furtherTools({ name: record.name, work, agent });
  const workers = workerTools({ ...setup, ...coordinating(world, order), tools: record.definition.tools });
  const own = [...work.tools, agentTool(setup), checkAgentTool(setup, () => ""), ...workers, ...further];
  if (fork) return fork.flatMap(({ name }) => own.find((tool) => tool.name === name) ?? []);
  return definedTools(own, record.definition);
}

// Opens the session of one agent: its rights are its parent's, narrowed, and its first input is its work, or the request to continue.
import { dirname, join, relative } from "node:path";
import type { Agent } from "../../agent/agent.ts";
import type { Bounds } from "../../agent/child-policy.ts";
import type { AgentEvent, TranscriptEvent } from "../../agent/events.ts";
import { instructionsPrompt } from "../../agent/instructions.ts";
import { modelNamed } from "../../agent/requests/prices.ts";
import { readFiles } from "../../agent/session/read-files.ts";
import { createSession, reportsOf, type Session } from "../../agent/session/session.ts";
import { openTranscript, outputsFolder } from "../../agent/session/transcript.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { settingsInWorktree } from "../../settings/worktree-settings.ts";
import { agentTool, checkAgentTool } from "../../subagents/agent-tool.ts";
import { boundsAbove, boundsOf } from "../../subagents/bounds.ts";
import type { Definitions } from "../../subagents/definitions/definitions.ts";
import { forkResults } from "../../subagents/fork.ts";
import { workplaceOf, worktreeText } from "../../subagents/isolation.ts";
import { continueText, subagentSystemPrompt } from "../../subagents/prompt.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import { spentBelow } from "../../subagents/spent-below.ts";
import type { Opened, OpenWay, Subagents } from "../../subagents/subagents.ts";
import type { OutputStore } from "../../tools/output.ts";
import type { AnyTool } from "../../tools/tool.ts";
import { checkBudget } from "../agent-model.ts";
import { type AgentHands, agentHands } from "../places/agent-hands.ts";
import { openHooks } from "../settings/open-hooks.ts";
import { UsageError, type World } from "../world.ts";
import { agentPermit, suspendFor } from "./agents/agent-permit.ts";
import type { AgentsOrder } from "./agents/agents-order.ts";
import { workerMail, workerTools } from "./agents/session-workers.ts";
import { comingSession } from "./coming-session.ts";
import type { ToolUser } from "./further-tools.ts";
import { definedTools } from "./session-definitions.ts";

export type Opening = {
  world: World;
  order: AgentsOrder;
  definitions: Definitions;
  sessions: Map<string, Session>;
  works: Map<string, Workspace>;
  hands: Map<string, AgentHands>;
  main: () => Session | undefined;
};

export async function openAgent(record: AgentRecord, way: OpenWay, opening: Opening): Promise<Opened> {
  const { world, order, sessions, works, main } = opening;
  checkBudget(order.limits.budgetUsd, { name: record.model, fallback: order.fallbackModel });
  const place = workingFolderOf(record, way, opening);
  const { cwd } = place;
  order.disk.makeFolder(dirname(record.transcript));
  const transcript = openTranscript(order.disk, record.transcript);
  const past = transcript.events();
  const outputs = await world.edges.outputs(outputsFolder(record.transcript));
  const above = boundsAbove(record, { find: way.host.find, session: order.as });
  const hands = await agentHands(world, record, { ...place, tree: place.apart?.tree, host: way.host, hands: opening.hands });
  const work = await openWork(record, way, { opening: { ...opening, world: hands?.world ?? world }, place, past, outputs, above });
  works.set(record.id, work);
  const hooks = agentHooks(record, work, { opening, cwd });
  const parent = sessions.get(record.parent ?? "") ?? main();
  const coming = comingSession();
  const user: ToolUser = { name: record.name, work, agent: coming.agent, record };
  const fork = record.context === "fork" ? headOf(record.parent, { user, way, opening }) : undefined;
  const own = {
    id: order.id,
    agent: record.name,
    cwd,
    version: world.version,
    model: order.model,
    modelName: record.model,
    fallbackModel: order.fallbackModel,
    effort: fork ? fork.effort : (record.definition.effort ?? parent?.agent.effort),
    system:
      fork?.system ?? systemOf(record, { cwd: work.handsCwd?.() ?? cwd, work, files: instructionsPrompt(order.instructions, world.cwd) }),
    tools: usableTools(record, toolsOf(record, { user, cwd, way, opening, fork: fork?.tools, above })),
    permit: hooks.permit(agentPermit(record, { way, work, order: cwd === world.cwd ? order : { ...order, guardEdits: undefined }, hooks })),
    filter: work.filter,
    hooks: hooks.subagent,
    ledger: order.ledger.forAgent(record.id, { inherits: fork !== undefined }),
    transcript,
    past,
    outputs,
    inherited: fork ? inheritedBy(record, order, way.host.find) : undefined,
    reports: reportsOf(way.host.deliveriesTo(record.id), work.commands.own.ends),
    useSkill: order.preload(user),
    mail: workerMail(record, past, { host: way.host, cwd, disk: order.disk }),
  };
  const session = coming.opened(createSession({ ...own, ...underParent(record, way, opening), startedBy: parent?.agent }));
  sessions.set(record.id, session);
  session.listen(({ type }) => type === "ended" && work.widen());
  if (hands) session.listen(({ type }) => void (type === "request" && hands.bringHome()));
  begin(session, record, past);
  order.hooks.subagentStarts({ ...hookFactsOf(record), prompt: record.prompt });
  return { session, close: () => work.endAll() };
}

/** What an agent has of the session that it belongs to, and what it costs there. */
function underParent(record: AgentRecord, { host }: OpenWay, { order, sessions, main }: Opening) {
  return {
    limits: { ...order.limits, ...(record.maxTurns !== undefined && { maxTurns: record.maxTurns - record.turns }) },
    clock: order.clock,
    written: order.disk.written,
    retryBudget: order.retryBudget,
    spentByAgents: spentBelow(host.list(), { parent: record.id, transcriptOf: transcriptsOf(order) }),
    charge: (event: AgentEvent) => (sessions.get(record.parent ?? "") ?? main())?.charge(event),
    spentUsd: () => main()?.agent.spentUsd() ?? 0,
  };
}

type Place = { cwd: string; settings: LoadedSettings; apart?: { tree: string; branch: string } };
type WorkOrder = { opening: Opening; place: Place; past: TranscriptEvent[]; outputs: OutputStore; above: Bounds[] };

/** Its rights are those of its parent, narrowed by its definition and by those above it. */
function openWork(record: AgentRecord, way: OpenWay, { opening, place, past, outputs, above }: WorkOrder): Promise<Workspace> {
  const { world, order, works } = opening;
  const { cwd, settings, apart } = place;
  return world.edges.work({
    cwd,
    configDir: world.configDir,
    env: world.env,
    owner: `${order.owner}/${record.id}`,
    sandboxFound: undefined,
    readOnly: false,
    settings,
    untilDone: order.disk.untilDone,
    outputs,
    seen: readFiles(past),
    child: {
      ...boundsOf(record),
      parent: (works.get(record.parent ?? "") ?? order.work).shared,
      above,
      ...apart,
      onMissing: suspendFor(record, { way, order }),
    },
  });
}

/** The hooks of the session, which run where the agent works. */
function agentHooks(record: AgentRecord, work: Workspace, { opening, cwd }: { opening: Opening; cwd: string }) {
  const { world, order, main } = opening;
  return openHooks(world, {
    work: { ...work, settings: order.work.settings },
    session: order.id,
    transcript: record.transcript,
    agent: record.name,
    cwd,
    clock: order.clock,
    onNotice: (text) => main()?.agent.emit({ type: "notice", level: "warning", text, at: order.clock.now().toISOString() }),
  });
}

type Head = Pick<Agent, "system" | "tools" | "effort">;

/** What a fork keeps of its parent, even if the parent ended in another process. */
function headOf(id: string | undefined, { user, way, opening }: { user: ToolUser; way: OpenWay; opening: Opening }): Head | undefined {
  const { world, order, sessions, main } = opening;
  const session = main()?.agent;
  const record = id === undefined || sessions.has(id) ? undefined : way.host.find(id);
  if (!record) return sessions.get(id ?? "")?.agent ?? session;
  if (record.context === "fork") return headOf(record.parent, { user, way, opening });
  const { cwd } = workingFolderOf(record, way, opening);
  const above = boundsAbove(record, { find: way.host.find, session: order.as });
  return {
    system: systemOf(record, { cwd, work: user.work, files: instructionsPrompt(order.instructions, world.cwd) }),
    tools: toolsOf(record, { user, cwd, way, opening, fork: undefined, above }),
    effort: record.definition.effort ?? session?.effort,
  };
}

/** The agent's working directory: the session's folder, or the same folder inside its worktree. */
function workingFolderOf(record: AgentRecord, { host }: OpenWay, { world, order }: Opening): Place {
  const settings = order.work.settings();
  const worktree = workplaceOf(record, host.find)?.worktree;
  if (worktree === undefined) return { cwd: world.cwd, settings };
  const { folder: top, branch } = worktree;
  const cwd = join(top, relative(settings.root, world.cwd));
  return { cwd, settings: settingsInWorktree(settings, { top, cwd }), apart: { tree: settings.root, branch } };
}

export const hookFactsOf = ({ id, definition, background }: AgentRecord) => ({ agent_id: id, agent_name: definition.name, background });

/** The first input of an agent, or the input with which it continues. */
function begin(session: Session, record: AgentRecord, past: TranscriptEvent[]): void {
  const say = (text: string) => session.say({ source: { kind: "harness" }, text });
  const { agent } = session;
  if (past.length === 0 && record.context === "fork")
    for (const event of forkResults(agent, { ...record, prompt: promptFor(record) })) agent.emit(event);
  else if (past.length === 0) {
    for (const name of record.definition.skills ?? []) session.say({ source: { kind: "skill", name, arguments: "" }, text: `/${name}` });
    say(promptFor(record));
  } else if (agent.history.messages().at(-1)?.role === "assistant" && agent.history.pendingCalls().length === 0) say(continueText(record));
}

const promptFor = ({ worktree, isolation, prompt }: AgentRecord) =>
  worktree ? `${worktreeText({ worktree, ...(isolation && { isolation }) })}\n\n${prompt}` : prompt;

/** Reads the events of an agent. */
export const transcriptsOf =
  ({ disk }: Pick<AgentsOrder, "disk">) =>
  ({ transcript }: AgentRecord): TranscriptEvent[] =>
    openTranscript(disk, transcript).events();

/** The parent's conversation at the time when the fork began. */
function inheritedBy({ parent: above, call }: AgentRecord, order: AgentsOrder, find: Subagents["find"]): TranscriptEvent[] {
  const parent = above === undefined ? undefined : find(above);
  const before = parent?.context === "fork" ? inheritedBy(parent, order, find) : [];
  const all = parent ? [...before, ...openTranscript(order.disk, parent.transcript).events()] : order.events();
  const reply = all.findLastIndex(
    (event) => event.type === "reply" && event.message.content.some((block) => block.type === "tool_use" && block.id === call),
  );
  return all.slice(0, reply + 1);
}

function systemOf({ definition, name }: AgentRecord, { cwd, work, files }: { cwd: string; work: Workspace; files: string }): string {
  return subagentSystemPrompt({ name, instructions: definition.prompt, cwd, platform: work.platform, files });
}

type ToolsOrder = {
  user: ToolUser;
  cwd: string;
  way: OpenWay;
  opening: Opening;
  /** A fork has exactly these in the request; tools that its definition removes are refused when called. */
  fork: AnyTool[] | undefined;
  above: Bounds[];
};

/** Throws UsageError if it would have nothing to work with, although its definition names tools. */
function usableTools({ definition: { name, tools = [] } }: AgentRecord, given: AnyTool[]): AnyTool[] {
  if (given.length > 0 || tools.length === 0) return given;
  throw new UsageError(
    `the agent "${name}" would have no tools, because none of those that its definition names is here: ${tools.join(", ")}.`,
  );
}

/** An agent can ask the person only if its definition says so. */
function toolsOf(record: AgentRecord, { user, cwd, way, opening, fork, above }: ToolsOrder): AnyTool[] {
  const { order, definitions } = opening;
  const { tools } = record.definition;
  const started = agentTools({ order, definitions, host: way.host }, { work: user.work, cwd, tools, self: record });
  const own = [...user.work.tools, ...started, ...order.furtherTools(user)];
  if (fork) return fork.flatMap(({ name }) => own.find((tool) => tool.name === name) ?? []);
  const asks = tools?.includes("AskUser") === true;
  const offered = own.filter(({ name }) => asks || name !== "AskUser");
  return [record.definition, ...above].reduce<AnyTool[]>(definedTools, offered);
}

type Started = { order: AgentsOrder; definitions: Definitions; host: Subagents };
type Starter = {
  work: Workspace;
  cwd: string;
  /** Those of its definition. */
  tools: readonly string[] | undefined;
  /** Absent for the session itself. */
  self?: AgentRecord;
  lastWords?: (record: AgentRecord) => string;
};

/** The tools with which the session, or one of its agents, starts agents and workers and asks for their state. */
export function agentTools({ order, definitions, host }: Started, { work, cwd, tools, self, lastWords = () => "" }: Starter): AnyTool[] {
  const { agents, agentModels } = order.work.settings().effective;
  const setup = {
    host,
    definitions: definitions.list,
    mistakes: definitions.mistakes,
    listBytes: agents.promptBytes,
    unlisted: order.unlisted,
    modelOf: modelFor(order),
    places: Object.keys(order.work.settings().effective.places),
    clockMs: () => order.clock.now().getTime(),
    ...(self && { self }),
  };
  const workers = { ...setup, cwd, disk: order.disk, work, workerModel: agentModels?.worker, tools };
  return [...workerTools(workers), agentTool(setup), checkAgentTool(setup, lastWords)];
}

/** A script answers for every model. */
export function modelFor({ scripted, modelName }: AgentsOrder): (wanted: string) => string {
  return (wanted) => (scripted || wanted === "inherit" ? modelName : modelNamed(wanted));
}

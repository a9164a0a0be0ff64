// Opens a solo session in this process, new or continued: its claim, model, tools and instructions.

import type { TranscriptEvent } from "../../agent/events.ts";
import { type Instructions, instructionsPrompt, type SkippedInstructions } from "../../agent/instructions.ts";
import { definedSystemPrompt, soloAgent, soloSystemPrompt } from "../../agent/prompt.ts";
import type { Failures } from "../../agent/result/failures.ts";
import { isLine } from "../../agent/rewind/conversation.ts";
import { putFilesBack, shownPath, unfinishedRewind } from "../../agent/rewind/rewind.ts";
import { createSession, reportsOf, type Session, type SessionSetup } from "../../agent/session/session.ts";
import { type DamagedSession, damagedSessions, listSessions, type SessionSummary } from "../../agent/session/sessions.ts";
import { damageNotice, openTranscript, projectFolder, transcriptPath } from "../../agent/session/transcript.ts";
import { knownUsd } from "../../agent/spending.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { BoardDisk, PatientDisk } from "../../board/disk.ts";
import type { EndReason } from "../../hooks/events.ts";
import type { SessionHooks } from "../../hooks/session-hooks.ts";
import type { Ask } from "../../permissions/permit.ts";
import type { SandboxFinding } from "../../permissions/policy.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { Effective } from "../../settings/scopes.ts";
import type { Definition } from "../../subagents/definitions/definition.ts";
import type { AgentFlags } from "../agent-flags.ts";
import { type AgentModel, agentModel, checkBudget, modelNotices, nothingStarted, scriptedModelName } from "../agent-model.ts";
import { asTyped } from "../controls/as-typed.ts";
import { keepMode, recordModes } from "../controls/kept-mode.ts";
import { diskNotice, flushDisk } from "../disk-notice.ts";
import { holderWords } from "../holder-words.ts";
import { UsageError, type World } from "../world.ts";
import type { AskFor } from "./agents/agent-permit.ts";
import type { SessionAgents } from "./agents/session-agents.ts";
import { type ComingSession, comingSession } from "./coming-session.ts";

import { claimFolder, claimSession } from "./session-claim.ts";
import { definedTools, definitionFor, sessionDefinitions } from "./session-definitions.ts";
import { type SessionParts, type SetupOrder, sessionSetup } from "./session-setup.ts";
import type { SessionSkills } from "./session-skills.ts";
import { openSessionTools, type SessionTools } from "./session-tools.ts";

export type Solo = {
  session: Session;
  /** The earlier events of a continued session. */
  past: TranscriptEvent[];
  events(): TranscriptEvent[];
  instructions: Instructions[];
  skipped: SkippedInstructions[];
  work: Workspace;
  /** Tells the person by a way of their own that they are needed. */
  alert: SessionHooks["alert"];
  /** The agents that it starts. */
  agents: SessionAgents;
  skills: SessionSkills;
  /** The failures that its agents have recorded. */
  failures: Failures;
  /** Problems in the session that it continues. */
  notices: string[];
  /** The script that answers instead of a model. */
  script: string | undefined;
  /** Ends commands that are still running, and releases the session. */
  close(reason: EndReason): Promise<void>;
};

export type SoloOrder = {
  flags: AgentFlags;
  settings: LoadedSettings;
  /** The session to continue; undefined for a new one. */
  id: string | undefined;
  ask: Ask | undefined;
  /** The same in the name of an agent that it has started. */
  askFor?: AskFor;
  /** Tells the person the effect of an answer. */
  onNotice?: (text: string) => void;
  attended: boolean;
  /** The name of the definition that it runs with; absent: the one that the continued session had. */
  as?: string | undefined;
  /** A new session that replaces one that the person left. */
  cleared?: boolean | undefined;
  /** The harness has started it for a step of its own: a person cannot resume it. */
  purpose?: "batch_plan";
  /** It looks and does not touch: no tool of it changes a file or runs a command. */
  readOnly?: boolean;
  /** Its working directory is a worktree in which only the harness commits. */
  repositoryFixed?: boolean;
  /** The root of the person's tree, if it sees nothing of that. */
  apartFrom?: string;
  /** The sandbox that the parent process found; undefined in the first process. */
  sandboxFound?: SandboxFinding | undefined;
  /** Spending outside this session and its agents that counts towards the budget. */
  alsoSpentUsd?: () => number;
};

/** Throws UsageError if there is no model, or if another process has the session. */
export async function openSolo(world: World, order: SoloOrder): Promise<Solo> {
  const { settings, id = world.uniqueId(), askFor, onNotice } = order;
  const definitions = await sessionDefinitions(world, settings);
  const before = await sessionEventOf(world, order.id);
  const definition = definitionFor(order.as ?? before?.definition, definitions);
  const model = await usableModel(world, order, { definition, before });
  const coming = comingSession();
  const disk = await warningDisk(world, coming);
  const claim = await claimOf(world, id);
  const parts = await soloParts(world, order, { id, definition, model, disk, coming });
  const { path, work, hooks } = parts;
  const { past, events } = parts.agents;
  const main = { name: soloAgent, work, agent: coming.agent };
  const own = await openSessionTools(world, main, { ...parts.agents, id, definitions, as: definition, askFor, onNotice });
  const session = coming.opened(createSession(soloSetup(world, order, { id, definition, parts, own, coming })));
  hooks.start(past.length > 0 ? "resume" : order.cleared ? "clear" : "startup");
  followTurns(session, work);
  recordModes({ session, work });
  if (order.attended && order.flags.permissionMode === undefined) keepMode({ session, work }, past);
  const damage = damageNotice(parts.session.transcript);
  const { agents, skills, failures } = own;
  return {
    session,
    past,
    agents,
    notices: [
      ...(damage ? [damage] : []),
      ...modelNotices(model),
      ...(await interruptedRewind(past, work, world.cwd)),
      ...((past.length > 0 && (await work.kept?.settleInterrupted?.())) || []),
      ...agents.notices,
    ],
    events,
    instructions: parts.found,
    skipped: parts.skipped,
    work,
    alert: hooks.alert,
    skills,
    failures,
    script: model.script,
    async close(reason) {
      await agents.close();
      await hooks.end(reason);
      await work.endAll();
      flushDisk(disk, path);
      claim.release();
    },
  };
}

/** Says in the session that the disk is full or works again. */
async function warningDisk({ edges, configDir }: World, coming: ComingSession<Session>): Promise<PatientDisk> {
  const clock = await edges.clock();
  return edges.patientDisk((refusal) => {
    const text = diskNotice(refusal, configDir);
    coming.ifThere()?.agent.emit({ type: "notice", level: "warning", text, at: clock.now().toISOString() });
  });
}

type SoloBasis = { id: string; definition: Definition | undefined; coming: ComingSession<Session> };

async function soloParts(
  world: World,
  order: SoloOrder,
  { id, definition, model, disk, coming }: SoloBasis & { model: AgentModel; disk: PatientDisk },
): Promise<SessionParts> {
  const { maxTurns, budgetUsd } = order.flags;
  return sessionSetup(world, {
    id,
    name: soloAgent,
    cwd: world.cwd,
    settings: order.settings,
    model,
    disk,
    keepsFiles: true,
    limits: { maxTurns, budgetUsd },
    agent: () => coming.ifThere()?.agent,
    work: workOrder({ ...(world.copyOf && { repositoryFixed: true, apartFrom: world.copyOf.root }), ...order }, definition),
    ...(!order.attended && { early: (work) => work.environmentInput() }),
  });
}

function soloSetup(
  world: World,
  order: SoloOrder,
  { id, definition, parts, own, coming }: SoloBasis & { parts: SessionParts; own: SessionTools },
): SessionSetup {
  const { work, hooks } = parts;
  return {
    ...parts.session,
    id,
    definition: definition?.name,
    ...(order.purpose && { purpose: order.purpose }),
    system: systemOf(definition, { instructions: instructionsPrompt(parts.found, world.cwd), command: world.command }),
    tools: definedTools([...work.tools, ...own.tools], definition),
    useSkill: own.skills.useSkill,
    permit: hooks.permit(work.permit(order.ask && hooks.ask(order.ask), order.onNotice)),
    opening: work.environmentInput,
    past: parts.agents.past,
    reports: reportsOf(own.agents.host.deliveriesTo(undefined), work.commands.own.ends),
    spentByAgents: own.agents.spentBefore,
    spentUsd: () => knownUsd(coming.session().spending()) + (order.alsoSpentUsd?.() ?? 0),
  };
}

function followTurns(session: Session, work: Workspace): void {
  session.listen((event) => {
    if (event.type === "request") work.prepare();
    if (event.type === "ended") work.widen();
    if (isLine(event)) work.kept?.versions.lineBegins(event.at);
  });
}

/** Completes a rewind that a kill interrupted. */
async function interruptedRewind(past: TranscriptEvent[], { kept }: Workspace, cwd: string): Promise<string[]> {
  const rewound = kept && unfinishedRewind(past, kept.versions);
  if (!rewound) return [];
  const failed = await putFilesBack(rewound, kept);
  return [
    "A rewind was interrupted; its files have now been restored.",
    ...failed.map(({ path, why }) => `${shownPath(path, cwd)} was left as it is: ${why}.`),
  ];
}

type SessionEvent = Extract<TranscriptEvent, { type: "session" }>;

/** How the session began that continues. */
async function sessionEventOf({ edges, cwd, configDir }: World, id: string | undefined): Promise<SessionEvent | undefined> {
  if (id === undefined) return undefined;
  const [first] = openTranscript(await edges.disk(), transcriptPath(configDir, cwd, id)).events();
  return first?.type === "session" ? first : undefined;
}

/** Throws UsageError if the budget cannot be enforced, or if nothing would answer. */
async function usableModel(
  world: World,
  { flags, settings, attended }: SoloOrder,
  { definition, before }: { definition: Definition | undefined; before: SessionEvent | undefined },
): Promise<AgentModel> {
  const agent = agentModel(world, withModelOf(definition, settings.effective, flags), { paced: attended });
  checkBudget(flags.budgetUsd, agent);
  const problem = await world.edges.modelProblem(agent.choice);
  const hint = agent.script === undefined && before?.model === scriptedModelName ? ` ${howToScript(world.command)}` : "";
  if (problem) throw new UsageError(`${nothingStarted(problem)}${hint}`);
  return agent;
}

const howToScript = (command: string) =>
  `The session that you continue was answered by a script; to continue with one: ${command} --continue --script <file>`;

function workOrder(
  { readOnly = false, repositoryFixed = false, apartFrom, sandboxFound }: SoloOrder,
  definition: Definition | undefined,
): SetupOrder["work"] {
  return {
    sandboxFound,
    readOnly,
    repositoryFixed,
    apartFrom,
    ...(definition && { definition: { ...definition, mode: definition.permissionMode } }),
  };
}

/** Our own texts name this program as the person starts it; a text of the person stays as it is. */
function systemOf(definition: Definition | undefined, { instructions, command }: { instructions: string; command: string }): string {
  if (!definition) return asTyped(soloSystemPrompt({ instructions: "" }), command) + instructions;
  const prompt = definition.scope === "built-in" ? asTyped(definition.prompt, command) : definition.prompt;
  return definedSystemPrompt({ prompt, instructions });
}

/** A model or effort on the command line precedes that of the definition. */
function withModelOf(definition: Definition | undefined, effective: Effective, flags: AgentFlags): Effective {
  const { model = "inherit", effort } = definition ?? {};
  return {
    ...effective,
    ...(flags.model === undefined && model !== "inherit" && { model }),
    ...(flags.effort === undefined && effort && { effort }),
  };
}

/** Throws UsageError if another process has the session. */
export async function assertFree(world: World, id: string): Promise<void> {
  (await claimOf(world, id)).release();
}

async function claimOf({ edges, cwd, configDir }: World, id: string) {
  const [disk, lock] = await Promise.all([edges.disk(), edges.lock()]);
  const claim = claimSession({ disk, lock }, transcriptPath(configDir, cwd, id));
  if (!claim.ok)
    throw new UsageError(`session ${id} is open already, in ${holderWords(claim.holder)}. End it there, or start another one.`);
  return claim;
}

/** The session that the flags name: by id, by the beginning of its id, or the newest. Throws UsageError if there is none, or if it is damaged. */
export async function sessionToResume(
  world: World,
  { continue: newest, resume }: { continue?: boolean; resume?: string | true },
): Promise<string | undefined> {
  if (typeof resume === "string")
    return resumable(world, resume, { sessions: await sessionsHere(world), listing: `${world.command} --resume` });
  if (!newest) return undefined;
  const [session] = await sessionsHere(world, 1);
  const [damaged] = await damagedHere(world, session?.changedAt);
  if (damaged) {
    const other = session
      ? `To continue the one before it: ${world.command} --resume ${session.id}`
      : "No other session of this folder is there.";
    throw new UsageError(`cannot continue the newest session of this folder: ${damageOf(damaged)}. ${other}`);
  }
  if (!session) throw new UsageError(`there is no session to resume in ${world.cwd}. Start one: ${world.command}`);
  return session.id;
}

export async function sessionsHere(world: World, atMost = 100): Promise<SessionSummary[]> {
  const disk: BoardDisk = await world.edges.disk();
  return listSessions(disk, { folders: [projectFolder(world.configDir, world.cwd)], cwd: world.cwd, atMost });
}

/** Those that a list offers: something was answered in them, and no process has them open. */
export async function offeredSessions(world: World): Promise<SessionSummary[]> {
  const { edges, configDir, cwd } = world;
  const lock = await edges.lock();
  const isOpen = (id: string) => lock.holder(claimFolder(transcriptPath(configDir, cwd, id))) !== undefined;
  return (await sessionsHere(world)).filter(({ id, turns }) => turns > 0 && !isOpen(id));
}

async function damagedHere({ edges, configDir, cwd }: World, after?: Date): Promise<DamagedSession[]> {
  return damagedSessions(await edges.disk(), [projectFolder(configDir, cwd)], after);
}

const damageOf = ({ path }: DamagedSession) => `${path} is damaged, its first line cannot be read`;

/** As `namedSession`, for the sessions of this folder. Throws UsageError too if the one that is meant is damaged. */
export async function resumable(
  world: World,
  wanted: string,
  { sessions, listing }: { sessions: Pick<SessionSummary, "id">[]; listing: string },
): Promise<string> {
  const isMeant = ({ id }: { id: string }) => id.startsWith(wanted);
  const damaged = sessions.some(isMeant) ? undefined : (await damagedHere(world)).find(isMeant);
  if (damaged) throw new UsageError(`cannot resume "${wanted}": ${damageOf(damaged)}. To list the others: ${listing}`);
  return namedSession(sessions, wanted, listing);
}

/** The id that begins with `wanted`. `listing`: the command that lists ids. Throws UsageError if no id or more than one matches. */
export function namedSession(sessions: Pick<SessionSummary, "id">[], wanted: string, listing: string): string {
  const fitting = sessions.filter(({ id }) => id.startsWith(wanted));
  if (fitting.length === 1 && fitting[0]) return fitting[0].id;
  const why = fitting.length === 0 ? "no session of this folder has it" : `${fitting.length} sessions of this folder start with it`;
  throw new UsageError(`cannot resume "${wanted}": ${why}. To list them: ${listing}`);
}

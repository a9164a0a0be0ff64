// Opens a solo session in this process: a new one or one that goes on, its claim, its model, its tools, its instructions.

import type { TranscriptEvent } from "../../agent/events.ts";
import type { Failures } from "../../agent/failures.ts";
import { type Instructions, instructionsPrompt, type SkippedInstructions } from "../../agent/instructions.ts";
import { definedSystemPrompt, soloAgent, soloSystemPrompt } from "../../agent/prompt.ts";
import { createSession, reportsOf, type Session } from "../../agent/session.ts";
import { listSessions, type SessionSummary } from "../../agent/sessions.ts";
import { damageNotice, openTranscript, outputsFolder, projectFolder, transcriptPath } from "../../agent/transcript.ts";
import type { Work } from "../../agent/work.ts";
import type { BoardDisk } from "../../board/disk.ts";
import type { EndReason } from "../../hooks/events.ts";
import type { Ask } from "../../permissions/permit.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { Effective } from "../../settings/scopes.ts";
import type { Definition } from "../../subagents/definition.ts";
import type { AgentFlags } from "../agent-flags.ts";
import { agentModel, checkBudget } from "../agent-model.ts";
import { diskNotice, leaveDisk } from "../disk-notice.ts";
import { holderWords } from "../holder-words.ts";
import { openHooks } from "../open-hooks.ts";
import { retryBudgetOf } from "../retry-budget.ts";
import { UsageError, type World } from "../world.ts";
import { sessionCommandRecords } from "./background-commands.ts";
import { openFurtherTools } from "./further-tools.ts";
import { openSessionAgents, type SessionAgents } from "./session-agents.ts";
import { definedTools, definitionFor, sessionDefinitions } from "./session-definitions.ts";
import { lastPlaceholder, sessionLedger } from "./session-ledger.ts";
import type { SessionSkills } from "./session-skills.ts";

export type Solo = {
  session: Session;
  /** What was said before, when the session goes on. */
  past: TranscriptEvent[];
  events(): TranscriptEvent[];
  instructions: Instructions[];
  skipped: SkippedInstructions[];
  work: Work;
  /** The agents that it starts. */
  agents: SessionAgents;
  skills: SessionSkills;
  /** What its agents have recorded as failed. */
  failures: Failures;
  /** What is wrong with what it goes on from. */
  notices: string[];
  /** Where its answers come from when no model gives them. */
  script: string | undefined;
  /** Ends what commands left running, and gives the session free for another process. */
  close(reason: EndReason): Promise<void>;
};

export type SoloOrder = {
  flags: AgentFlags;
  settings: LoadedSettings;
  /** The session to go on with; a new one without. */
  id: string | undefined;
  ask: Ask | undefined;
  /** The same in the name of an agent that it has started. */
  askFor?: (name: string) => Ask;
  /** For the person: what came of an answer. */
  onNotice?: (text: string) => void;
  attended: boolean;
  /** The name of the definition that it works by. */
  as?: string | undefined;
  /** A new session in place of one that the person has left. */
  cleared?: boolean | undefined;
  /** It looks and does not touch: no tool of it changes a file or runs a command. */
  readOnly?: boolean;
  /** Its working directory is a worktree in which the harness commits, and its commands do not. */
  repositoryFixed?: boolean;
  /** What counts for the budget beside this session and its agents. */
  alsoSpentUsd?: () => number;
};

/** Throws UsageError when there is no model to ask, or another process has the session. */
export async function openSolo(
  world: World,
  {
    flags,
    settings,
    id = world.uniqueId(),
    ask,
    askFor,
    onNotice,
    attended,
    as,
    cleared,
    readOnly = false,
    repositoryFixed = false,
    alsoSpentUsd = () => 0,
  }: SoloOrder,
): Promise<Solo> {
  const { edges, cwd, configDir, env } = world;
  const definitions = await sessionDefinitions(world, settings);
  const definition = definitionFor(as, definitions);
  const agent = agentModel(world, withModelOf(definition, settings.effective, flags), attended);
  checkBudget(flags.budgetUsd, agent.name);
  const problem = await edges.modelProblem(agent.choice);
  if (problem) throw new UsageError(`${problem} Nothing was started.`);
  let session: Session | undefined;
  const disk = await edges.patientDisk((fault) => {
    session?.agent.emit({ type: "notice", level: "warning", text: diskNotice(fault, configDir), at: clock.now().toISOString() });
  });
  const path = transcriptPath(configDir, cwd, id);
  const claim = await claimOf(world, id);
  const transcript = openTranscript(disk, path);
  const past = transcript.events();
  const outputs = await edges.outputs(outputsFolder(path));
  const commands = await sessionCommandRecords(world, { disk, transcript: path, past });
  const [clock, model, work] = await Promise.all([
    edges.clock(),
    edges.model(agent.choice),
    edges.work({
      lastPlaceholder: lastPlaceholder(past),
      cwd,
      configDir,
      env,
      owner: `${id}:${soloAgent}`,
      sandboxFound: undefined,
      readOnly,
      repositoryFixed,
      settings,
      ...(definition && { definition: { ...definition, mode: definition.permissionMode } }),
      outputs,
      commands,
    }),
  ]);
  if (!attended) void work.environmentInput(); // beside everything that comes before the first request
  const { found: instructions, skipped } = await work.instructions();
  const files = instructionsPrompt(instructions, cwd);
  const hooks = openHooks(world, {
    work,
    session: id,
    transcript: path,
    agent: soloAgent,
    cwd,
    clock,
    onNotice: (text) => session?.agent.emit({ type: "notice", level: "warning", text, at: clock.now().toISOString() }),
  });
  const ledger = sessionLedger({ configDir, cwd, id, disk, clock, instructions, secretsIn: work.secretsIn });
  const retryBudget = retryBudgetOf(world, agent.choice, { disk: disk.now, clock, boot: (await edges.processes()).self().boot });
  const mine = { name: soloAgent, work, agent: () => session!.agent };
  const { skills, failures, toolsFor } = await openFurtherTools(world, {
    main: mine,
    transcript: path,
    disk,
    clock,
    fork: (forked) => agents.startSkill(forked),
  });
  const agents = await openSessionAgents(world, {
    id,
    owner: `${id}:${soloAgent}`,
    transcript: path,
    past,
    events: () => transcript.events(),
    disk,
    clock,
    model,
    modelName: agent.name,
    scripted: agent.script !== undefined,
    work,
    definitions,
    as: definition,
    hooks,
    instructions,
    outputs,
    ledger,
    retryBudget,
    budgetUsd: flags.budgetUsd,
    maxTurns: flags.maxTurns,
    askFor,
    onNotice,
    failures,
    furtherTools: toolsFor,
    preload: skills.preload,
  });
  session = createSession({
    id,
    agent: soloAgent,
    cwd,
    version: world.version,
    model,
    modelName: agent.name,
    system: definition
      ? definedSystemPrompt({ prompt: definition.prompt, instructions: files })
      : soloSystemPrompt({ instructions: files }),
    tools: definedTools([...work.tools, ...agents.tools, ...toolsFor(mine)], definition),
    useSkill: skills.useSkill,
    permit: hooks.permit(work.permit(ask && hooks.ask(ask), onNotice)),
    screen: work.screen,
    hooks: hooks.agent,
    opening: work.environmentInput,
    ledger,
    limits: { maxTurns: flags.maxTurns, budgetUsd: flags.budgetUsd },
    clock,
    transcript,
    written: disk.written,
    past,
    outputs,
    retryBudget,
    reports: reportsOf(agents.host.deliveriesTo(undefined), work.commands.own.ends),
    alsoSpentUsd: () => agents.host.spentNowUsd() + alsoSpentUsd(),
  });
  hooks.start(past.length > 0 ? "resume" : cleared ? "clear" : "startup");
  session.listen(({ type }) => type === "ended" && work.widen());
  const damage = damageNotice(transcript);
  return {
    session,
    past,
    agents,
    notices: [...(damage ? [damage] : []), ...agents.notices],
    events: () => transcript.events(),
    instructions,
    skipped,
    work,
    skills,
    failures,
    script: agent.script,
    async close(reason) {
      await agents.close();
      await hooks.end(reason);
      await work.endAll();
      leaveDisk(disk, path);
      claim.release();
    },
  };
}

/** A model that is named on the command line counts before that of the definition. */
function withModelOf(definition: Definition | undefined, effective: Effective, { model }: AgentFlags): Effective {
  const wanted = definition?.model ?? "inherit";
  return model !== undefined || wanted === "inherit" ? effective : { ...effective, model: wanted };
}

/** Throws UsageError when another process has the session. */
export async function assertFree(world: World, id: string): Promise<void> {
  (await claimOf(world, id)).release();
}

async function claimOf({ edges, cwd, configDir }: World, id: string) {
  const [disk, lock] = await Promise.all([edges.disk(), edges.lock()]);
  const claimFolder = `${transcriptPath(configDir, cwd, id).slice(0, -".jsonl".length)}/claim`;
  disk.makeFolder(claimFolder);
  const claim = lock.claimForLife(claimFolder);
  if (!claim.ok)
    throw new UsageError(`session ${id} is open already, in ${holderWords(claim.holder)}. End it there, or start another one.`);
  return claim;
}

/** The session that the flags name, by id, by the beginning of its id, or as the newest. Throws UsageError when there is none. */
export async function sessionToGoOnWith(
  world: World,
  { continue: newest, resume }: { continue?: boolean; resume?: string | true },
): Promise<string | undefined> {
  if (typeof resume === "string") return namedSession(await sessionsHere(world), resume, world.command);
  if (!newest) return undefined;
  const [session] = await sessionsHere(world, 1);
  if (!session) throw new UsageError(`there is no session to go on with in ${world.cwd}. Start one: ${world.command}`);
  return session.id;
}

export async function sessionsHere(world: World, atMost = 100): Promise<SessionSummary[]> {
  const disk: BoardDisk = await world.edges.disk();
  return listSessions(disk, { folder: projectFolder(world.configDir, world.cwd), cwd: world.cwd, atMost });
}

/** The id that begins with `wanted`. Throws UsageError when that is none or more than one. */
export function namedSession(sessions: SessionSummary[], wanted: string, command: string): string {
  const fitting = sessions.filter(({ id }) => id.startsWith(wanted));
  if (fitting.length === 1 && fitting[0]) return fitting[0].id;
  const why = fitting.length === 0 ? "no session of this folder has it" : `${fitting.length} sessions of this folder begin with it`;
  throw new UsageError(`cannot resume "${wanted}": ${why}. Which there are: ${command} --resume`);
}

// Opens a member's session in this process: its claim, board, model and tools. Shared by lead and teammate.

import type { Input, TranscriptEvent } from "../../../agent/events.ts";
import { type Instructions, instructionsPrompt, skippedInstructions } from "../../../agent/instructions.ts";
import type { Permit } from "../../../agent/ports/permit.ts";
import { freeMemoryWhenIdle } from "../../../agent/session/idle-memory.ts";
import { reportsOf } from "../../../agent/session/session.ts";
import { damageNotice } from "../../../agent/session/transcript.ts";
import type { Workspace } from "../../../agent/workspace.ts";
import type { Board } from "../../../board/board.ts";
import { sweepDrafts } from "../../../board/messages/mailbox.ts";
import type { Asker } from "../../../board/messages/requests.ts";
import type { Actor, Witness } from "../../../board/tasks/task.ts";
import { boardTools } from "../../../board/tools.ts";
import type { SessionHooks } from "../../../hooks/session-hooks.ts";
import type { Ask } from "../../../permissions/permit.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import type { LoadedSettings } from "../../../settings/files.ts";
import type { Launch } from "../../../team/launch.ts";
import { memberSurvivors } from "../../../team/lead/survivors.ts";
import { readStatus, writeStatus } from "../../../team/member-files.ts";
import { createMemberSession, type MemberSession } from "../../../team/member-session.ts";
import { rosterText } from "../../../team/prompt.ts";
import { roleLimits } from "../../../team/role.ts";
import type { TeamGrants } from "../../../team/team-grants.ts";
import { askPerson } from "../../../team/teammate/ask-person.ts";
import type { TeamTrees } from "../../../team/worktrees.ts";
import type { AnyTool } from "../../../tools/tool.ts";
import { type AgentModel, agentModel, modelNotices } from "../../agent-model.ts";
import { diskNotice } from "../../disk-notice.ts";
import { type ComingSession, comingSession } from "../../session/coming-session.ts";
import { definedTools } from "../../session/session-definitions.ts";
import { type SessionParts, type SetupOrder, sessionSetup } from "../../session/session-setup.ts";
import type { Waker } from "../../waker.ts";
import type { World } from "../../world.ts";
import { handingOver } from "../handing-over.ts";
import { hookedBoard } from "../hooked-board.ts";
import { withNamedFiles } from "../named-files.ts";
import { type SharedTree, sharedTree } from "../shared-tree.ts";
import { settingsOfTree } from "../team-trees.ts";
import { verifyCommand } from "../verify-command.ts";
import { hungAfterMs, type Joined, joinTeam } from "./join-team.ts";
import { type MemberAgents, openMemberAgents } from "./member-agents.ts";

export type Member = Joined & {
  launch: Launch;
  session: MemberSession;
  work: Workspace;
  hooks: SessionHooks;
  /** The script that answers instead of a model. */
  script: string | undefined;
  instructions: Instructions[];
  events(): TranscriptEvent[];
  /** Absent at the lead, which has teammates. */
  agents: MemberAgents["agents"];
  skills: MemberAgents["skills"];
  failures: MemberAgents["failures"];
};

export type MemberPart = {
  actor: Actor;
  system: string;
  /** Tools besides those for files, commands and the board. */
  tools: AnyTool[];
  readOnly: boolean;
  /** Present for a teammate that works in its own worktree. */
  trees?: TeamTrees | undefined;
  settings: LoadedSettings;
  pane: Pane;
  wake: Waker;
};

/** A member that has its name, and no session yet. */
export type NamedMember = { joined: Joined; coming: ComingSession<MemberSession> };

/** Takes the member's claim. Throws AlreadyRunning with the pid if it has a process already. */
export async function takeName(world: World, launch: Launch, pane: Pane): Promise<NamedMember> {
  const coming = comingSession<MemberSession>();
  const joined = await joinTeam(world, launch, (refusal) => {
    pane.warn(visibleLine(diskNotice(refusal, world.configDir)));
    coming.ifThere()?.setDoing(refusal === undefined ? "" : `waiting: ${refusal.words}`);
  });
  return { joined, coming };
}

/** Opens its session. */
export async function openMember(world: World, launch: Launch, { joined, coming, ...part }: MemberPart & NamedMember): Promise<Member> {
  const { name, options, cwd } = launch;
  const { board, mailbox, disk, clock } = joined;
  const model = agentModel(world, part.settings.effective, { paced: options.attended });
  const { inner, settings } = workingFolderOf(world, launch, part);
  const parts = await sessionSetup(inner, { ...setupOf(launch, { part, joined, coming }), cwd: inner.cwd, settings, model });
  const { work, hooks } = parts;
  const { events, past } = parts.agents;
  warnOf(parts, { pane: part.pane, cwd: inner.cwd, model });
  sweepDrafts(disk, board.layout.mailbox(name), clock.now());
  const process = (await world.edges.processes()).self();
  const askAs = askingAs(part, { ...joined, hooks, from: { name, process }, session: coming.session });
  const isShared = part.actor.role === "teammate" && !part.trees;
  const tree = isShared ? sharedTree({ board, name, cwd, work, disk, past }) : undefined;
  const { release: releaseSession, ...started } = await openMemberAgents(inner, {
    ...parts.agents,
    guardEdits: tree?.guardEdits,
    launch,
    lock: joined.lock,
    agent: coming.agent,
    ...(options.attended && { askFor: askAs }),
    onNotice: part.pane.warn,
  });
  const permit = hooks.permit(guardedEdits(work.permit(options.attended ? askAs() : undefined, part.pane.warn), tree));
  const verify = verifyCommand({ tools: work.tools, permit, redacted: work.redacted, now: clock.now });
  const witness: Witness = { evidence: (task) => coming.session().evidence(task), verify, verified: new Map() };
  const session = createMemberSession({
    ...parts.session,
    ...memberPart({ launch, part, parts, board, started, tree, witness }),
    process,
    permit,
    mailbox,
    before: readStatus(disk.now, board.layout, name),
    writeStatus: (status) => writeStatus(disk, board.layout, status),
  });
  coming.opened(session);
  if (past.length > 0) for (const text of (await work.kept?.settleInterrupted?.()) ?? []) part.pane.warn(visibleLine(text));
  work.commands.all.listen(part.wake.notify);
  void freeMemoryWhenIdle(session, world.edges.idleMemory());
  hooks.start(events().length > 0 ? "resume" : "startup");
  const release = () => {
    releaseSession();
    joined.release();
  };
  return { ...joined, ...started, launch, session, work, hooks, script: model.script, instructions: parts.found, events, release };
}

type SetupBasis = { part: MemberPart; joined: Joined; coming: ComingSession<MemberSession> };

/** Its session is listed under the team's folder, wherever it works. */
function setupOf(launch: Launch, { part, joined, coming }: SetupBasis): Omit<SetupOrder, "cwd" | "settings" | "model"> {
  const { name, team, session, options, cwd, worktrees, place, instructions } = launch;
  const { maxTurns, budgetUsd } = options;
  return {
    id: session,
    name,
    team,
    project: cwd,
    disk: joined.disk,
    keepsFiles: place === undefined && (part.actor.role === "lead" || !worktrees), // elsewhere no work of the person's is
    limits: { maxTurns, budgetUsd },
    ...(!worktrees && place === undefined && { instructions }),
    agent: () => coming.ifThere()?.agent,
    work: workOrder(launch, part, joined.grants),
    early: (work) => work.environmentInput(), // git looks while the board is read
  };
}

/** Its working directory: the team's folder, or the same folder in its own worktree. */
function workingFolderOf(
  world: World,
  { worktrees, name }: Launch,
  { trees, settings }: MemberPart,
): { inner: World; settings: LoadedSettings } {
  if (!worktrees || !trees) return { inner: world, settings };
  const folder = trees.folderOf(name);
  return { inner: { ...world, cwd: folder }, settings: settingsOfTree(settings, worktrees, { name, cwd: folder }) };
}

function workOrder({ sandbox, definition, worktrees }: Launch, { readOnly, actor }: MemberPart, grants: TeamGrants): SetupOrder["work"] {
  const followsLead = actor.role !== "lead";
  const role = definition && { definition: roleLimits(definition) };
  const { list: teamGrants, accepted: acceptedGrowth } = grants;
  const own = followsLead && worktrees ? { repositoryFixed: true, apartFrom: worktrees.root } : { sharedTree: !worktrees };
  return { sandboxFound: sandbox, readOnly, ...own, teamGrants, followsLead, acceptedGrowth, ...role };
}

/** Problems in the session that it continues, and instructions that are ignored. */
function warnOf({ session, skipped }: SessionParts, { pane, cwd, model }: { pane: Pane; cwd: string; model: AgentModel }): void {
  const damage = damageNotice(session.transcript);
  for (const notice of [...(damage ? [damage] : []), ...modelNotices(model), ...skippedInstructions(skipped, cwd)])
    pane.warn(visibleLine(notice));
}

const guardedEdits = (permit: Permit, tree: SharedTree | undefined) => tree?.guardEdits(permit) ?? permit;

type Parts = {
  launch: Launch;
  part: MemberPart;
  parts: SessionParts;
  board: Board;
  started: Omit<MemberAgents, "release">;
  tree: SharedTree | undefined;
  witness: Witness;
};

/** What a member's session has in addition to a solo one. */
function memberPart({ launch, part, parts: { work, hooks, found }, board, started, tree, witness }: Parts) {
  const { agents, skills } = started;
  const { name, team, session, nonce, cwd, definition } = launch;
  const { ends } = work.commands.own;
  const given = (tools: AnyTool[]) => definedTools(tools, definition && roleLimits(definition));
  const reports = [...(agents ? [agents.host.deliveriesTo(undefined)] : []), ends, ...(tree ? [tree.newFiles] : [])];
  const actor = part.actor.role === "teammate" ? { ...part.actor, witness } : part.actor;
  const named = withNamedFiles(boardTools(board, actor), work);
  const listTools = part.trees ? handingOver(named, { trees: part.trees, board, actor }) : named;
  return {
    id: session,
    team,
    nonce,
    hungAfterMs: hungAfterMs(part.settings),
    system: part.system + instructionsPrompt(found, cwd),
    tools: [...given(work.tools), ...hookedBoard(listTools, board, hooks), ...part.tools, ...given(started.tools)],
    useSkill: skills.useSkill,
    reports: reportsOf(...reports),
    ...(agents && { spentByAgents: agents.spentBefore }),
    opening: async () => withRoster(await work.environmentInput(), board),
    survivors: () => memberSurvivors(board, name),
  };
}

function withRoster(input: Input, board: Board): Input {
  const read = board.record();
  if (!read.ok) return input;
  const { name, members } = read.record;
  return {
    ...input,
    text: `${input.text}\n${rosterText(
      name,
      members.filter(({ ended }) => !ended),
    )}`,
  };
}

/** Asks in the member's own pane, if it has one, and at every other place where a person answers for this team. */
type AskingOrder = Pick<Member, "requests" | "grants"> & { from: Asker; stopsAlone?: (() => boolean) | undefined };

function asking({ pane, wake, actor }: MemberPart, { requests, grants, from, stopsAlone }: AskingOrder): Ask {
  const { put } = pane;
  const own = actor.role === "lead" ? { reach: "team" as const } : { also: "also at the lead" };
  return askPerson({
    requests,
    from,
    own: put && ((question, signal) => put({ question, asker: from.agent ?? from.name, ...own }, signal)),
    keepForTeam: actor.role === "lead" ? grants.keep : undefined,
    changed: wake.next,
    onStop: () => stopsAlone?.() || pane.interruptTurn(),
    onAnsweredElsewhere: (text) => pane.print(`  ${visibleLine(text)}`, 4),
  });
}

type AskingAs = Pick<Member, "requests" | "grants" | "hooks"> & { from: Asker; session: () => MemberSession };

/** Asks the person for the member itself, or for one of its agents, whose hooks come with its permit. */
function askingAs(part: MemberPart, { requests, grants, hooks, from, session }: AskingAs) {
  return (agent?: string, stopsAlone?: () => boolean): Ask => {
    const asker = agent === undefined ? from : { ...from, agent };
    const ask = whileWaiting(asking(part, { requests, grants, from: asker, stopsAlone }), session);
    return agent === undefined ? hooks.ask(ask) : ask;
  };
}

/** Shows in the status that a question is open. */
function whileWaiting(ask: Ask, session: () => MemberSession): Ask {
  return (question, signal) => session().whileAsking(() => ask(question, signal));
}

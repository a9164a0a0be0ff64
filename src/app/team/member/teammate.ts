// Runs a teammate's process: `tool teammate --launch <file>`.

import { failuresText } from "../../../agent/result/failures.ts";
import { heldBy } from "../../../board/tasks/claims.ts";
import { needsYouText } from "../../../screen/status/solo-status-line.ts";
import { memberStatusLine } from "../../../screen/status/status-line.ts";
import { createStyle } from "../../../screen/style.ts";
import { leadGoneText } from "../../../screen/team/lead-gone-text.ts";
import { focusKey } from "../../../screen/terminal/focus.ts";
import { openPane, type Pane } from "../../../screen/terminal/pane.ts";
import { visibleLine, visibleText } from "../../../screen/visible-text.ts";
import type { Launch } from "../../../team/launch.ts";
import { isPlaceKnown } from "../../../team/place.ts";
import { changedInput, teammateSystemPrompt } from "../../../team/prompt.ts";
import type { MemberExit } from "../../../team/report/status.ts";
import { unansweredCalls } from "../../../team/requests.ts";
import { changedMeanwhile } from "../../../team/resume/changed-meanwhile.ts";
import { teamBoard } from "../../../team/team-board.ts";
import { runTeammate, type Teammate } from "../../../team/teammate/teammate.ts";
import type { TeamTrees } from "../../../team/worktrees.ts";
import { errorText } from "../../../wording/error-text.ts";
import { settingsFlags } from "../../agent-flags.ts";
import { type Completions, editorOf, emptyCompletions } from "../../controls/line-editor.ts";
import { type TeammateHands, teammateHands } from "../../places/teammate-hands.ts";
import { errorLine } from "../../print/error-line.ts";
import { connectAgents, type Live, runnerOf } from "../../session/screen/live-session.ts";
import { statusLineBy } from "../../session/screen/status-command.ts";
import { openSettings } from "../../settings/open-settings.ts";
import { type Waker, waker } from "../../waker.ts";
import { type ExitCode, UsageError, type World } from "../../world.ts";
import { updateBeforeTask } from "../handing-over.ts";
import { takeLaunch } from "../launch-file.ts";
import { exitWriter } from "../team-place.ts";
import { openTrees } from "../team-trees.ts";
import { AlreadyRunning } from "./join-team.ts";
import { liveMember, memberKeys } from "./live-member.ts";
import { type Member, openMember, takeName } from "./member.ts";
import { memberStatusFacts } from "./member-status-facts.ts";

const pollMs = 4_000;

/** Reads and removes the launch file, then runs as that teammate until it is told to end. */
export async function runTeammateProcess(world: World, launchPath: string): Promise<ExitCode> {
  const { launch, inner } = await takeLaunch(world, launchPath).catch(async (error) => {
    await closeMarkedPane(world); // the launch file of a lead that was killed: the next one has started this member elsewhere
    throw error;
  });
  const write = await exitWriter(inner, launch);
  const exit: Exit = (reason, more) => {
    try {
      write({ reason, code: exitCodes[reason], ...more });
    } catch (error) {
      world.stderr.write(errorLine(errorText(error)));
    }
  };
  try {
    if (launch.program !== undefined) {
      const { runProgramProcess } = await import("../program/program-process.ts");
      const end = await runProgramProcess(inner, { ...launch, program: launch.program });
      exit(end.reason, end);
      return await afterProgram(inner, end.reason);
    }
    const completions = emptyCompletions();
    const pane = await paneOf(inner, launch.name, completions);
    if (pane.put && !launch.resumed) pane.print(createStyle(inner.env, () => [], inner.theme).dim(paneIntroduction(launch)), 2);
    const wake = waker();
    const settings = await openSettings(inner, settingsFlags(launch.options));
    const own = await openTrees(inner, launch);
    const hands = teammateHands(inner, launch, { trees: own, settings });
    const trees = hands?.trees ?? own;
    const { name, team, definition: role, prompt: instructions } = launch;
    const there = hands?.world ?? inner;
    const member = await openMember(there, launch, {
      ...(await takeName(there, launch, pane)),
      actor: { name, role: "teammate" },
      system: teammateSystemPrompt(name, team, { role, instructions, worktree: trees?.branchOf(name) }),
      trees,
      tools: [],
      readOnly: false,
      settings,
      pane,
      wake,
    });
    return await liveAndLeave(inner, { member, trees, hands, pane, completions, wake, exit });
  } catch (error) {
    const detail = errorText(error);
    // The name's files belong to the process that has the name.
    if (!(error instanceof AlreadyRunning)) exit("fault", { detail, ...(isConfiguration(error) && { cause: "configuration" }) });
    world.stderr.write(errorLine(detail));
    if (error instanceof AlreadyRunning) await closeMarkedPane(world);
    return 1;
  }
}

async function afterProgram({ edges, env }: World, reason: MemberExit["reason"]): Promise<ExitCode> {
  if (reason === "lead_gone") await edges.closeOwnPane(env).catch(() => {}); // gc cleans up what could not be closed
  return exitCodes[reason];
}

/** After a failure tmux would keep the pane, and no record names it. A pane of the person's has no mark. */
async function closeMarkedPane({ edges, env }: World): Promise<void> {
  const own = await edges.ownPane(env).catch(() => undefined);
  if (own?.owner) await edges.closeOwnPane(env).catch(() => {}); // gc cleans up what could not be closed
}

/** A signal is not 0: tmux then keeps the pane of a killed process, and a pane that closes was closed by a person. */
const exitCodes = { finished: 0, stopped: 0, lead_gone: 0, signal: 1, fault: 1 } as const satisfies Record<MemberExit["reason"], ExitCode>;

type Life = {
  member: Member;
  trees: TeamTrees | undefined;
  /** At a place, if it has them there. */
  hands: TeammateHands | undefined;
  pane: Pane;
  completions: Completions;
  wake: Waker;
  exit: Exit;
};
type Exit = (reason: MemberExit["reason"], more: Pick<MemberExit, "detail" | "cause">) => void;

/** Invalid settings, a bad folder or a bad model script: until they are changed, every start fails in the same way. */
function isConfiguration(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof Error && error.name === "ScriptError");
}

async function liveAndLeave(world: World, life: Life): Promise<ExitCode> {
  const reason = await live(world, life);
  // Some builds of tmux miss the end of a program, and keep its pane until they are looked at; one of a program that was ended by a signal is kept
  // in any case. Without a lead nobody looks, nor where its lead was killed before it had written down which pane it is.
  if (reason === "lead_gone" || (reason === "signal" && isPaneLost(life.member))) await world.edges.closeOwnPane(world.env).catch(() => {}); // gc cleans up what could not be closed
  return exitCodes[reason];
}

function isPaneLost({ board, launch, session }: Member): boolean {
  const read = board.record();
  return read.ok && !isPlaceKnown(read.record, launch.name, session.status().pid);
}

async function live(world: World, life: Life): Promise<MemberExit["reason"]> {
  const { member, trees, pane, exit } = life;
  const { launch, agents, session, disk, clock } = member;
  const ends = endsBySignal(world);
  const { ending } = ends;
  ending.addEventListener("abort", disk.hurry, { once: true });
  const hurried = once(ending).then(() => clock.sleep(hurriedMs));
  const shown = await showMember(world, life, ending);
  const stopWatching = watchTeam(life);
  connectAgents(shown);
  agents?.listen(session.noteSign);
  for (const notice of agents?.notices ?? []) pane.warn(visibleLine(notice));
  try {
    if (launch.resumed) await tellOfChanges(member, { since: launch.resumed.since, cwd: trees?.folderOf(launch.name) ?? launch.cwd });
    const stranded = life.hands ? [life.hands.follow(member)] : [];
    const reason = (await Promise.race([workOn(world, life, shown), hurried, ...stranded])) ?? "signal";
    const signal = ends.signal();
    const ended = signal ? "signal" : reason;
    exit(ended, { detail: signal });
    return ended;
  } finally {
    stopWatching();
    ends.stop();
    await leave(life, hurried);
  }
}

/** `signal`: the first one that has come. */
function endsBySignal(world: World): { ending: AbortSignal; signal(): string | undefined; stop(): void } {
  const ending = new AbortController();
  let signalled: string | undefined;
  const stop = world.onSignal((signal) => {
    signalled ??= signal;
    ending.abort();
  });
  return { ending: ending.signal, signal: () => signalled, stop };
}

/** Puts the member's session into its pane. */
async function showMember(world: World, life: Life, ending: AbortSignal): Promise<Live> {
  const { member, pane } = life;
  const { launch, session, clock, work } = member;
  const style = createStyle(world.env, () => [], world.theme);
  const processes = await world.edges.processes();
  const shown = liveMember(member, { ...life, style, ending });
  const sayHowToEnd = () => warnHowToEnd(pane, launch);
  const exit = { summary: `how to end ${launch.name}`, keys: howToEnd(launch), run: sayHowToEnd };
  pane.attach({
    ...memberKeys({ world, member, live: shown, processes, exit, names: () => othersNames(member) }),
    onExit: sayHowToEnd,
    onInterrupt: sayHowToEnd,
    statusLine: statusLineBy(
      { style, pane, world },
      {
        settings: work.settings(),
        session: session.id,
        signal: ending,
        usual(width) {
          const now = { nowMs: clock.now().getTime(), mode: work.mode(), command: shown.own.newest() };
          return memberStatusLine(session.status(), { ...now, style, wayBack: backToLeadHint(launch), width });
        },
        facts: () => memberStatusFacts(member),
        needed: () => needsYouText(style),
      },
    ),
  });
  return shown;
}

/** Mail, changes of the team and answers wake it. */
function watchTeam({ member: { board, launch, watch }, wake }: Life): () => void {
  const folder = board.layout.record.slice(0, -"/team.json".length);
  return watch.watch([`${board.layout.mailbox(launch.name)}/new`, folder, board.layout.requests], wake.notify, { pollMs });
}

/** Works until there is a reason to end. */
function workOn(world: World, { member, trees, pane, wake }: Life, shown: Live): Promise<MemberExit["reason"]> {
  const { launch, session, mailbox, board, disk, clock, agents } = member;
  const { name } = launch;
  const showUnsent = (to: string | undefined) => session.setDoing(to === undefined ? "" : `a message to ${to} could not be written yet`);
  return runTeammate({
    name,
    session,
    mailbox,
    board: teamBoard({ board, disk, name, onProblem: pane.warn, onUnsent: showUnsent, now: clock.now }),
    ...runnerOf(shown),
    ...(trees && { beforeTask: () => updateBeforeTask({ trees, name }) }),
    notBegun: unansweredCalls(member.requests, name),
    agentsAtWork: () => agents?.host.isAtWork(undefined) === true,
    ...leadOf(member, pane.warn, world.command),
    now: clock.monotonicMs,
    onIdle: () => void runIdleHook(member, wake),
    ending: shown.leaving,
  });
}

/** Waits for its agents, hooks and commands, but after a signal no longer than `hurried`. */
async function leave({ member, hands, pane }: Life, hurried: Promise<void>): Promise<void> {
  const { agents, failures, hooks, work, disk } = member;
  const failed = failuresText(failures.fresh(), failures.path);
  if (failed) pane.print(visibleText(failed), 2);
  pane.close();
  await Promise.race([agents?.close(), hurried]);
  await Promise.race([hooks.end("exit"), hurried]);
  await Promise.race([work.endAll(), hurried]);
  void hands?.leave(); // those that are still there after a signal are told to end
  disk.hurry();
  member.release();
}

/** Told with the next request; it does not start one. */
async function tellOfChanges(
  { board, disk, work, session, launch }: Member,
  { since, cwd }: { since: string; cwd: string },
): Promise<void> {
  const list = board.tasks.read();
  const task = list.ok ? heldBy(list.list.tasks, launch.name) : undefined;
  if (!task) return;
  const changed = await changedMeanwhile({ disk, paths: work.paths }, { cwd, since, own: session.touched(task.id) });
  if (changed) session.note({ source: { kind: "harness" }, text: changedInput(changed, since) });
}

/** A hook may want something done before the teammate waits for work. */
async function runIdleHook({ hooks, session }: Member, wake: Waker): Promise<void> {
  const wanted = await hooks.beforeIdle();
  if (!wanted) return;
  session.say(wanted);
  wake.notify();
}

function leadOf(
  { board, launch: { name, team, options } }: Member,
  warn: (text: string) => void,
  command: string,
): Pick<Teammate, "leadIsAlive" | "onLead" | "leadGraceMs"> {
  const { leadGraceMs } = options;
  return {
    leadIsAlive: () => board.holder("lead") !== undefined,
    onLead: (state) => warn(state === "gone" ? leadGoneText(name, leadGraceMs, { team, command }) : "The lead is back."),
    leadGraceMs,
  };
}

/** From a signal to the end of the process. The lead ends the commands that are still running. */
const hurriedMs = 800;

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function howToEnd(launch: Launch): string {
  return `To end ${launch.name}, ask the lead to stop it${inLeadsTerminal(launch) ? ` (${focusKey.name})` : ", or close this pane"}.`;
}

/** Ctrl-C and Ctrl-D end no teammate, and another one would not either. */
function warnHowToEnd(pane: Pane, launch: Launch): undefined {
  pane.warn(`${howToEnd(launch)} Esc interrupts its work.`);
}

function othersNames({ board, launch }: Member): string[] {
  const read = board.record();
  return read.ok ? read.record.members.map(({ name }) => name).filter((name) => name !== launch.name) : [];
}

/**
 * The first lines of a pane: it has no task yet, and a person who sees it for the first time does not know what it is. They fit into the narrowest
 * pane, since this one shrinks while others open beside it.
 */
function paneIntroduction({ name, team, options }: Launch): string {
  const walk = options.display === "tmux" ? `\n  ${focusKey.name} goes to the next pane.` : "";
  return `  ${name}, a teammate of team ${team}.\n  Takes tasks from the list. Write to ${name} here.${walk}`;
}

function inLeadsTerminal(launch: Launch): boolean {
  return launch.options.display === "in-process";
}

function backToLeadHint(launch: Launch): string {
  return inLeadsTerminal(launch) ? `${focusKey.name}: back to the lead` : "";
}

async function paneOf(world: World, name: string, completions: Completions): Promise<Pane> {
  const [clock, disk] = await Promise.all([world.edges.clock(), world.edges.disk()]);
  return openPane({
    terminal: await world.edges.terminal(),
    write: (text) => world.stdout.write(text),
    style: createStyle(world.env, () => [], world.theme),
    name,
    term: world.env["TERM"],
    now: clock.monotonicMs,
    editor: editorOf(world, disk, completions),
  });
}

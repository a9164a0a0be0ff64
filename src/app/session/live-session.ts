// One session on a screen: typed lines go to the agent or to a command, until the user leaves or switches to another session.

import { cutInstructions, skippedInstructions } from "../../agent/instructions.ts";
import { runTurns } from "../../agent/loop.ts";
import { askedCompaction } from "../../agent/requests/asked-compaction.ts";
import { windowOf } from "../../agent/requests/compaction.ts";
import { answeringModel } from "../../agent/requests/fallback.ts";
import { failuresText } from "../../agent/result/failures.ts";
import { conversationOf } from "../../agent/rewind/conversation.ts";
import type { SandboxState } from "../../permissions/policy.ts";
import { sandboxNotice } from "../../permissions/sandbox/sandbox-state.ts";
import { endingWithSession, stoppedWithSession } from "../../screen/commands/command-table.ts";
import { sessionCommands } from "../../screen/commands/session-commands.ts";
import { workerLine } from "../../screen/events/worker-line.ts";
import { toBackgroundKey } from "../../screen/keys/keys.ts";
import { backgroundText } from "../../screen/status/background-text.ts";
import { soloStatusLine } from "../../screen/status/solo-status-line.ts";
import type { Pane } from "../../screen/terminal/pane.ts";
import { visibleLine, visibleText } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { createAgentAdvice } from "../../subagents/advice.ts";
import { isUnderWay } from "../../subagents/record.ts";
import { errorText } from "../../wording/error-text.ts";
import { settingsFlags } from "../agent-flags.ts";
import { changeMode } from "../controls/mode-control.ts";
import { personsCommands } from "../controls/persons-command.ts";
import { runSlash } from "../controls/run-slash.ts";
import { introduceSandbox } from "../settings/sandbox-here.ts";
import { ineffectiveSettings, trustedSettings } from "../settings/trust.ts";
import { notifyOfEnds } from "./agents/agents-on-screen.ts";
import type { Attended, Next } from "./attended.ts";
import { chooseSession } from "./choose-session.ts";
import { openSolo, type Solo, sessionsHere, sessionToResume } from "./open-session.ts";
import { sessionRewind } from "./rewind-session.ts";
import { soloControls } from "./solo-controls.ts";

/** Runs the first session and those that follow. `resumable` has the last one if there is something to resume. */
export async function runOnScreen(attended: Attended, prompt: string | undefined): Promise<void> {
  const { world, flags } = attended;
  const choices = flags.resume === true ? await sessionsHere(world) : undefined;
  const id = choices ? await chooseSession(attended, choices) : await sessionToResume(world, flags);
  if (choices && choices.length > 0 && id === undefined) return; // the person has left the list
  let next: Next | undefined = { ...(id !== undefined && { id }), ...(flags.resumeAgent !== undefined && { agent: flags.resumeAgent }) };
  for (let first = prompt; next; first = undefined) next = await liveIn(attended, { ...next, prompt: first });
}

async function liveIn(attended: Attended, { prompt, ...chosen }: Next & { prompt: string | undefined }): Promise<Next | undefined> {
  const { pane, style, wake, ending } = attended;
  const solo = await openTrusted(attended, chosen);
  const { session } = solo;
  keepChoices(solo, pane, chosen);
  const leaving = new AbortController();
  let next: Next | undefined;
  const leave = (to?: Next) => {
    next = to;
    leaving.abort();
    pane.interruptTurn();
  };
  const onEnding = () => leave();
  ending.signal.addEventListener("abort", onEnding, { once: true });
  let working = false;
  let workingSince = 0;
  const sandbox = sandboxNow(attended, solo);
  const own = personsCommands({ pane, style, session, work: solo.work }, leaving.signal);
  const compaction = askedCompaction(session.agent, wake.notify);
  const rewind = sessionRewind(attended, solo, { isWorking: () => working, leaving: leaving.signal });
  const controls = soloControls(attended, solo, { leave, compact: compaction.ask, rewind: rewind.ask, leaving: leaving.signal });
  const taken = sessionCommands(controls).map(({ name }) => name);
  const commands = sessionCommands(controls, solo.skills.commands(taken, typedSkill(attended, solo)));
  Object.assign(attended.completions, { commands, paths: solo.work.paths });
  pane.print(openingLine(attended, solo));
  for (const notice of [...openingNotices(attended, solo), ...solo.skills.notices(taken)]) pane.warn(visibleLine(notice));
  showPast(attended, solo);
  const isCommand = (line: string) => runSlash(line, commands, { pane, style, explain: solo.skills.explain }) || own.run(line);
  const typed: string[] = [];
  pane.attach({
    session,
    wake: wake.notify,
    onLine(line) {
      const isTaken = !leaving.signal.aborted && isCommand(line);
      if (!isTaken) typed.push(line);
      return isTaken;
    },
    statusLine: (width) =>
      soloStatusLine(soloView(attended, solo, { working, workingSince, sandbox: sandbox(), command: own.newest() }), style, width),
    onKey: (key) =>
      key === toBackgroundKey && (solo.agents.host.toBackground() || solo.work.commands.own.toBackground() || own.staysHere()),
    onEscape: () => !working && own.interrupt(),
    onEscapeTwice: () => !working && void rewind.ask(),
    onMode: () => changeMode({ work: solo.work, session, pane }),
    onExit() {
      const busy = working || own.newest() !== undefined;
      if (!busy) ending.abort();
      return busy ? "Still working: Esc interrupts, Ctrl-C twice ends the session" : undefined;
    },
    onInterrupt: (again) => interrupt(attended, { again, interruptOwn: working ? undefined : own.interrupt }),
  });
  solo.agents.attach(session, wake.notify, (id) => id !== chosen.agent);
  void solo.work.environmentInput(); // while the person types
  solo.work.commands.all.listen(wake.notify);
  const stopAdvice = adviseOnAgents(attended, solo);
  showWorkers(attended, solo);
  notifyOfEnds(pane, solo.agents);
  if (chosen.agent !== undefined) void resumeNamedAgent(attended, solo, chosen.agent);
  for (const text of chosen.typed ?? []) if (!isCommand(text)) session.say({ source: { kind: "user" }, text });
  if (prompt) await typedSkill(attended, solo)(prompt).catch((error: unknown) => pane.warn(errorText(error)));
  if (ending.signal.aborted) leave();
  try {
    while (!leaving.signal.aborted) {
      working = rewind.waits() || compaction.waits() || session.inputWaits();
      workingSince = attended.nowMs();
      pane.refresh();
      if (rewind.waits()) await rewind.make();
      else if (compaction.waits()) await compaction.make(pane.turnSignal());
      else if (session.inputWaits()) attended.lastEnd = (await runTurns(session.agent, pane.turnSignal())).ending.kind;
      else if (attended.flags.endWhenDone && !solo.agents.host.isAtWork(undefined)) leave();
      else await wake.next(leaving.signal);
    }
  } finally {
    ending.signal.removeEventListener("abort", onEnding);
    stopAdvice();
    await leaveSession(attended, solo);
  }
  return next && { ...next, typed: typed.filter(session.takeBack) }; // its own agent takes them no more
}

/** Keeps what the person chose in the previous session. */
function keepChoices({ session, work }: Solo, pane: Pane, { model, effort, mode, cleared }: Next): void {
  if (model !== undefined) session.agent.modelName = model;
  if (cleared) session.agent.effort = effort;
  if (mode !== undefined && mode !== work.mode()) changeMode({ work, session, pane }, mode);
}

/** What runs. Returns what another Ctrl-C does. */
function interrupt(
  { pane, ending }: Attended,
  { again, interruptOwn }: { again: boolean; interruptOwn: (() => unknown) | undefined },
): string | undefined {
  if (again) ending.abort();
  pane.interruptTurn();
  interruptOwn?.();
  return again ? undefined : "Ctrl-C again ends the session";
}

/** Reports failures, and releases the session for another process. */
async function leaveSession({ resumable, pane, ending }: Attended, solo: Solo): Promise<void> {
  resumable.id = solo.session.totals().turns > 0 || solo.events().some(({ type }) => type === "input") ? solo.session.id : undefined;
  const failed = failuresText(solo.failures.fresh(), solo.failures.path);
  if (failed) pane.print(visibleText(failed), 2);
  for (const line of endingWithSession(solo.work.commands.all.list())) pane.print(line, 2);
  await solo.close(ending.signal.aborted ? "exit" : "other_session");
}

type Now = { working: boolean; workingSince: number; sandbox: ReturnType<ReturnType<typeof sandboxNow>>; command: string | undefined };

/** The data for the session's status line. */
function soloView({ pane, nowMs }: Attended, { session, work, agents }: Solo, { working, workingSince, sandbox, command }: Now) {
  const { agent } = session;
  const { costUsd } = session.totals();
  return {
    state: pane.isAsking() ? "needs_you" : working ? "working" : "ready",
    workingMs: nowMs() - workingSince,
    command,
    model: [answeringModel(agent), agent.effort].filter(Boolean).join(" "),
    mode: work.mode(),
    sandbox,
    window: { usedTokens: agent.history.count.tokens(), ofTokens: windowOf(agent) },
    costUsd,
    background: backgroundText({ agents: agents.host.list(), commands: work.commands.all.list() }, nowMs()),
  } as const;
}

/** Shows a line for each change and each command of workers, because their work is the session's own work. */
function showWorkers({ pane, style, agentNames }: Attended, { agents }: Solo): void {
  agents.listen(({ worker, name }, event) => {
    if (!worker) return;
    if (!agentNames.includes(name)) agentNames.push(name);
    const line = workerLine(name, event, style);
    if (line !== undefined) pane.print(line, 11);
  });
}

/** Returns a function that stops it. */
function adviseOnAgents({ pane, world }: Attended, { agents }: Solo): () => void {
  const advice = createAgentAdvice(`${world.command} help modes`);
  return agents.listen(({ name }, event) => {
    const atWork = agents.host.list().filter((record) => record.parent === undefined && !record.worker && isUnderWay(record)).length;
    const text = advice({ agent: name, atWork, event });
    if (text) pane.warn(visibleLine(text));
  });
}

/** Refuses a skill that cannot be used before anything is sent; the skill's text is read when the agent takes the line. */
function typedSkill({ wake }: Attended, { session, skills }: Solo): (line: string) => Promise<void> {
  return async (line) => {
    session.say(await skills.inputOf(line));
    wake.notify();
  };
}

/** The settings, as far as the person trusts them at this time. */
async function openTrusted(attended: Attended, { id, cleared }: Pick<Next, "id" | "cleared">): Promise<Solo> {
  const { world, flags, pane } = attended;
  const settings = await trustedSettings(attended, settingsFlags(flags));
  for (const notice of ineffectiveSettings(settings)) pane.warn(visibleLine(notice));
  const { ask, askFor, warn: onNotice } = pane;
  return openSolo(world, { flags, settings, id, cleared, ask, askFor, onNotice, attended: true, as: flags.agent });
}

function openingLine({ world, style }: Attended, { session, past, instructions, script }: Solo): string {
  const parts = [
    past.length > 0 ? `Session ${session.id.slice(0, 8)} resumed` : `tool ${world.version}`,
    script ? `scripted: the answers come from ${script}, not from a model` : session.agent.modelName,
    world.cwd,
    ...(instructions.length > 0 ? [`${instructions.length} instruction file${instructions.length > 1 ? "s" : ""}`] : []),
    "/help",
  ];
  return style.dim(parts.join("  "));
}

/** Warnings about surprising choices. */
function openingNotices({ world }: Attended, { instructions, skipped, notices, work }: Solo): string[] {
  const files = [...cutInstructions(instructions, world.cwd), ...skippedInstructions(skipped, world.cwd)];
  const ended = stoppedWithSession(work.commands.all.list());
  return [...notices, ...ended, ...files].map(visibleLine);
}

/** Asks the person where it must; its report enters the conversation like any other. */
async function resumeNamedAgent({ pane, flags }: Attended, { agents }: Solo, id: string): Promise<void> {
  const way = { maxTurns: flags.maxTurns, ask: true, background: true };
  const result = await agents.host.resume(id, way, new AbortController().signal);
  if (result.kind === "refused") pane.warn(visibleLine(result.reason));
}

/** How many events of a resumed session are shown again; the model has all of them. */
const shownAgain = 30;

function showPast({ pane, style }: Attended, solo: Solo): void {
  const past = conversationOf(solo.past);
  if (past.length > shownAgain) pane.print(style.dim(`  … ${past.length - shownAgain} earlier events`));
  pane.replay(past.slice(-shownAgain));
}

function sandboxWords({ kind }: SandboxState, { effective }: LoadedSettings): string {
  switch (kind) {
    case "active":
      return effective.sandbox.network === undefined ? "sandbox" : `sandbox, ${effective.sandbox.network ? "network on" : "offline"}`;
    case "off":
      return "sandbox off";
    case "missing":
      return "no sandbox";
    case "lost":
      return "sandbox lost";
    case "refused":
      return "no sandbox, no commands";
  }
}

/** Whether commands are sandboxed, once that is known. */
function sandboxNow({ pane, style, world }: Attended, { work }: Solo): () => string {
  let words = "";
  const look = async () => {
    const state = await work.sandbox();
    words = sandboxWords(state, work.settings());
    return state;
  };
  void look().then((state) => {
    const notice = sandboxNotice(state, "/doctor");
    if (notice) pane.warn(visibleLine(notice));
    pane.refresh();
    return introduceSandbox(world, { state, settings: work.settings(), print: (line) => pane.print(style.dim(`  ${line}`), 2) });
  });
  return () => {
    void look(); // a command may lose the sandbox
    return words;
  };
}

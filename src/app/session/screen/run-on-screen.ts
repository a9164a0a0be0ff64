// One session on a screen: typed lines go to the agent or to a command, until the user leaves or switches to another session.

import { runTurns } from "../../../agent/loop.ts";
import { windowOf } from "../../../agent/requests/compaction.ts";
import { answeringModel } from "../../../agent/requests/fallback.ts";
import { failuresText } from "../../../agent/result/failures.ts";
import { freeMemoryWhenIdle } from "../../../agent/session/idle-memory.ts";
import { endingWithSession } from "../../../screen/commands/command-table.ts";
import { backgroundText } from "../../../screen/status/background-text.ts";
import { handsBrief } from "../../../screen/status/hands-text.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import { visibleLine, visibleText } from "../../../screen/visible-text.ts";
import { errorText } from "../../../wording/error-text.ts";
import { settingsFlags } from "../../agent-flags.ts";
import { changeMode } from "../../controls/mode-control.ts";
import { ineffectiveSettings, trustedSettings } from "../../settings/trust.ts";
import type { AskFor } from "../agents/agent-permit.ts";
import { offeredSessions, openSolo, type Solo, sessionToResume } from "../open-session.ts";
import { openPresence, type Presence } from "../presence.ts";
import type { Attended, Next } from "./attended.ts";
import { chooseSession } from "./choose-session.ts";
import { askForProvider } from "./first-run.ts";
import { type GoalOnScreen, goalOnScreen } from "./goal-on-screen.ts";
import {
  connectAgents,
  enter,
  interruptOwn,
  type Live,
  liveCommands,
  liveKeys,
  openLive,
  runTyped,
  sayTyped,
  type Typed,
} from "./live-session.ts";
import { isBusy, type LiveState, rulesIn } from "./live-state.ts";
import { printOpening } from "./opening-lines.ts";
import { type SessionRewind, sessionRewind } from "./rewind-session.ts";
import { sandboxNow } from "./sandbox-words.ts";
import { adviseOnAgents, resumeNamedAgent, showWorkers } from "./solo-agents.ts";
import { soloControls } from "./solo-controls.ts";
import { sessionStatusLine } from "./status-command.ts";

/** Runs the first session and those that follow. `resumable` has the last one if there is something to resume. */
export async function runOnScreen(attended: Attended, prompt: string | undefined): Promise<void> {
  const { world, flags } = attended;
  await askForProvider(attended);
  if (flags.setupOnly) return;
  const choices = flags.resume === true ? await offeredSessions(world) : undefined;
  const id = choices ? await chooseSession(attended, choices) : await sessionToResume(world, flags);
  if (choices && choices.length > 0 && id === undefined) return; // the person has left the list
  let next: Next | undefined = { ...(id !== undefined && { id }), ...(flags.resumeAgent !== undefined && { agent: flags.resumeAgent }) };
  let first: Beginning = { prompt, until: flags.until };
  for (; next; first = {}) next = await liveIn(attended, { ...next, ...first });
}

/** What the command line says that the first session is to do. */
type Beginning = { prompt?: string | undefined; until?: string | undefined };

/** A solo session on the screen, with all that its lines, keys and states work on. */
type OnScreen = {
  attended: Attended;
  solo: Solo;
  live: Live;
  rewind: SessionRewind;
  goal: GoalOnScreen;
  leaving: AbortController;
  /** Lines that went to its agent, or were typed too late for a command. */
  typed: string[];
  sandbox: () => string;
};

async function liveIn(attended: Attended, { prompt, until, ...chosen }: Next & Beginning): Promise<Next | undefined> {
  const { pane, ending } = attended;
  const onAnsweredElsewhere = (text: string) => pane.print(`  ${visibleLine(text)}`, 4);
  const presence = await openPresence(attended.world, { kind: "attended", onAnsweredElsewhere });
  const solo = await openTrusted(attended, chosen, presence);
  keepChoices(solo, pane, chosen);
  const on = await onScreen(attended, solo);
  presence.begin(solo.session, solo.past);
  const onEnding = () => leave(on);
  ending.signal.addEventListener("abort", onEnding, { once: true });
  const typed = attach(on);
  const stopAdvice = connect(on, chosen);
  for (const text of chosen.typed ?? []) if (!runTyped(on.live, typed, text)) solo.session.say({ source: { kind: "user" }, text });
  on.goal.begin(until, { isAlone: !prompt });
  if (prompt) await sayTyped(on.live, prompt).catch((error: unknown) => pane.warn(errorText(error)));
  if (ending.signal.aborted) leave(on);
  try {
    await runUntilLeft(on);
  } finally {
    ending.signal.removeEventListener("abort", onEnding);
    stopAdvice();
    presence.end();
    await leaveSession(attended, solo);
  }
  const { state } = on.live;
  const to = state.kind === "leaving" ? state.to : undefined;
  return to && { ...to, typed: on.typed.filter(solo.session.takeBack) }; // its own agent takes them no more
}

async function onScreen(attended: Attended, solo: Solo): Promise<OnScreen> {
  const leaving = new AbortController();
  const live = openLive({ ...attended, ...solo, leaving: leaving.signal });
  const goal = goalOnScreen(attended, solo, await attended.world.edges.disk());
  const rewind = sessionRewind(attended, solo, live);
  return { attended, solo, live, leaving, rewind, goal, typed: [], sandbox: sandboxNow(attended, solo) };
}

/** Ends its turns, and its loop; `to` follows. */
function leave({ live, leaving, attended: { pane } }: OnScreen, to?: Next): void {
  if (!to) pane.leaving();
  live.state = { kind: "leaving", sinceMs: live.nowMs(), to };
  leaving.abort();
  pane.interruptTurn();
}

/** Prints how the session opens, and connects the keyboard to it. */
function attach(on: OnScreen): Typed {
  const { attended, solo, live, rewind, goal } = on;
  const { pane, completions } = attended;
  const flow = {
    leave: (to?: Next) => leave(on, to),
    compact: live.compaction.ask,
    rewind: rewind.ask,
    goal: goal.command,
    leaving: live.leaving,
  };
  const controls = soloControls(attended, solo, flow);
  let commands: Typed["commands"] = [];
  printOpening(attended, solo, () => {
    commands = liveCommands(live, controls);
  });
  Object.assign(completions, { commands, paths: solo.work.paths });
  const typed = { commands, explain: solo.skills.explain };
  const keys = liveKeys(live, typed);
  pane.attach({
    ...keys,
    onLine(line) {
      const isTaken = keys.onLine(line);
      if (!isTaken) on.typed.push(line);
      return isTaken;
    },
    statusLine: sessionStatusLine(attended, {
      settings: solo.work.settings(),
      session: solo.session.id,
      view: () => soloView(on),
      signal: live.leaving,
    }),
    onEscapeTwice: () => rulesIn[live.state.kind].goesBack && void rewind.ask(),
    onExit: () => exit(on),
    onInterrupt: (again) => interrupt(on, again),
  });
  return typed;
}

/** Connects what goes on beside the conversation. Returns a function that ends the advice on agents. */
function connect({ attended, solo, live }: OnScreen, chosen: Next): () => void {
  connectAgents(live, (id) => id !== chosen.agent);
  solo.work.environmentInput().catch(() => {}); // begun while the person types; the first request asks again
  solo.work.commands.all.listen(live.wake.notify);
  void freeMemoryWhenIdle(solo.session, attended.world.edges.idleMemory());
  showWorkers(attended, solo);
  if (chosen.agent !== undefined) void resumeNamedAgent(attended, solo, chosen.agent);
  return adviseOnAgents(attended, solo);
}

async function runUntilLeft(on: OnScreen): Promise<void> {
  const { live } = on;
  while (live.state.kind !== "leaving") {
    const next = nextState(on);
    enter(live, next);
    live.pane.refresh();
    await act(on, next);
  }
}

type Step = Exclude<LiveState["kind"], "opening">;

async function act(on: OnScreen, step: Step): Promise<void> {
  const { attended, live, rewind, goal, leaving } = on;
  switch (step) {
    case "rewinding":
      return rewind.make();
    case "compacting":
      return live.compaction.make(live.pane.turnSignal());
    case "working":
      attended.lastEnd = goal.ranTurns(await runTurns(live.session.agent, live.pane.turnSignal()), leaving.signal);
      return;
    case "checking":
      return goal.make(live.pane.turnSignal(), leaving.signal);
    case "waiting":
      return live.wake.next(leaving.signal);
    case "leaving":
      return leave(on);
  }
}

/** What the person has asked for comes before what waits for the agent. */
function nextState({ attended: { flags }, solo: { agents }, live, rewind, goal }: OnScreen): Step {
  if (rewind.waits()) return "rewinding";
  if (live.compaction.waits()) return "compacting";
  if (live.session.inputWaits()) return "working";
  if (goal.waits()) return "checking";
  return flags.endWhenDone && !agents.host.isAtWork(undefined) ? "leaving" : "waiting";
}

/** Ctrl-D. Returns what ends the session, where this does not. */
function exit({ attended, live }: OnScreen): string | undefined {
  const ends = rulesIn[live.state.kind].ends && live.own.newest() === undefined;
  if (ends) attended.ending.abort();
  return ends ? undefined : "Still working: Esc interrupts, Ctrl-C twice ends the session";
}

/** Ctrl-C. Returns what another one does. */
function interrupt({ attended: { ending, pane }, live }: OnScreen, again: boolean): string | undefined {
  interruptOwn(live);
  if (again) ending.abort();
  pane.interruptTurn();
  return again ? undefined : "Ctrl-C again ends the session";
}

/** Keeps what the person chose in the previous session. */
function keepChoices({ session, work }: Solo, pane: Pane, { model, effort, mode, cleared }: Next): void {
  if (model !== undefined) session.agent.modelName = model;
  if (cleared) session.agent.effort = effort;
  if (mode !== undefined && mode !== work.mode()) changeMode({ work, session, pane }, mode);
}

/** Reports failures, and releases the session for another process. */
async function leaveSession({ resumable, pane, ending }: Attended, solo: Solo): Promise<void> {
  resumable.id = solo.session.totals().turns > 0 || solo.events().some(({ type }) => type === "input") ? solo.session.id : undefined;
  const failed = failuresText(solo.failures.fresh(), solo.failures.path);
  if (failed) pane.print(visibleText(failed), 2);
  for (const line of endingWithSession(solo.work.commands.all.list())) pane.print(line, 2);
  await solo.close(ending.signal.aborted ? "exit" : "other_session");
}

/** The data for the session's status line. */
function soloView({ live, sandbox, goal, solo: { agents } }: OnScreen) {
  const { pane, nowMs, session, work, state } = live;
  const { agent } = session;
  const { costUsd } = session.totals();
  const hands = work.hands?.();
  return {
    state: pane.isAsking() ? "needs_you" : isBusy(state) ? "working" : "ready",
    workingMs: nowMs() - state.sinceMs,
    command: live.own.newest(),
    model: [answeringModel(agent), agent.effort].filter(Boolean).join(" "),
    mode: work.mode(),
    sandbox: [hands && handsBrief(hands), sandbox()].filter(Boolean).join(", "),
    hands,
    window: { usedTokens: agent.history.count.tokens(), ofTokens: windowOf(agent) },
    costUsd,
    background: [goal.status(), backgroundText({ agents: agents.host.list(), commands: work.commands.all.list() }, nowMs())]
      .filter(Boolean)
      .join(", "),
  } as const;
}

/** The settings, as far as the person trusts them at this time. */
async function openTrusted(attended: Attended, { id, cleared }: Pick<Next, "id" | "cleared">, { seen }: Presence): Promise<Solo> {
  const { world, flags, pane } = attended;
  const settings = await trustedSettings(attended, settingsFlags(flags));
  for (const notice of ineffectiveSettings(settings)) pane.warn(visibleLine(notice));
  const { warn: onNotice } = pane;
  const ask = pane.ask && seen(pane.ask);
  const { askFor: askForOf } = pane;
  const askFor: AskFor | undefined = askForOf && ((name, stopsAlone) => seen(askForOf(name, stopsAlone), name));
  return openSolo(world, { flags, settings, id, cleared, ask, askFor, onNotice, attended: true, as: flags.agent });
}

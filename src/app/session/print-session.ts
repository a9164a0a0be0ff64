// `tool --print`: a session without a screen. Output for a script goes to standard output, everything else to standard error.

import { type AgentEvent, type Input, isPrintable } from "../../agent/events.ts";
import { skippedInstructions } from "../../agent/instructions.ts";
import type { Clock } from "../../agent/ports/clock.ts";
import { soloAgent } from "../../agent/prompt.ts";
import { type Failures, withRecorded } from "../../agent/result/failures.ts";
import { createRun, type Run, type RunResult } from "../../agent/result/run-result.ts";
import { spentSince } from "../../agent/session/session.ts";
import { endingWithSession } from "../../screen/commands/command-table.ts";
import { goalLines } from "../../screen/events/goal-lines.ts";
import { waitWords } from "../../screen/events/wait-words.ts";
import { createStyle } from "../../screen/style.ts";
import { visibleText } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { plural } from "../../wording/figures.ts";
import type { SessionFlags } from "../agent-flags.ts";
import { settingsFlags } from "../agent-flags.ts";
import { faultText } from "../disk-fault.ts";
import { note } from "../note.ts";
import { errorLine, incidentLines } from "../print/error-line.ts";
import { nothingToDo, type Prompt, promptIfAny, promptText } from "../print/stdin-prompt.ts";
import { streamLine } from "../print/stream-line.ts";
import { resumeHint, sessionCommand } from "../resume-hint.ts";
import { openSettings } from "../settings/open-settings.ts";
import { sandboxHere } from "../settings/sandbox-here.ts";
import { settingsNotices } from "../settings/trust.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { openSolo, type Solo, sessionToResume } from "./open-session.ts";
import { openPresence } from "./presence.ts";
import { commandGoal, runToGoal, sessionGoal } from "./session-goal.ts";

/** Works on the prompt and prints the result. Throws UsageError, with nothing sent, if it cannot start. */
export async function runPrint(world: World, { prompt, flags }: { prompt: string | undefined; flags: SessionFlags }): Promise<ExitCode> {
  const given = await promptIfAny(world, prompt, flags.until !== undefined || flags.continue === true || flags.resume !== undefined);
  const run = createRun(soloAgent);
  const ending = new AbortController();
  const clock = await world.edges.clock();
  const stopSignals = untilPrinted(world, clock, () => {
    run.interrupt();
    ending.abort();
  });
  try {
    const result = await worked(world, { given, flags, run, clock, ending: ending.signal });
    if ((await world.stdout.drained()) === "closed") {
      world.stderr.write(`tool: cannot write the reply: the output was closed. The reply is kept: ${resumed(world, result)}\n`);
      return result.exit_code || 1;
    }
    return ending.signal.aborted ? 130 : result.exit_code;
  } finally {
    stopSignals();
  }
}

const resumed = ({ command }: World, { session_id }: RunResult) => `${command} --resume ${session_id}`;

/** An orderly end begins at the first signal. Who repeats it after a moment wants an end at once: nothing of ours is in the way any more. */
function untilPrinted({ onSignal }: World, clock: Clock, interrupt: () => void): () => void {
  let isFirst = true;
  const stop = onSignal(() => {
    interrupt();
    if (isFirst) void clock.sleep(repeatedAfterMs).then(stop);
    isFirst = false;
  });
  return stop;
}

/** A signal to a whole group of processes is often passed on by one of them, and comes twice. */
const repeatedAfterMs = 2_000;

type Work = { given: Prompt | undefined; flags: SessionFlags; run: Run; clock: Clock; ending: AbortSignal };

/** The printed result. */
async function worked(world: World, { given, flags, run, clock, ending }: Work): Promise<RunResult> {
  const startedMs = clock.monotonicMs();
  const settings = await openSettings(world, settingsFlags(flags));
  const onNotice = (text: string) => note(world, text);
  const id = await sessionToResume(world, flags);
  const solo = await openSolo(world, { flags, settings, id, ask: undefined, onNotice, attended: false, as: flags.agent });
  const { session } = solo;
  void warnIfUnconfined(world, settings);
  for (const notice of [
    ...settingsNotices(settings, world.command),
    ...solo.notices,
    ...solo.skills.notices([]),
    ...skippedInstructions(solo.skipped, world.cwd),
  ])
    note(world, notice);
  const before = session.totals();
  followed(world, solo, { flags, run });
  const presence = await openPresence(world, { kind: "printed" });
  presence.begin(session, solo.past);
  const goal = sessionGoal(world, solo, { disk: await world.edges.disk() });
  const work = async () => {
    try {
      if (given) session.say(await inputOf(solo, given));
      if (flags.until !== undefined) goal.set(commandGoal(flags.until), { maxTurns: flags.maxTurns, first: !given });
      if (!session.inputWaits() && !goal.waits()) throw new UsageError(nothingToDo);
      await runToGoal(solo, goal, ending);
    } finally {
      presence.end();
      // Servers and the like: nothing waits for them.
      for (const line of endingWithSession(solo.work.commands.all.list())) note(world, line);
      await solo.close("exit");
    }
  };
  await work().catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    run.fail(faultText(error, world));
  });
  const others = withRecorded(solo.agents.incidents(), solo.failures.fresh());
  const durationMs = clock.monotonicMs() - startedMs;
  const result = run.result({
    session: session.id,
    model: session.agent.modelName,
    durationMs,
    spent: spentSince(before, session.totals()),
    others,
    hands: solo.work.hands?.(),
  });
  printResult(world, { format: flags.outputFormat, recorded: recordedLine(solo.failures) }, result);
  return result;
}

async function inputOf({ skills, work }: Solo, given: Prompt): Promise<Input> {
  const { text, typed } = await promptText(given, work.redacted);
  return { ...(await skills.inputOf(text)), typed };
}

/** Shows what happens while it happens. */
function followed(world: World, { session, agents }: Solo, { flags, run }: Pick<Work, "flags" | "run">): void {
  const show = flags.outputFormat === "stream-json" ? eventLinesTo(world) : progressTo(world);
  show(session.about());
  session.listen((event) => {
    run.follow(event);
    show(event);
  });
  agents.attach(session, () => {});
  if (flags.outputFormat === "stream-json") agents.listen(({ id }, event) => agentLineOf(world, id, event));
}

/** While the first request is in progress. */
async function warnIfUnconfined(world: World, settings: LoadedSettings): Promise<void> {
  const { notice } = await sandboxHere(world, settings);
  if (notice) note(world, notice);
}

function eventLinesTo({ stdout }: World): (event: AgentEvent) => void {
  return (event) => {
    if (isPrintable(event)) stdout.write(`${JSON.stringify(streamLine(event))}\n`);
  };
}

/** The events of the session's agents, each line with the agent's id. Their ends are events of the session itself. */
function agentLineOf({ stdout }: World, agent: string, event: AgentEvent): void {
  if (isPrintable(event) && event.type !== "agent_ended") {
    stdout.write(`${JSON.stringify({ ...streamLine(event), agent_id: agent })}\n`);
  }
}

/** Progress messages for a person at the end of a pipe. */
function progressTo({ stderr, env }: World): (event: AgentEvent) => void {
  const style = createStyle(stderr.isTTY ? env : { ...env, NO_COLOR: "1" });
  return (event) => {
    if (event.type === "retry" && event.waitMs >= 1_000) stderr.write(`tool: ${waitWords(event, event.waitMs)}\n`);
    if (event.type === "notice" && event.level !== "info") stderr.write(`tool: ${visibleText(event.text)}\n`);
    if (event.type === "goal_checked" || event.type === "goal_ended") stderr.write(`${goalLines(event, style)}\n`);
  };
}

type Print = { format: SessionFlags["outputFormat"]; recorded: string[] };

function printResult({ stdout, stderr, command, copyOf }: World, { format, recorded }: Print, result: RunResult): void {
  const { ending, reason = "", result: text, session_id } = result;
  // A terminal obeys what is written to it; a file or a program gets the text as it is.
  if (format === "text" && text) stdout.write(`${(stdout.isTTY ? visibleText(text) : text).trimEnd()}\n`);
  for (const line of [...incidentLines(result, soloAgent), ...recorded]) stderr.write(line);
  if (ending === "aborted") stderr.write(errorLine(reason));
  if (format !== "text") stdout.write(`${JSON.stringify(result)}\n`);
  else if (ending === "denied") stderr.write(errorLine(reason));
  if (format === "text" && ending !== "done") stderr.write(`${resumeHint(session_id, sessionCommand({ command, copyOf }))}\n`);
}

function recordedLine({ fresh, path }: Failures): string[] {
  const { length } = fresh();
  return length > 0 ? [errorLine(`${plural(length, "item")} ${length > 1 ? "are" : "is"} recorded in ${path}`)] : [];
}

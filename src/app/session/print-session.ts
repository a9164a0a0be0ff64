// `tool --print`: a session without a screen. Output for a script goes to standard output, everything else to standard error.

import type { AgentEvent } from "../../agent/events.ts";
import { failuresText } from "../../agent/failures.ts";
import { skippedInstructions } from "../../agent/instructions.ts";
import { createRun, deniedReason, type RunResult } from "../../agent/run-result.ts";
import { spentSince } from "../../agent/session.ts";
import { endingWithSession } from "../../screen/commands/command-table.ts";
import { visibleText } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { runToRest } from "../../subagents/run-to-rest.ts";
import { errorText } from "../../wording/error-text.ts";
import { duration } from "../../wording/figures.ts";
import type { SessionFlags } from "../agent-flags.ts";
import { settingsFlags } from "../agent-flags.ts";
import { errorLine } from "../error-line.ts";
import { note } from "../note.ts";
import { openSettings } from "../open-settings.ts";
import { resumeHint } from "../resume-hint.ts";
import { sandboxHere } from "../sandbox-here.ts";
import { promptOf, promptText } from "../stdin-prompt.ts";
import { streamLine } from "../stream-line.ts";
import { settingsNotices } from "../trust.ts";
import type { ExitCode, World } from "../world.ts";
import { openSolo, sessionToResume } from "./open-session.ts";

/** Works on the prompt and prints the result. Throws UsageError, with nothing sent, if it cannot start. */
export async function runPrint(world: World, { prompt, flags }: { prompt: string | undefined; flags: SessionFlags }): Promise<ExitCode> {
  const given = await promptOf(world, prompt);
  const clock = await world.edges.clock();
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
  const ending = new AbortController();
  const stopSignals = world.onSignal(() => ending.abort());
  const run = createRun();
  const before = session.totals();
  const show = flags.outputFormat === "stream-json" ? eventLinesTo(world) : progressTo(world);
  show(session.about());
  session.listen((event) => {
    run.follow(event);
    show(event);
  });
  solo.agents.attach(session, () => {});
  if (flags.outputFormat === "stream-json") solo.agents.listen(({ id }, event) => agentLineOf(world, id, event));
  const work = async () => {
    try {
      session.say(await solo.skills.inputOf(await promptText(given, solo.work.redacted)));
      await runToRest(session.agent, { host: solo.agents.host, signal: ending.signal });
    } finally {
      stopSignals();
      // Servers and the like: nothing waits for them.
      for (const line of endingWithSession(solo.work.commands.all.list())) note(world, line);
      await solo.close("exit");
    }
  };
  const resultNow = () => {
    const durationMs = clock.monotonicMs() - startedMs;
    const spent = spentSince(before, session.totals());
    return run.result({ session: session.id, model: session.agent.modelName, durationMs, spent, failures: solo.failures.fresh() });
  };
  await work().catch((error: unknown) => {
    run.fail(errorText(error));
    if (flags.outputFormat !== "text") printResult(world, flags.outputFormat, resultNow()); // with JSON output, the result contains it
    throw error;
  });
  printResult(world, flags.outputFormat, resultNow());
  const failed = failuresText(solo.failures.fresh(), solo.failures.path);
  if (failed) world.stderr.write(errorLine(failed));
  if ((await world.stdout.drained()) === "open") return resultNow().exit_code;
  world.stderr.write(`tool: cannot write the reply: the output was closed. The reply is kept: ${world.command} --resume ${session.id}\n`);
  return resultNow().exit_code || 1;
}

/** While the first request is in progress. */
async function warnIfUnconfined(world: World, settings: LoadedSettings): Promise<void> {
  const { notice } = await sandboxHere(world, settings);
  if (notice) note(world, notice);
}

function eventLinesTo({ stdout }: World): (event: AgentEvent) => void {
  return (event) => {
    if (event.type !== "tool_output" && event.type !== "thought") stdout.write(`${JSON.stringify(streamLine(event))}\n`);
  };
}

/** The events of the session's agents, each line with the agent's id. Their ends are events of the session itself. */
function agentLineOf({ stdout }: World, agent: string, event: AgentEvent): void {
  if (event.type !== "tool_output" && event.type !== "thought" && event.type !== "agent_ended") {
    stdout.write(`${JSON.stringify({ ...streamLine(event), agent_id: agent })}\n`);
  }
}

/** Progress messages for a person at the end of a pipe. */
function progressTo({ stderr }: World): (event: AgentEvent) => void {
  return (event) => {
    if (event.type === "retry" && event.waitMs >= 1_000)
      stderr.write(`tool: ${visibleText(event.reason)} Trying again in ${duration(event.waitMs)}.\n`);
    if (event.type === "notice" && event.level !== "info") stderr.write(`tool: ${visibleText(event.text)}\n`);
    if (event.type === "denied") stderr.write(`tool: denied ${visibleText(`${event.name} ${event.subject}: ${event.reason}`)}\n`);
  };
}

function printResult({ stdout, stderr, command }: World, format: SessionFlags["outputFormat"], result: RunResult): void {
  if (format !== "text") {
    stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  if (result.result) stdout.write(`${result.result.trimEnd()}\n`);
  if (result.reason) stderr.write(`${errorLine(result.reason)}${resumeHint(result.session_id, command)}\n`);
  const denied = result.permission_denials.length;
  if (denied > 0 && result.ending !== "denied") stderr.write(`tool: ${deniedReason(denied)}\n`);
}

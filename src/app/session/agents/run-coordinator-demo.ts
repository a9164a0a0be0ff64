// The coordinator demo: a scripted session and its workers move a scratch copy of a small program to one logger.
import type { AgentEvent } from "../../../agent/events.ts";
import { failuresText } from "../../../agent/result/failures.ts";
import { agentLines } from "../../../screen/events/agent-lines.ts";
import { workerLine } from "../../../screen/events/worker-line.ts";
import { createStyle, type Style } from "../../../screen/style.ts";
import { visibleText } from "../../../screen/visible-text.ts";
import { runToRest } from "../../../subagents/run-to-rest.ts";
import { coordinatorDemo as demo, preparing } from "../../../team/demo.ts";
import { clockTime } from "../../../wording/figures.ts";
import { type SessionFlags, settingsFlags } from "../../agent-flags.ts";
import { fitted } from "../../print/fitted.ts";
import { openSettings } from "../../settings/open-settings.ts";
import type { ExitCode, World } from "../../world.ts";
import { forgetDemo } from "../forget-demo.ts";
import type { Solo } from "../open-session.ts";
import { inUnattendedSession } from "../unattended-session.ts";

export type CoordinatorDemoFlags = { print?: boolean; script?: string };

/** Returns 0 if the work is done and the program's own tests pass, 1 if not, 130 if it was interrupted. */
export async function runCoordinatorDemo(world: World, { print, script }: CoordinatorDemoFlags): Promise<ExitCode> {
  const attended = world.stdin.isTTY && world.stdout.isTTY && !print;
  const interrupted = new AbortController();
  const stopSignals = world.onSignal(() => interrupted.abort()); // ends the agents first, then removes the copy
  world.stdout.write(`${preparing}\n`);
  const scratch = await world.edges.scratchRepository(`${world.packageDir}/${demo.repository}`);
  const flags: SessionFlags = {
    outputFormat: "text",
    script: script ?? `${world.packageDir}/${demo.script}`,
    agent: demo.agent,
    allow: [...demo.allow],
    deny: [],
    endWhenDone: true,
  };
  const here: World = { ...world, cwd: scratch.path };
  const say = async (text: string) => world.stdout.write(`${await fitted(world.stdout, text)}\n`);
  try {
    const before = await scratch.test(interrupted.signal);
    if (interrupted.signal.aborted) return 130;
    await say(`${demo.notice}\nThe tests of the copy before: ${before.summary}\n`);
    const code = attended ? await onScreen(here, flags) : await printed(here, flags);
    forgetDemo(world, scratch, interrupted.signal.aborted ? 130 : code);
    if (interrupted.signal.aborted || code === 130) return 130;
    const { green, summary } = await scratch.test();
    await say(`\nChecked: node --test → ${summary} (before: ${before.summary}). ${(await scratch.changes()) || "No file changed"}.`);
    return code === 0 && !green ? 1 : code;
  } finally {
    stopSignals();
    scratch.remove();
  }
}

async function onScreen(world: World, flags: SessionFlags): Promise<ExitCode> {
  const { runAttended } = await import("../screen/attended-session.ts");
  return runAttended(world, { prompt: demo.prompt, flags });
}

/** Prints a line for each fact, with the time since the beginning. */
async function printed(world: World, flags: SessionFlags): Promise<ExitCode> {
  const clock = await world.edges.clock();
  const settings = await openSettings(world, settingsFlags(flags));
  return inUnattendedSession(world, { flags, settings, id: undefined, as: flags.agent }, async (solo, ending) => {
    const begun = clock.monotonicMs();
    showFacts(solo, createStyle({ ...world.env, NO_COLOR: "1" }), (text) =>
      world.stdout.write(`${clockTime(clock.monotonicMs() - begun)} ${text}\n`),
    );
    solo.agents.attach(solo.session, () => {});
    solo.session.say({ source: { kind: "user" }, text: demo.prompt });
    const { ending: end, text } = await runToRest(solo.session.agent, { host: solo.agents.host, signal: ending });
    const failed = failuresText(solo.failures.fresh(), solo.failures.path);
    for (const part of failed ? [text, failed] : [text]) world.stdout.write(`\n${visibleText(part)}\n`);
    if (ending.aborted) return 130;
    return end.kind === "done" ? 0 : 1;
  });
}

function showFacts({ session, agents }: Solo, style: Style, fact: (text: string) => void): void {
  const say = (text: string | undefined) => text !== undefined && fact(text.trim().replaceAll(/\s*\n\s*/g, " "));
  const isFact = ({ type }: AgentEvent) => type === "tool_ended" || type === "agent_ended" || type === "notice" || type === "retry";
  session.listen((event) => say(isFact(event) ? agentLines(event, style) : undefined));
  agents.listen(({ worker, name }, event) => say(worker && workerLine(name, event, style)));
}

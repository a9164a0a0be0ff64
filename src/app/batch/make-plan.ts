// Makes the plan of a batch with a read-only agent, which explores the repository and submits until its plan is accepted.
import type { AgentEvent } from "../../agent/events.ts";
import { soloAgent } from "../../agent/prompt.ts";
import { createRun, type RunResult } from "../../agent/result/run-result.ts";
import type { Used } from "../../batch/estimate.ts";
import type { Plan } from "../../batch/plan/plan.ts";
import { planSubmission } from "../../batch/plan/submit-plan.ts";
import { planPrompt } from "../../batch/prompt.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { runToRest } from "../../subagents/run-to-rest.ts";
import { inUnattendedSession } from "../session/unattended-session.ts";
import type { World } from "../world.ts";
import type { BatchFlags } from "./batch-flags.ts";

export type PlanOrder = {
  instruction: string;
  flags: BatchFlags;
  settings: LoadedSettings;
  /** Called with one line about what the agent does. */
  onProgress(line: string): void;
  signal: AbortSignal;
};

/** `used`: by the agent that made it. `none`: it ended without an acceptable plan. */
export type Planned = { used: Used } & (
  | { kind: "good" | "too_few"; plan: Plan }
  | { kind: "none"; reason: string; code: RunResult["exit_code"] }
);

export async function makePlan(world: World, { instruction, flags, settings, onProgress, signal }: PlanOrder): Promise<Planned> {
  const clock = await world.edges.clock();
  const submission = planSubmission();
  const run = createRun(soloAgent);
  const order = { flags, settings, id: undefined, readOnly: true, purpose: "batch_plan" as const };
  const result = await inUnattendedSession(world, order, async ({ session, work, agents }) => {
    agents.attach(session, () => {});
    session.addTool(submission.tool);
    session.listen((event) => {
      run.follow(event);
      const line = progressOf(event);
      if (line !== undefined) onProgress(line);
    });
    const startedMs = clock.monotonicMs();
    session.say({ source: { kind: "user" }, text: planPrompt(await work.redacted(instruction)) });
    await runToRest(session.agent, { host: agents.host, signal });
    if (signal.aborted) run.interrupt();
    const durationMs = clock.monotonicMs() - startedMs;
    return run.result({
      session: session.id,
      model: session.agent.modelName,
      durationMs,
      spent: session.totals(),
      others: agents.incidents(),
    });
  });
  const submitted = submission.plan();
  const tokens = Object.values(result.usage).reduce((sum, count) => sum + count, 0);
  const used = { turns: result.turns, tokens, costUsd: result.cost_usd };
  if (submitted && !signal.aborted) return { ...submitted, used };
  return { kind: "none", ...whyNone(result, submission.refused()), used };
}

function whyNone({ ending, reason, result, exit_code }: RunResult, refused: string[]): { reason: string; code: RunResult["exit_code"] } {
  if (ending !== "done" && ending !== "denied") return { reason: reason ?? "", code: exit_code };
  const code = exit_code || 1;
  if (refused.length > 0) return { reason: `Its last plan was refused: ${refused.join(" ")}`, code };
  return { reason: `The agent submitted none. It said: ${result.trim() || "nothing"}`, code };
}

/** The line for an event, if it is worth one: a call that begins, and one that failed. */
export function progressOf(event: AgentEvent): string | undefined {
  if (event.type === "tool_started") return `${wordsOf(event.name)} ${event.subject}`.trim();
  return event.type === "tool_ended" && event.isError ? `${wordsOf(event.name)} ${event.subject}: ${event.summary}` : undefined;
}

/** A tool that only the harness needs is no name for a person. */
const wordsOf = (name: string) => (name === "SubmitBatchPlan" ? "The plan:" : name);

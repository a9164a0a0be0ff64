// Gets the plan of a batch, from an agent that explores the repository or from a file, and prints it for `--plan-only`.

import { type Basis, estimateUnits, type Used } from "../../batch/estimate.ts";
import { batchLayout } from "../../batch/layout.ts";
import { type Plan, unitLimits } from "../../batch/plan/plan.ts";
import { planText, type ReadPlan, readPlan } from "../../batch/plan/plan-file.ts";
import { subAgentsPrompt } from "../../batch/prompt.ts";
import { planTable } from "../../screen/batch/batch-plan.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { dollars } from "../../wording/figures.ts";
import { shellWord } from "../../wording/shell-word.ts";
import { inputOf, textOf } from "../controls/input-of.ts";
import { note } from "../note.ts";
import { styleOf } from "../print/print-reply.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import type { BatchFlags } from "./batch-flags.ts";
import type { BatchOrder, BatchQuestions } from "./batch-order.ts";
import { makePlan } from "./make-plan.ts";

/** `costUsd`: of planning now. `planning`: what the agent used that made the plan, also if that was earlier. */
export type PlanGiven = { plan: Plan; instruction: string; costUsd: number | null; planning: Used | undefined };

/** `isTooSmall`: has fewer units than a batch needs. */
export type PlanFile = Pick<PlanGiven, "plan" | "instruction" | "planning"> & { isTooSmall: boolean };

/** `file`: the plan that `--plan` names. */
type PlanOrder = { order: BatchOrder; file: PlanFile | undefined; settings: LoadedSettings; signal: AbortSignal };

export async function planOf(
  world: World,
  { order: { instruction, flags, questions }, file, settings, signal }: PlanOrder,
): Promise<PlanGiven | { code: ExitCode }> {
  if (file) return file.isTooSmall ? fewUnits(world, file, { flags, questions }) : { ...file, costUsd: 0 };
  const wanted = instruction ?? "";
  note(world, "Reading the repository and planning.");
  const onProgress = (line: string) => world.stderr.write(`  ${visibleLine(line)}\n`);
  const planned = await makePlan(world, { instruction: wanted, flags, settings, onProgress, signal });
  if (planned.kind === "good") {
    const { plan, used } = planned;
    return { plan, instruction: wanted, costUsd: used.costUsd, planning: used };
  }
  if (planned.kind === "none") {
    note(world, `No plan was made. ${planned.reason}`);
    return { code: planned.code === 0 ? 1 : planned.code };
  }
  const { plan } = planned;
  if (flags.json) world.stdout.write(`${JSON.stringify({ ok: false, type: "batch_plan", verdict: "too_few", units: plan.units })}\n`);
  return fewUnits(world, { plan, instruction: wanted }, { flags, questions });
}

type Asked = { flags: BatchFlags; questions: BatchQuestions | undefined };

/** The work has fewer units than a batch needs: a person who can be asked may have it done by sub-agents. */
async function fewUnits(
  world: World,
  { plan, instruction }: Pick<PlanGiven, "plan" | "instruction">,
  { flags, questions }: Asked,
): Promise<{ code: ExitCode }> {
  const text = `The plan has ${plan.units.length} units, and a batch has at least ${unitLimits.fewest}.`;
  if (!questions || flags.planOnly || flags.yes) {
    note(world, `${text} Sub-agents of one session suit it better: ${world.command} "${instruction}"`);
    return { code: 1 };
  }
  const answer = await questions.confirm(`${text} Have it done by sub-agents of a session?`);
  return { code: answer === "yes" ? await questions.subAgents(subAgentsPrompt(instruction, plan)) : answer === "left" ? 130 : 1 };
}

/** Throws UsageError if the file cannot be read or is no plan, and for a plan that is too small if nobody can be asked what to do instead. */
export async function planFromFile(world: World, file: string, questions: BatchQuestions | undefined): Promise<PlanFile> {
  const read = readPlan(await textOf(await inputOf(world, file)));
  const reasons = unusable(read);
  if (!read.ok || reasons.length > 0) throw new UsageError(`cannot use the plan ${file}:\n- ${reasons.join("\n- ")}\nNothing was started.`);
  const { plan, verdict, planning, instruction = `the plan ${file}` } = read;
  const isTooSmall = verdict.kind === "too_few";
  if (isTooSmall && !questions)
    throw new UsageError(
      `the plan ${file} has ${verdict.units} units, and a batch has at least ${unitLimits.fewest}. Sub-agents of one session suit that better: ${world.command}. Nothing was started.`,
    );
  return { plan, instruction, planning, isTooSmall };
}

function unusable(read: ReadPlan): string[] {
  if (!read.ok) return read.reasons;
  return read.verdict.kind === "refused" ? read.verdict.reasons : [];
}

/** Stores the plan for later, and returns its file. */
export async function keptPlan(
  world: World,
  { plan, instruction, head, id, planning }: Pick<PlanGiven, "plan" | "instruction" | "planning"> & { head: string; id: string },
): Promise<string> {
  const disk = await world.edges.disk();
  const layout = batchLayout(world.configDir, id);
  disk.makeFolder(layout.folder);
  disk.replace(layout.plan, planText(plan, { instruction, head, planning }));
  return layout.plan;
}

/** `branchesOnly`: pull requests are impossible or not wanted. */
type Printed = PlanGiven & { flags: BatchFlags; head: string; id: string; basis: Basis; branchesOnly: boolean };

export async function printPlan(world: World, printed: Printed): Promise<ExitCode> {
  const { plan, instruction, costUsd, planning, flags, head, id, basis, branchesOnly } = printed;
  const file = await keptPlan(world, { plan, instruction, head, id, planning });
  if (flags.json) {
    const estimate = estimateUnits(plan.units, basis);
    world.stdout.write(
      `${JSON.stringify({ ok: true, type: "batch_plan", verdict: "good", file, cost_usd: costUsd, estimate, ...plan })}\n`,
    );
    return 0;
  }
  world.stdout.write(
    `${planTable(plan, { style: styleOf(world), basis, instruction, columns: world.stdout.isTTY ? world.stdout.columns : undefined })}\n`,
  );
  const command = `${world.command} batch ${branchesOnly ? "--no-pr " : ""}--plan ${shellWord(file)}`;
  note(world, `Planning cost ${dollars(costUsd)}. To carry it out: ${command}`);
  return 0;
}

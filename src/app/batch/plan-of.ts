// Where the plan of a batch comes from: an agent that looks through the repository, or a file; and how `--plan-only` prints it.
import { batchLayout } from "../../batch/layout.ts";
import { type Plan, unitLimits } from "../../batch/plan.ts";
import { planText, readPlan } from "../../batch/plan-file.ts";
import { planTable } from "../../screen/batch-plan.ts";
import { dollars } from "../../screen/figures.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { inputOf, textOf } from "../input-of.ts";
import { styleOf } from "../print-reply.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import type { BatchFlags } from "./batch-flags.ts";
import { note } from "./look-first.ts";
import { makePlan } from "./make-plan.ts";
import type { BatchOrder } from "./start-batch.ts";

export type PlanGiven = { plan: Plan; instruction: string; costUsd: number | null };

export async function planOf(
  world: World,
  { order: { instruction, flags }, settings, signal }: { order: BatchOrder; settings: LoadedSettings; signal: AbortSignal },
): Promise<PlanGiven | { code: ExitCode }> {
  if (flags.plan !== undefined) return planFromFile(world, flags.plan);
  const wanted = instruction ?? "";
  note(world, "Looking through the repository and planning.");
  const onProgress = (line: string) => note(world, `  ${line}`);
  const planned = await makePlan(world, { instruction: wanted, flags, settings, onProgress, signal });
  if (planned.kind === "good") return { plan: planned.plan, instruction: wanted, costUsd: planned.costUsd };
  if (planned.kind === "none") {
    note(world, `No plan came of it. ${planned.reason}`);
    return { code: planned.code === 0 ? 1 : planned.code };
  }
  const { units } = planned.plan;
  note(
    world,
    `The change comes to ${units.length} units, and a batch has at least ${unitLimits.fewest}. Sub-agents of one session suit it better: ${world.command} "${wanted}"`,
  );
  if (flags.json) world.stdout.write(`${JSON.stringify({ type: "batch_plan", verdict: "too_few", units })}\n`);
  return { code: 1 };
}

async function planFromFile(world: World, file: string): Promise<PlanGiven> {
  const read = readPlan(await textOf(await inputOf(world, file)));
  if (!read.ok) throw new UsageError(`cannot use the plan ${file}:\n- ${read.reasons.join("\n- ")}\nNothing was started.`);
  const { verdict } = read;
  if (verdict.kind === "refused")
    throw new UsageError(`cannot use the plan ${file}:\n- ${verdict.reasons.join("\n- ")}\nNothing was started.`);
  if (verdict.kind === "too_few")
    throw new UsageError(
      `the plan ${file} has ${verdict.units} units, and a batch has at least ${unitLimits.fewest}. Sub-agents of one session suit that better: ${world.command}. Nothing was started.`,
    );
  return { plan: read.plan, instruction: read.instruction ?? `the plan ${file}`, costUsd: 0 };
}

type Printed = PlanGiven & { flags: BatchFlags; head: string; id: string; model: string };

export async function printPlan(world: World, { plan, instruction, costUsd, flags, head, id, model }: Printed): Promise<ExitCode> {
  const disk = await world.edges.disk();
  const layout = batchLayout(world.configDir, id);
  disk.makeFolder(layout.folder);
  disk.replace(layout.plan, planText(plan, { instruction, head }));
  if (flags.json) {
    world.stdout.write(`${JSON.stringify({ type: "batch_plan", verdict: "good", file: layout.plan, cost_usd: costUsd, ...plan })}\n`);
    return 0;
  }
  world.stdout.write(
    `${planTable(plan, { style: styleOf(world), model, instruction, columns: world.stdout.isTTY ? world.stdout.columns : undefined })}\n`,
  );
  note(world, `Planning cost ${dollars(costUsd)}. To carry it out: ${world.command} batch --plan ${layout.plan}`);
  return 0;
}

// `tool batch`: from one instruction to an approved plan. Everything that can be known before a token is spent is said before.
import { batchLayout } from "../../batch/layout.ts";
import { type Plan, unitLimits } from "../../batch/plan.ts";
import { planText, readPlan } from "../../batch/plan-file.ts";
import { type Preflight, preflight } from "../../batch/preflight.ts";
import { planTable } from "../../screen/batch-plan.ts";
import { dollars } from "../../screen/figures.ts";
import { askLine } from "../../screen/terminal/ask-line.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { settingsFlags } from "../agent-flags.ts";
import { agentModel } from "../agent-model.ts";
import { inputOf, textOf } from "../input-of.ts";
import { openSettings } from "../open-settings.ts";
import { styleOf } from "../print-reply.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { approvePlan } from "./approve-plan.ts";
import { type BatchFlags, isAttended } from "./batch-flags.ts";
import { makePlan } from "./make-plan.ts";

export type BatchOrder = { instruction: string | undefined; flags: BatchFlags };
type Ready = Extract<Preflight, { kind: "ready" }>;

/** Throws UsageError for what cannot be a batch. */
export async function startBatch(world: World, order: BatchOrder): Promise<ExitCode> {
  checkUsage(world, order);
  const { flags } = order;
  const ready = await lookedAt(world, flags);
  const there = { ...world, cwd: ready.facts.root };
  const settings = await openSettings(there, settingsFlags(flags));
  const ending = new AbortController();
  const stopSignals = world.onSignal(() => ending.abort());
  try {
    const planned = await planOf(there, { order, settings, signal: ending.signal });
    return "code" in planned ? planned.code : await decided(there, { ...planned, flags, settings, ready });
  } finally {
    stopSignals();
  }
}

function checkUsage(world: World, { instruction, flags }: BatchOrder): void {
  if ((instruction?.trim() ? 1 : 0) + (flags.plan === undefined ? 0 : 1) !== 1)
    throw new UsageError('a batch needs one of these: what to do, as in tool batch "Replace the logger", or a plan: --plan plan.json.');
  if (flags.planOnly || flags.yes || isAttended(world, flags)) return;
  throw new UsageError("nobody can approve the plan here. --plan-only prints it; --yes carries it out, and grants no test command.");
}

/** Throws UsageError with everything that is in the way. */
async function lookedAt(world: World, flags: BatchFlags): Promise<Ready> {
  const facts = await world.edges.repositoryFacts(world.cwd);
  const found = preflight({ facts, forge: undefined, login: undefined });
  if (found.kind === "refused") throw new UsageError(`cannot start a batch here. ${found.reasons.join("\n")} Nothing was started.`);
  for (const notice of found.notices) note(world, notice);
  if (flags.planOnly) return found;
  const open = found.choices.filter(({ flag }) => !(flag === "--yes" && flags.yes));
  for (const { text, flag } of open) {
    if (!isAttended(world, flags)) throw new UsageError(`${text} To go on all the same: ${flag}. Nothing was started.`);
    const terminal = await world.edges.terminal();
    const answer = terminal && (await askLine(terminal, `${visibleLine(text)} Go on? (y/n) `));
    if (answer?.trim() !== "y") throw new UsageError("the batch was not started.");
  }
  return found;
}

type PlanGiven = { plan: Plan; instruction: string; costUsd: number | null };

async function planOf(
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

type Decision = PlanGiven & { flags: BatchFlags; settings: LoadedSettings; ready: Ready };

async function decided(world: World, { plan, instruction, costUsd, flags, settings, ready }: Decision): Promise<ExitCode> {
  const id = world.uniqueId().slice(0, 6);
  const layout = batchLayout(world.configDir, id);
  const { head } = ready.facts;
  const model = agentModel(world, settings.effective, false).name;
  if (flags.planOnly) {
    const disk = await world.edges.disk();
    disk.makeFolder(layout.folder);
    disk.replace(layout.plan, planText(plan, { instruction, head }));
    if (flags.json)
      world.stdout.write(`${JSON.stringify({ type: "batch_plan", verdict: "good", file: layout.plan, cost_usd: costUsd, ...plan })}\n`);
    else {
      world.stdout.write(`${planTable(plan, { style: styleOf(world), model, instruction })}\n`);
      note(world, `Planning cost ${dollars(costUsd)}. To carry it out: ${world.command} batch --plan ${layout.plan}`);
    }
    return 0;
  }
  const approval = flags.yes
    ? ({ kind: "approved", plan } as const)
    : await approvePlan(world, plan, { instruction, head, model, folder: layout.folder });
  if (approval.kind === "refused") {
    note(world, `The plan was refused${approval.reason ? `: ${approval.reason}` : ""}. Nothing was changed.`);
    return 1;
  }
  throw new UsageError("this version plans batches and does not run them yet: use --plan-only.");
}

const note = ({ stderr }: World, text: string) => stderr.write(`tool: ${visibleLine(text)}\n`);

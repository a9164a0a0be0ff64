// `tool batch`: from one instruction to an approved plan. Everything that can be known before a token is spent is said before.
import type { BatchRecord } from "../../batch/batch-record.ts";
import type { Forge, ForgeChoice } from "../../batch/forge.ts";
import { batchLayout } from "../../batch/layout.ts";
import { type Plan, unitLimits } from "../../batch/plan.ts";
import { planText, readPlan } from "../../batch/plan-file.ts";
import { type Preflight, type PreflightInput, preflight } from "../../batch/preflight.ts";
import type { Remote } from "../../batch/repository.ts";
import { needsAgent } from "../../batch/unit-record.ts";
import { planTable } from "../../screen/batch-plan.ts";
import { dollars } from "../../screen/figures.ts";
import { askLine } from "../../screen/terminal/ask-line.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import { agentModel, checkBudget } from "../agent-model.ts";
import { inputOf, textOf } from "../input-of.ts";
import { openSettings } from "../open-settings.ts";
import { styleOf } from "../print-reply.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { type Approval, approvePlan, type Shown } from "./approve-plan.ts";
import { type BatchFlags, isAttended } from "./batch-flags.ts";
import { carryOut, createBatch, openBatch } from "./carry-out.ts";
import { makePlan } from "./make-plan.ts";
import { testWarnings } from "./test-warnings.ts";

export type BatchOrder = {
  instruction: string | undefined;
  flags: BatchFlags;
  /** Where the person is asked; a terminal of their own when not given. */
  desk?: BatchDesk;
  /** Stops it where it can go on from. */
  signal?: AbortSignal;
};

export type BatchDesk = {
  confirm(text: string): Promise<boolean>;
  approve(plan: Plan, shown: Shown): Promise<Approval>;
};
type Ready = Extract<Preflight, { kind: "ready" }>;

/** Throws UsageError for what cannot be a batch. */
export async function startBatch(world: World, order: BatchOrder): Promise<ExitCode> {
  checkUsage(world, order);
  const flags = await withWholePaths(world, order.flags);
  if (flags.resume !== undefined) return resumeBatch(world, flags.resume, flags);
  const desk = order.desk ?? terminalDesk(world, flags);
  const ready = await lookedAt(world, flags, desk);
  const there = { ...world, cwd: ready.facts.root };
  const settings = await openSettings(there, settingsFlags(flags));
  if (flags.plan === undefined || !flags.planOnly) await checkModel(there, settings);
  const ending = new AbortController();
  const stopSignals = world.onSignal(() => ending.abort());
  const signal = order.signal ? AbortSignal.any([ending.signal, order.signal]) : ending.signal;
  try {
    const planned = await planOf(there, { order: { ...order, flags }, settings, signal });
    return "code" in planned ? planned.code : await decided(there, { ...planned, flags, settings, ready, signal, desk });
  } finally {
    stopSignals();
  }
}

/** Throws UsageError where no agent could get an answer: found now, once, and not by each agent. */
async function checkModel(world: World, { effective }: LoadedSettings): Promise<void> {
  const problem = await world.edges.modelProblem(agentModel(world, effective, false).choice);
  if (problem) throw new UsageError(`${problem} Nothing was started.`);
}

/** The agents begin in other folders, and a batch may go on from another one. */
async function withWholePaths({ cwd }: World, flags: BatchFlags): Promise<BatchFlags> {
  const { resolve } = await import("node:path");
  const { addDir, settings, script, plan } = flags;
  const whole = (paths: string[] | undefined) => paths?.map((path) => resolve(cwd, path));
  return {
    ...flags,
    ...(addDir && { addDir: whole(addDir) }),
    ...(settings && { settings: whole(settings) }),
    ...(script !== undefined && { script: resolve(cwd, script) }),
    ...(plan !== undefined && { plan: plan === "-" ? plan : resolve(cwd, plan) }),
  };
}

/** Those of the flags that a unit's agent has too. */
function agentFlags({ model, permissionMode, allow, deny, addDir, settings, trust, script, maxTurns }: BatchFlags): AgentFlags {
  return { model, permissionMode, allow, deny, addDir, settings, trust, script, maxTurns };
}

async function resumeBatch(world: World, id: string, flags: BatchFlags): Promise<ExitCode> {
  const opened = await openBatch(world, id);
  const store = flags.budgetUsd === undefined ? opened : { ...opened, batch: { ...opened.batch, budget_usd: flags.budgetUsd } };
  if (store.units().some(needsAgent)) {
    const there = { ...world, cwd: store.batch.root };
    await checkModel(there, await openSettings(there, settingsFlags(store.batch.flags as AgentFlags)));
  }
  const forge = store.batch.pull_requests && (await forgeAgain(world, store.batch));
  const ending = new AbortController();
  const stopSignals = world.onSignal(() => ending.abort());
  try {
    return await carryOut(world, { store, forge, json: flags.json === true, live: isAttended(world, flags), signal: ending.signal });
  } finally {
    stopSignals();
  }
}

/** Throws UsageError where the pull requests of a batch cannot be opened any more. */
async function forgeAgain(world: World, { id, root }: BatchRecord): Promise<Forge> {
  const facts = await world.edges.repositoryFacts(root);
  const { choice, login } = await forgeOf(world, facts.kind === "usable" ? facts.remote : undefined);
  if (choice.kind === "forge" && login?.ok) return choice.forge;
  const reason = choice.kind === "none" ? choice.reason : login?.ok === false ? login.error.reason : "";
  throw new UsageError(`cannot go on with batch ${id}, which opens pull requests. ${reason} Nothing was started.`);
}

function checkUsage(world: World, { instruction, flags, desk }: BatchOrder): void {
  const given = [
    ...(instruction?.trim() ? ["an instruction"] : []),
    ...(flags.plan !== undefined ? ["--plan"] : []),
    ...(flags.resume !== undefined ? ["--resume"] : []),
  ];
  if (given.length > 1) throw new UsageError(`a batch has one beginning, and ${given.join(" and ")} were given. Leave one of them.`);
  if (given.length === 0)
    throw new UsageError(
      'a batch needs one of these: what to do, as in tool batch "Replace the logger", a plan (--plan plan.json), or a batch to go on with (--resume <id>).',
    );
  if (flags.resume !== undefined || flags.planOnly || flags.yes || desk || isAttended(world, flags)) return;
  throw new UsageError("nobody can approve the plan here. --plan-only prints it; --yes carries it out, and grants no test command.");
}

/** Throws UsageError with everything that is in the way. */
async function lookedAt(world: World, flags: BatchFlags, desk: BatchDesk | undefined): Promise<Ready> {
  const facts = await world.edges.repositoryFacts(world.cwd);
  const wanted = flags.pr && !flags.planOnly && facts.kind === "usable" ? await forgeOf(world, facts.remote) : undefined;
  const found = preflight({ facts, forge: wanted?.choice, login: wanted?.login });
  if (found.kind === "refused") throw new UsageError(`cannot start a batch here. ${found.reasons.join("\n")} Nothing was started.`);
  for (const notice of found.notices) note(world, notice);
  const decided = found.choices.filter(({ flag }) => flag === "--yes" && (flags.yes || flags.planOnly));
  for (const { text } of decided) note(world, text);
  if (flags.planOnly) return found;
  const open = found.choices.filter((choice) => !decided.includes(choice));
  for (const { text, flag } of open) {
    if (!desk) throw new UsageError(`${text} To go on all the same: ${flag}. Nothing was started.`);
    if (!(await desk.confirm(visibleLine(text)))) throw new UsageError("the batch was not started.");
  }
  return found;
}

function terminalDesk(world: World, flags: BatchFlags): BatchDesk | undefined {
  if (!isAttended(world, flags)) return undefined;
  return {
    approve: (plan, shown) => approvePlan(world, plan, shown),
    async confirm(text) {
      const terminal = await world.edges.terminal();
      return terminal !== null && (await askLine(terminal, `${text} Go on? (y/n) `))?.trim() === "y";
    },
  };
}

/** Asked before anything is spent: a login that cannot open pull requests is found now. */
async function forgeOf(world: World, remote: Remote | undefined): Promise<Pick<PreflightInput, "login"> & { choice: ForgeChoice }> {
  if (!remote) return { choice: { kind: "none", reason: "This repository has no remote." }, login: undefined };
  const choice = await world.edges.forge(remote, world.env);
  return { choice, login: choice.kind === "forge" ? await choice.forge.preflight() : undefined };
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

type Decision = PlanGiven & { flags: BatchFlags; settings: LoadedSettings; ready: Ready; signal: AbortSignal; desk: BatchDesk | undefined };

async function decided(world: World, { plan, instruction, costUsd, flags, settings, ready, signal, desk }: Decision): Promise<ExitCode> {
  const id = world.uniqueId().slice(0, 6);
  const { head } = ready.facts;
  const { folder } = batchLayout(world.configDir, id);
  const model = agentModel(world, settings.effective, false).name;
  if (flags.planOnly) return printPlan(world, { plan, instruction, costUsd, flags, head, id, model });
  checkBudget(flags.budgetUsd, model);
  for (const warning of await testWarnings(world, plan, flags)) note(world, warning);
  const approval: Approval =
    flags.yes || !desk ? { kind: "approved", plan } : await desk.approve(plan, { instruction, head, model, folder });
  if (approval.kind === "left") {
    note(world, "The plan was not approved. Nothing was changed.");
    return 130;
  }
  if (approval.kind === "refused") {
    note(world, `The plan was refused${approval.reason ? `: ${approval.reason}` : ""}. Nothing was changed.`);
    return 1;
  }
  const { remote, base } = ready.facts;
  const store = await createBatch(
    world,
    {
      version: 1,
      id,
      instruction,
      created_at: (await world.edges.clock()).now().toISOString(),
      root: ready.facts.root,
      head,
      pull_requests: ready.forge && remote && base ? { base, remote: remote.name, stack: flags.stack === "yes" } : undefined,
      concurrency: flags.concurrency ?? Math.min(8, world.cores),
      budget_usd: flags.budgetUsd,
      grants_tests: !flags.yes,
      planning_usd: costUsd,
      flags: agentFlags(flags),
    },
    approval.plan,
  );
  return carryOut(world, { store, forge: ready.forge, json: flags.json === true, live: isAttended(world, flags), signal });
}

type Printed = PlanGiven & { flags: BatchFlags; head: string; id: string; model: string };

async function printPlan(world: World, { plan, instruction, costUsd, flags, head, id, model }: Printed): Promise<ExitCode> {
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

const note = ({ stderr }: World, text: string) => stderr.write(`tool: ${visibleLine(text)}\n`);

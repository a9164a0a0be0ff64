// `tool batch`: from one instruction to an approved plan. Every problem that can be known without spending tokens is reported first.

import type { CommitHooks } from "../../batch/commit-hooks.ts";
import { type Basis, estimateUnits } from "../../batch/estimate.ts";
import { batchLayout } from "../../batch/layout.ts";
import type { RepositoryFacts } from "../../batch/repository.ts";
import type { SandboxFinding } from "../../permissions/policy.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { shellWord } from "../../wording/shell-word.ts";
import { settingsFlags } from "../agent-flags.ts";
import { agentModel, checkBudget, checkModel } from "../agent-model.ts";
import { note } from "../note.ts";
import { placesList, roomIn } from "../places/places-list.ts";
import { openSettings } from "../settings/open-settings.ts";
import { testWarnings, withoutRule } from "../test-warnings.ts";
import { untilSignal } from "../until-signal.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import type { Approval } from "./approve-plan.ts";
import { agentFlags, type BatchFlags, isAttended } from "./batch-flags.ts";
import type { BatchOrder, BatchQuestions } from "./batch-order.ts";
import { atOnceHere, carryOut, createBatch } from "./carry-out.ts";
import { clearBatches } from "./clear-batches.ts";
import { estimateBasis } from "./estimate-basis.ts";
import { listBatches } from "./list-batches.ts";
import { keptPlan, type PlanGiven, planFromFile, planOf, printPlan } from "./plan-of.ts";
import { checkPreconditions, confinement, type Ready } from "./preconditions.ts";
import { resumeBatch } from "./resume-batch.ts";
import { askAboutTwin } from "./twins.ts";

/** Throws UsageError for work that cannot be a batch. */
export async function startBatch(world: World, order: BatchOrder): Promise<ExitCode> {
  checkUsage(order);
  const flags = await withWholePaths(world, order.flags);
  const file = flags.plan === undefined ? undefined : await planFromFile(world, flags.plan, order.questions);
  checkApprovable(order);
  if (flags.list) return listBatches(world, flags);
  if (flags.gc) return clearBatches(world, flags);
  if (flags.resume !== undefined || flags.retry !== undefined) return resumeBatch(world, flags);
  const { questions } = order;
  const ready = await checkPreconditions(world, flags, questions);
  if (ready.kind === "not_started") return ready.code;
  const sought = file ? { units: file.plan.units } : { instruction: order.instruction ?? "" };
  const twin = flags.planOnly ? "none" : await askAboutTwin(world, sought, { flags, questions });
  if (typeof twin === "number") return twin;
  const there = { ...world, cwd: ready.facts.root };
  const settings = await openSettings(there, settingsFlags(flags));
  placesOf({ flags, settings }); // before anything is spent
  if (flags.plan === undefined || !flags.planOnly) await checkModel(there, settings);
  return untilSignal(world, async (ending) => {
    const signal = order.signal ? AbortSignal.any([ending, order.signal]) : ending;
    const planned = await planOf(there, { order: { ...order, flags, questions }, file, settings, signal });
    return "code" in planned
      ? planned.code
      : await decided(there, {
          ...order,
          ...planned,
          flags: { ...flags, again: twin === "wanted" },
          settings,
          ready,
          signal,
          questions,
          startedIn: world.cwd,
        });
  });
}

/** Absolute paths, because agents start in other folders and a batch may be continued from another one. */
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

function checkUsage({ instruction, flags }: BatchOrder): void {
  const given = [
    ...(instruction?.trim() ? ["an instruction"] : []),
    ...(["plan", "resume", "retry", "list", "gc"] as const).flatMap((name) => (flags[name] === undefined ? [] : [`--${name}`])),
  ];
  if (given.length > 1) throw new UsageError(`only one of ${given.join(" and ")} can be given. Leave the others out.`);
  if (given.length === 0)
    throw new UsageError(
      'a batch needs one of these: what to do, as in tool batch "Replace the logger", a plan (--plan plan.json), or a batch to continue (--resume <id>). To list them: --list',
    );
}

/** Throws UsageError if a plan needs an approval and nobody can give it. */
function checkApprovable({ flags, questions }: BatchOrder): void {
  const isDecided = [flags.resume, flags.retry, flags.list, flags.gc, flags.planOnly, flags.yes].some((flag) => flag !== undefined);
  if (isDecided || questions) return;
  throw new UsageError("nobody can approve the plan here. --plan-only prints it; --yes carries it out, and grants no test command.");
}

type Decision = PlanGiven &
  Pick<BatchOrder, "isTemporary"> & {
    flags: BatchFlags;
    settings: LoadedSettings;
    ready: Ready;
    signal: AbortSignal;
    questions: BatchQuestions | undefined;
    /** The folder that the person was in. */
    startedIn: string;
  };

async function decided(world: World, decision: Decision): Promise<ExitCode> {
  const { plan, instruction, flags, settings, ready, questions, planning } = decision;
  const id = world.uniqueId().slice(0, 6);
  const { head } = ready.facts;
  const { folder } = batchLayout(world.configDir, id);
  const named = agentModel(world, settings.effective);
  const basis = await estimateBasis(world, { root: ready.facts.root, model: named.name, planning });
  if (flags.planOnly) {
    const branchesOnly = !flags.pr || ready.choices.some(({ about }) => about === "branches_only");
    return printPlan(world, { ...decision, head, id, basis, branchesOnly });
  }
  checkBudget(flags.budgetUsd, named);
  const tests = [...new Set(plan.units.map(({ test }) => test))];
  const unitFlags = { ...flags, permissionMode: flags.permissionMode ?? "acceptEdits" };
  for (const warning of await testWarnings(world, { tests, flags: unitFlags, otherwise: undefined })) note(world, warning);
  const hooks = hooksOf(ready.facts);
  const { found, state } = await confinement(world, settings, { hooks, say: (text) => note(world, text) });
  const unallowed = flags.yes ? await withoutRule(world, { tests, flags: unitFlags, sandbox: state }) : undefined;
  if (unallowed) return untestable(world, decision, { ...unallowed, id });
  const approval: Approval =
    flags.yes || !questions ? { kind: "approved", plan } : await questions.approve(plan, { instruction, head, basis, folder });
  if (approval.kind === "approved") return begin(world, { ...decision, plan: approval.plan }, { id, hooks, sandboxFound: found, basis });
  note(
    world,
    approval.kind === "left"
      ? "The plan was not approved. Nothing was changed."
      : `The plan was refused${approval.reason ? `: ${approval.reason}` : ""}. Nothing was changed.`,
  );
  return approval.kind === "left" ? 130 : 1;
}

/** Units whose tests no rule allows cannot pass: nothing is spent on them, and the plan is kept. */
async function untestable(
  world: World,
  { plan, instruction, planning, flags, ready }: Decision,
  { named, rules, id }: { named: string; rules: string; id: string },
): Promise<ExitCode> {
  const file = flags.plan ?? (await keptPlan(world, { plan, instruction, planning, head: ready.facts.head, id }));
  note(
    world,
    `No rule allows ${named}, and --yes grants no test command: these units could not pass. Nothing was started. To start with the rules: ${world.command} batch --plan ${shellWord(file)} --yes ${rules}`,
  );
  return 3;
}

type Beginning = { id: string; hooks: CommitHooks | undefined; sandboxFound: SandboxFinding; basis: Basis };

async function begin(world: World, decision: Decision, { id, hooks, sandboxFound, basis }: Beginning): Promise<ExitCode> {
  const { plan, instruction, costUsd, flags, ready, signal, isTemporary, startedIn } = decision;
  const { remote, base, root, head } = ready.facts;
  const places = placesOf(decision);
  const store = await createBatch(
    world,
    {
      version: 1,
      id,
      instruction,
      created_at: (await world.edges.clock()).now().toISOString(),
      root,
      started_in: await (await world.edges.realPath())(startedIn),
      head,
      pull_requests: ready.forge && remote && base ? { base, remote: remote.name, stack: flags.stack === "yes" } : undefined,
      concurrency: flags.concurrency ?? (places ? roomIn(places) : atOnceHere(world)),
      ...(places && { places }),
      budget_usd: flags.budgetUsd,
      grants_tests: !flags.yes,
      commit_hooks: hooks,
      planning_usd: costUsd,
      model: basis.model,
      estimate: estimateUnits(plan.units, basis),
      flags: agentFlags(flags),
    },
    plan,
  );
  return carryOut(world, {
    store,
    isSecondWanted: flags.again === true,
    forge: ready.forge,
    sandboxFound,
    model: basis.model,
    isTemporary,
    json: flags.json === true,
    live: isAttended(world, flags),
    signal,
  });
}

const placesOf = ({ flags, settings }: Pick<Decision, "flags" | "settings">) =>
  flags.places === undefined ? undefined : placesList(flags.places, settings.effective.places);

/** The hooks that run at a commit; a push runs none. */
function hooksOf({ hooks: { folder, names } }: Extract<RepositoryFacts, { kind: "usable" }>): CommitHooks | undefined {
  const own = names.filter((name) => name !== "pre-push");
  return own.length > 0 ? { folder, names: own } : undefined;
}

// Runs an approved batch or continues one: opens its files and ports, shows its progress, and prints the report.
import { outcomeOfRun, reported } from "../../agent/result/outcome.ts";
import { type BatchRecord, type BatchStore, createStore, forgetBatch, openStore } from "../../batch/batch-record.ts";
import { estimateFirstCallUsd } from "../../batch/estimate.ts";
import type { Forge } from "../../batch/forge.ts";
import { batchIncidents, batchItself } from "../../batch/incidents.ts";
import { batchLayout, worktreesFolder } from "../../batch/layout.ts";
import type { Plan } from "../../batch/plan/plan.ts";
import { planText } from "../../batch/plan/plan-file.ts";
import { runBatch } from "../../batch/run-batch.ts";
import { unitBranch } from "../../batch/run-unit.ts";
import { plannedUnit, type UnitRecord } from "../../batch/unit-record.ts";
import type { SandboxFinding } from "../../permissions/policy.ts";
import { batchJson, batchReport, totalsOf } from "../../screen/batch/batch-report.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { holderWords } from "../holder-words.ts";
import { incidentLines } from "../print/error-line.ts";
import { fitted } from "../print/fitted.ts";
import { styleOf } from "../print/print-reply.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { batchDisplay } from "./batch-display.ts";
import { isBatchId, unfinishedBatches } from "./known-batches.ts";
import { isApart, openRepository } from "./open-repository.ts";
import { unitStarter } from "./start-unit.ts";
import { refuseTwin } from "./twins.ts";

/** A batch that does not exist yet. */
export async function createBatch(world: World, batch: BatchRecord, plan: Plan): Promise<BatchStore> {
  const { instruction, head, id, root } = batch;
  const units = plan.units.map((unit) =>
    plannedUnit({
      id: unit.id,
      branch: unitBranch(id, unit.id),
      folder: `${worktreesFolder(root, id)}/${unit.id}`,
      session: world.uniqueId(),
    }),
  );
  const layout = batchLayout(world.configDir, id);
  return createStore(await world.edges.disk(), layout, { batch, planText: planText(plan, { instruction, head }), units });
}

/** Throws UsageError if there is no such batch. */
export async function openBatch(world: World, id: string): Promise<BatchStore> {
  const disk = await world.edges.disk();
  const layout = batchLayout(world.configDir, id);
  if (isBatchId(id) && disk.read(layout.record) !== undefined) return openStore(disk, layout);
  const unfinished = (await unfinishedBatches(world)).map(({ batch }) => batch.id);
  throw new UsageError(`there is no batch "${visibleLine(id)}". Batches that can be resumed: ${unfinished.join(", ") || "none"}.`);
}

/** `live`: a person watches in a terminal. */
export type CarryOut = {
  store: BatchStore;
  /** Whether a new batch runs although the same one is running; absent for one that continues. */
  isSecondWanted?: boolean;
  /** Saved before the batch continues. */
  change?: { batch: BatchRecord; units: UnitRecord[] };
  forge: Forge | undefined;
  sandboxFound: SandboxFinding;
  /** The model of the units' agents. */
  model: string;
  /** Its repository is removed at the end, for a demo. */
  isTemporary?: boolean | undefined;
  json: boolean;
  live: boolean;
  signal: AbortSignal;
};

/** Throws UsageError if another process runs the batch. */
export async function carryOut(world: World, order: CarryOut): Promise<ExitCode> {
  const { store, change, forge, sandboxFound, model, isTemporary, json, live, signal } = order;
  const { layout } = store;
  const batch = change?.batch ?? store.batch;
  const [disk, clock, lock] = await Promise.all([world.edges.disk(), world.edges.clock(), world.edges.lock()]);
  disk.makeFolder(layout.claim);
  const claim = lock.claimForLife(layout.claim);
  if (!claim.ok)
    throw new UsageError(`cannot continue: batch ${batch.id} is running already, in ${holderWords(claim.holder)}. End it there.`);
  try {
    if (order.isSecondWanted === false) await refuseTwin(world, store).catch((refusal) => forgetting(disk, store, refusal));
    if (change) store.change(batch);
    for (const record of change?.units ?? []) store.put(record);
    const display = await batchDisplay(world, { store, clock, live });
    const { say } = display;
    say(`batch ${batch.id}: units start from ${batch.head.slice(0, 12)}, in ${worktreesFolder(batch.root, batch.id)}`);
    const stopping = () => {
      display.stopping();
      say(`Interrupted: agents, tests, pushes and requests are being stopped.${isTemporary ? "" : " What they have done is kept."}`);
    };
    signal.addEventListener("abort", stopping, { once: true });
    const repository = await openRepository(world, batch);
    const end = await runBatch({
      store,
      repository,
      forge,
      startUnit: await unitStarter(world),
      sandboxFound,
      apart: await isApart(world, batch),
      estimatedFirstCallUsd: estimateFirstCallUsd(model),
      clock,
      disk,
      atOnceHere: atOnceHere(world),
      ignoredFiles: disk.read(`${batch.root}/.worktreeinclude`)?.toString("utf8") ?? "",
      signal,
      onMoved: display.onMoved,
      onLine: display.onLine,
    })
      .finally(() => {
        signal.removeEventListener("abort", stopping);
        display.close();
      })
      .catch((fault: unknown) => {
        say(`The batch has stopped where it was, and what is done is kept. Go on: ${world.command} batch --resume ${batch.id}`);
        throw fault; // for instance a full disk, which main reports
      });
    const incidents = batchIncidents(store, end, `${world.command} batch`);
    const { exit_code: code } = outcomeOfRun(incidents);
    if (json) world.stdout.write(`${JSON.stringify(batchJson(store, { code, incidents }))}\n`);
    else {
      const report = batchReport(store, { style: styleOf(world), command: `${world.command} batch`, isTemporary });
      world.stdout.write(`\n${await fitted(world.stdout, report)}\n`);
    }
    const unseen = live ? incidents.filter(({ agent }) => agent === batchItself) : incidents;
    for (const line of incidentLines(reported(unseen), batchItself)) world.stderr.write(line);
    if (isTemporary && totalsOf(store).open > 0) forgetBatch(disk, store); // it cannot be resumed
    return code;
  } finally {
    claim.release();
  }
}

/** How many agents one machine has work for. */
export const atOnceHere = ({ cores }: Pick<World, "cores">) => Math.min(8, cores);

function forgetting(disk: Parameters<typeof forgetBatch>[0], store: BatchStore, refusal: unknown): never {
  forgetBatch(disk, store);
  throw refusal;
}

// A batch on disk, from its approval onwards: `batch.json`, the plan, and one file for each unit. Only the batch's process writes them.
import { z } from "zod";
import type { BoardDisk } from "../board/disk.ts";
import { placeRoomSchema } from "../places/free-place.ts";
import { efforts } from "../settings/effort.ts";
import { commitHooksSchema } from "./commit-hooks.ts";
import { estimateSchema } from "./estimate.ts";
import type { BatchLayout } from "./layout.ts";
import type { Plan } from "./plan/plan.ts";
import { readPlan } from "./plan/plan-file.ts";
import { type UnitRecord, unitRecordSchema } from "./unit-record.ts";

export const agentFlagsSchema = z.object({
  model: z.string().optional(),
  effort: z.enum(efforts).optional(),
  fallbackModel: z.string().optional(),
  permissionMode: z.string().optional(),
  allow: z.array(z.string()),
  deny: z.array(z.string()),
  addDir: z.array(z.string()).optional(),
  settings: z.array(z.string()).optional(),
  trust: z.boolean().optional(),
  script: z.string().optional(),
  maxTurns: z.number().optional(),
});

const batchSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  instruction: z.string(),
  created_at: z.string(),
  root: z.string(),
  /** The folder of it that the person was in: what rules of the command line count from. Absent: the root. */
  started_in: z.string().optional(),
  /** The commit that the first phase starts at. */
  head: z.string(),
  /** The target of the pull requests; absent: nothing is pushed and only branches are made. */
  pull_requests: z.object({ base: z.string(), remote: z.string(), stack: z.boolean() }).optional(),
  concurrency: z.number(),
  /** Where the hands of its units work; absent: on this machine. */
  places: z.array(placeRoomSchema).optional(),
  budget_usd: z.number().optional(),
  /** Whether a person has approved the plan, which permits exactly its test commands. */
  grants_tests: z.boolean(),
  /** The repository's hooks for a commit; absent if there are none. */
  commit_hooks: commitHooksSchema.optional(),
  /** The cost of planning. */
  planning_usd: z.number().nullable(),
  /** The model of the units' agents at its start. */
  model: z.string().optional(),
  /** What the units were expected to use. */
  estimate: estimateSchema.optional(),
  flags: agentFlagsSchema,
});
export type BatchRecord = z.infer<typeof batchSchema>;

export type BatchDisk = Pick<BoardDisk, "read" | "replace" | "makeFolder">;

export type BatchStore = {
  layout: BatchLayout;
  readonly batch: BatchRecord;
  plan: Plan;
  /** Continues with other limits and rules. */
  change(batch: BatchRecord): void;
  unit(id: string): UnitRecord;
  units(): UnitRecord[];
  put(record: UnitRecord): void;
};

export type NewBatch = { batch: BatchRecord; planText: string; units: UnitRecord[] };

/** `batch.json` is written last: before it exists there is no batch, and nothing has begun. */
export function createStore(disk: BatchDisk, layout: BatchLayout, { batch, planText, units }: NewBatch): BatchStore {
  disk.makeFolder(layout.units);
  disk.replace(layout.plan, planText);
  for (const record of units) disk.replace(layout.unit(record.id), json(record));
  disk.replace(layout.record, json(batch));
  return openStore(disk, layout);
}

/** Throws if there is no such batch, or if its files cannot be understood; nothing is overwritten then. */
export function openStore(disk: BatchDisk, layout: BatchLayout): BatchStore {
  let batch = batchSchema.parse(readJson(disk, layout.record));
  const read = readPlan(disk.read(layout.plan)?.toString("utf8") ?? "");
  if (!read.ok) throw new Error(`Cannot read ${layout.plan}: ${read.reasons.join(" ")}`);
  const records = new Map(
    read.plan.units.map(({ id }) => [id, unitRecordSchema.parse(readJson(disk, layout.unit(id)))] satisfies [string, UnitRecord]),
  );
  return {
    layout,
    get batch() {
      return batch;
    },
    plan: read.plan,
    change(next) {
      disk.replace(layout.record, json(next));
      batch = next;
    },
    unit: (id) => records.get(id)!,
    units: () => [...records.values()],
    put(record) {
      disk.replace(layout.unit(record.id), json(record));
      records.set(record.id, record);
    },
  };
}

/**
 * The caller must hold the batch's claim, which is removed too. `batch.json` goes first: without it there is no batch. Files that are not ours stay,
 * with their folder.
 */
export function forgetBatch(disk: Pick<BoardDisk, "list" | "remove" | "removeEmptyFolder">, { layout, units }: BatchStore): void {
  const claims = disk.list(layout.claim).map((name) => `${layout.claim}/${name}`);
  for (const path of [layout.record, layout.plan, layout.failures, ...units().map(({ id }) => layout.unit(id)), ...claims])
    disk.remove(path);
  for (const folder of [layout.units, layout.claim, layout.folder]) disk.removeEmptyFolder(folder);
}

function readJson(disk: BatchDisk, path: string): unknown {
  const text = disk.read(path)?.toString("utf8");
  if (text === undefined) throw new Error(`Cannot read ${path}: it is missing.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`Cannot read ${path}: it is damaged. Nothing was written over it.`);
  }
}

const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;

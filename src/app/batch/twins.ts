// The same batch started a second time while the first runs: it would make every branch and pull request again.
import { isDeepStrictEqual } from "node:util";
import type { BatchStore } from "../../batch/batch-record.ts";
import type { Unit } from "../../batch/plan/plan.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { note } from "../note.ts";
import { UsageError, type World } from "../world.ts";
import type { BatchFlags } from "./batch-flags.ts";
import type { BatchQuestions } from "./batch-order.ts";
import { batchesAtWork } from "./known-batches.ts";

/** A plan file's units, or the instruction to plan for. */
export type Sought = { units: Unit[] } | { instruction: string };

type Asked = { flags: Pick<BatchFlags, "again">; questions: BatchQuestions | undefined };

/** Whether there is none, or the person wants a second one; otherwise the exit code. Throws UsageError where nobody can be asked. */
export async function askAboutTwin(world: World, sought: Sought, { flags, questions }: Asked): Promise<"none" | "wanted" | 1 | 130> {
  if (flags.again) return "wanted";
  const text = await twinText(world, (store) => isSame(store, sought));
  if (text === undefined) return "none";
  if (!questions) throw new UsageError(`${text} To start a second one: --again. Nothing was started.`);
  const answer = await questions.confirm(`${visibleLine(text)} Start a second one?`);
  if (answer === "yes") return "wanted";
  note(world, "The batch was not started.");
  return answer === "left" ? 130 : 1;
}

/**
 * For a batch that exists and is claimed but has not begun: of two that were started at the same moment, each sees the other, and the later one
 * is refused. Throws UsageError.
 */
export async function refuseTwin(world: World, { batch, plan }: BatchStore): Promise<void> {
  const orderOf = (one: BatchStore["batch"]) => `${one.created_at} ${one.id}`;
  const isEarlier = (store: BatchStore) => orderOf(store.batch) < orderOf(batch) && isSame(store, plan);
  const text = await twinText({ ...world, cwd: batch.root }, isEarlier);
  if (text !== undefined) throw new UsageError(`${text} To start a second one: --again. Nothing was started.`);
}

const isSame = ({ batch, plan }: BatchStore, sought: Sought): boolean =>
  "units" in sought ? isDeepStrictEqual(plan.units, sought.units) : batch.instruction === sought.instruction;

async function twinText(world: World, is: (store: BatchStore) => boolean): Promise<string | undefined> {
  const twin = (await batchesAtWork(world)).find(({ store }) => is(store));
  if (!twin) return undefined;
  return `Batch ${twin.store.batch.id} does the same here and is running, in ${twin.holder}. A second one makes every branch and pull request again. To look at the first: ${world.command} tasks.`;
}

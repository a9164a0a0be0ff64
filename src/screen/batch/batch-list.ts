// The list of batches, newest first: the result of each, and the command that continues it.
import type { BatchStore } from "../../batch/batch-record.ts";
import { retried } from "../../batch/unit-record.ts";
import { dayAndTime } from "../../wording/figures.ts";
import type { Style } from "../style.ts";
import { aligned, cell, headRow } from "../table.ts";
import { shortened, visibleLine } from "../visible-text.ts";
import { totalsOf } from "./batch-report.ts";

/** `isGone`: the repository's folder no longer exists. `holder`: the process that runs the batch. */
export type ListedBatch = { store: BatchStore; isGone: boolean; holder?: string };

export function batchListText(listed: readonly ListedBatch[], { style, command }: { style: Style; command: string }): string {
  if (listed.length === 0) return "There are no batches.";
  const rows = listed.map((one) => {
    const { store, holder, isGone } = one;
    const { done, failed, skipped, open } = totalsOf(store);
    const { id, created_at, instruction, root } = store.batch;
    const next = nextFlag(one);
    return [
      cell(id),
      cell(dayAndTime(created_at)),
      cell(`${done} ${style.symbol("done")}  ${failed} ${style.symbol("failed")}  ${skipped} skipped  ${open} open`),
      cell(holder ? `in ${holder}` : next ? `${command} --${next} ${id}` : isGone ? "repository is gone" : ""),
      cell(shortened(visibleLine(instruction), 50)),
      cell(visibleLine(root), style.dim),
    ];
  });
  return aligned([headRow(["batch", "begun", "units", "next", "change", "in"], style), ...rows]).join("\n");
}

/** For `--json`. */
export function batchListJson(one: ListedBatch): Record<string, unknown> {
  const { store, holder } = one;
  const { done, failed, skipped, open } = totalsOf(store);
  const { id, created_at, instruction, root } = store.batch;
  const next = nextFlag(one);
  return { id, created_at, instruction, root, done, failed, skipped, open, running: holder ?? null, next: next ?? null };
}

/** The flag that continues the batch. */
export function nextFlag({ store, holder, isGone }: ListedBatch): "resume" | "retry" | undefined {
  if (holder !== undefined || isGone) return undefined;
  if (totalsOf(store).open > 0) return "resume";
  return store.units().some((record) => retried(record) !== undefined) ? "retry" : undefined;
}

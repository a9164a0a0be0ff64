// The rows of the batches that run, with the units at work.
import { transcriptPath } from "../../agent/session/transcript.ts";
import type { BatchStore } from "../../batch/batch-record.ts";
import { isSettled } from "../../batch/unit-record.ts";
import { totalsOf } from "../../screen/batch/batch-report.ts";
import type { WatchRow } from "../../screen/watch/row.ts";

export function batchRows(store: BatchStore, { pid, configDir }: { pid: number | null; configDir: string }): WatchRow[] {
  const { batch } = store;
  const root = `batch ${batch.id}`;
  const units = store.units();
  const { done, failed, tokens, costUsd } = totalsOf(store);
  const common = { folder: batch.root, waitsFor: [], pid: null };
  const head: WatchRow = {
    ...common,
    id: root,
    kind: "batch",
    name: root,
    fullName: root,
    state: "working",
    words: "running",
    since: batch.created_at,
    now: `${done} of ${units.length} units done${failed > 0 ? `, ${failed} failed` : ""}: ${batch.instruction}`,
    turns: units.reduce((sum, { turns }) => sum + turns, 0),
    tokens,
    costUsd,
    pid,
  };
  const atWork = units.filter((unit) => !isSettled(unit) && unit.state !== "planned");
  return [
    head,
    ...atWork.map(
      ({ id, state, turns, tokens, cost_usd, folder, session, title }): WatchRow => ({
        ...common,
        id: `${root}/${id}`,
        kind: "unit",
        name: id,
        fullName: `${root}/${id}`,
        root,
        state: "working",
        words: state,
        since: null,
        now: title ?? "",
        turns,
        tokens,
        costUsd: cost_usd,
        transcript: transcriptPath(configDir, folder, session),
      }),
    ),
  ];
}

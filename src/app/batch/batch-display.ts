// Shows a running batch: as a table in a terminal, and as a line for each fact elsewhere.
import type { Clock } from "../../agent/clock.ts";
import type { BatchStore } from "../../batch/batch-record.ts";
import type { UnitLine } from "../../batch/unit-agent.ts";
import type { UnitRecord } from "../../batch/unit-record.ts";
import { movedLine } from "../../screen/batch/batch-report.ts";
import { batchTable, type UnitNow } from "../../screen/batch/batch-table.ts";
import { createStyle } from "../../screen/style.ts";
import { liveBlock } from "../../screen/terminal/live-block.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { World } from "../world.ts";

export type BatchDisplay = {
  say(line: string): void;
  onMoved(record: UnitRecord): void;
  onLine(unit: string, line: UnitLine): void;
  /** Removes the table. */
  close(): void;
};

export async function batchDisplay(
  world: World,
  { store, clock, live }: { store: BatchStore; clock: Clock; live: boolean },
): Promise<BatchDisplay> {
  const startedMs = clock.monotonicMs();
  const say = (line: string) => world.stderr.write(`${minutes(clock.monotonicMs() - startedMs)} ${visibleLine(line)}\n`);
  const terminal = live ? await world.edges.terminal() : null;
  if (!terminal) return { say, onMoved: (record) => say(movedLine(record)), onLine: () => {}, close: () => {} };
  const now = new Map<string, UnitNow>();
  const style = createStyle(world.env);
  let isOver = false;
  let close = () => {};
  const begin = () => {
    close = liveBlock(terminal, () =>
      batchTable(store, { now, startedMs, nowMs: clock.monotonicMs(), style, columns: terminal.columns, rows: terminal.rows }),
    );
  };
  begin();
  return {
    say(line) {
      close();
      say(line);
      if (!isOver) begin();
    },
    onMoved() {}, // the table shows it
    onLine(unit, line) {
      const { turns, tokens, cost_usd: costUsd } = line;
      const before = now.get(unit);
      const doing = line.type === "progress" && line.doing ? line.doing : (before?.doing ?? "");
      now.set(unit, { doing, turns, tokens, costUsd, startedMs: before?.startedMs ?? clock.monotonicMs() });
    },
    close() {
      isOver = true;
      close();
    },
  };
}

/** For example `04:12` since the start. */
function minutes(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

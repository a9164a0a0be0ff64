// Shows a running batch: as a table in a terminal, and as a line for each fact elsewhere.
import type { Clock } from "../../agent/clock.ts";
import type { BatchStore } from "../../batch/batch-record.ts";
import type { UnitLine } from "../../batch/unit-agent.ts";
import type { UnitRecord } from "../../batch/unit-record.ts";
import { movedLine } from "../../screen/batch/batch-report.ts";
import { batchTable, type UnitNow } from "../../screen/batch/batch-table.ts";
import { createStyle } from "../../screen/style.ts";
import { createScreen } from "../../screen/terminal/screen.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { clockTime } from "../../wording/figures.ts";
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
  const say = (line: string) => world.stderr.write(`${clockTime(clock.monotonicMs() - startedMs)} ${visibleLine(line)}\n`);
  const terminal = live ? await world.edges.terminal() : null;
  if (!terminal) return { say, onMoved: (record) => say(movedLine(record)), onLine: () => {}, close: () => {} };
  const now = new Map<string, UnitNow>();
  const style = createStyle(world.env);
  const screen = createScreen(terminal, (columns) =>
    batchTable(store, { now, startedMs, nowMs: clock.monotonicMs(), style, columns, rows: terminal.rows }),
  );
  screen.refresh();
  const stopDrawing = terminal.every(betweenDrawsMs, screen.refresh);
  return {
    say(line) {
      const release = screen.hold();
      say(line);
      release();
    },
    onMoved() {}, // the table shows it
    onLine(unit, line) {
      const { turns, tokens, cost_usd: costUsd } = line;
      const before = now.get(unit);
      const doing = line.type === "progress" && line.doing ? line.doing : (before?.doing ?? "");
      now.set(unit, { doing, turns, tokens, costUsd, startedMs: before?.startedMs ?? clock.monotonicMs() });
    },
    close() {
      stopDrawing();
      screen.close();
    },
  };
}

const betweenDrawsMs = 200;

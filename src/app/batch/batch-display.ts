// Shows a running batch: as a table in a terminal, and as a line for each fact elsewhere.
import type { Clock } from "../../agent/ports/clock.ts";
import type { BatchStore } from "../../batch/batch-record.ts";
import type { UnitLine } from "../../batch/unit-agent.ts";
import type { UnitRecord } from "../../batch/unit-record.ts";
import { movedLine } from "../../screen/batch/batch-report.ts";
import { batchTable, type Doing, doingText, type UnitNow } from "../../screen/batch/batch-table.ts";
import { createStyle } from "../../screen/style.ts";
import { createScreen } from "../../screen/terminal/screen.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { clockTime } from "../../wording/figures.ts";
import type { World } from "../world.ts";

export type BatchDisplay = {
  say(line: string): void;
  onMoved(record: UnitRecord): void;
  onLine(unit: string, line: UnitLine): void;
  /** From now on what runs is shown as being stopped. */
  stopping(): void;
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
  if (!terminal) return plainDisplay(say, clock);
  const now = new Map<string, UnitNow>();
  const style = createStyle(world.env, () => [], world.theme);
  let isStopping = false;
  const screen = createScreen(terminal, (columns) =>
    batchTable(store, { now, isStopping, startedMs, nowMs: clock.monotonicMs(), style, columns, rows: terminal.rows }),
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
      const nowMs = clock.monotonicMs();
      const next = doingNow(line, before, nowMs);
      now.set(unit, { ...next, turns, tokens, costUsd, startedMs: before?.startedMs ?? nowMs });
    },
    stopping() {
      isStopping = true;
      screen.refresh();
    },
    close() {
      stopDrawing();
      screen.close();
    },
  };
}

/** What a unit does after this line. */
function doingNow(line: UnitLine, before: Doing | undefined, nowMs: number): Doing {
  if (line.type !== "progress" || line.doing === "") return before ?? { doing: "" };
  const { doing, newest } = line;
  if (newest === undefined) return { doing };
  const isSame = doing === before?.doing && before.sinceMs !== undefined;
  return { doing, sinceMs: isSame ? before.sinceMs : nowMs, newest: newest || (isSame ? before.newest : undefined) };
}

/** Without a table, a command of the harness that takes long is named once a minute. */
function plainDisplay(say: BatchDisplay["say"], clock: Clock): BatchDisplay {
  const now = new Map<string, Doing>();
  const saidMs = new Map<string, number>();
  const closed = new AbortController();
  void (async () => {
    for (;;) {
      await clock.sleep(betweenLooksMs, closed.signal);
      if (closed.signal.aborted) return;
      const nowMs = clock.monotonicMs();
      for (const [unit, doing] of now) {
        if (doing.sinceMs === undefined || nowMs - Math.max(doing.sinceMs, saidMs.get(unit) ?? 0) < betweenLinesMs) continue;
        saidMs.set(unit, nowMs);
        say(`${unit} ${doingText(doing, nowMs)}`);
      }
    }
  })();
  return {
    say,
    onMoved: (record) => say(movedLine(record)),
    onLine(unit, line) {
      if (line.type === "outcome") now.delete(unit);
      else now.set(unit, doingNow(line, now.get(unit), clock.monotonicMs()));
    },
    stopping() {}, // the line that says so is enough
    close: () => closed.abort(),
  };
}

const betweenLooksMs = 10_000;
const betweenLinesMs = 60_000;
const betweenDrawsMs = 200;

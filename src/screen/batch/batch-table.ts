// The table of a running batch, redrawn in place: what each unit is doing, with totals below.
import type { BatchStore } from "../../batch/batch-record.ts";
import { isSettled, type UnitRecord } from "../../batch/unit-record.ts";
import type { HandsFacts } from "../../places/hands-facts.ts";
import { dollars, duration, tokens } from "../../wording/figures.ts";
import { clamp } from "../line-widths.ts";
import { handsBrief, whereabouts } from "../status/hands-text.ts";
import type { Style } from "../style.ts";
import { cell, columnsFor, fittedTable } from "../table.ts";
import { shortened, visibleLine } from "../visible-text.ts";
import { resultText, shownState, totalsOf } from "./batch-report.ts";

/** What a unit does. `sinceMs`: if it is a command of the harness, when that began; `newest`: the last line it has printed. */
export type Doing = { doing: string; sinceMs?: number | undefined; newest?: string | undefined };

/** `startedMs`: when its process was started. */
export type UnitNow = Doing & { turns: number; tokens: number; costUsd: number | null; startedMs: number };

/** `npm test, for 2m 10s: 14 of 20 done`. A command that has just begun has no time yet. */
export function doingText({ doing, sinceMs, newest }: Doing, nowMs: number): string {
  const ms = sinceMs === undefined ? 0 : nowMs - sinceMs;
  return `${doing}${ms >= shownAfterMs ? `, for ${duration(Math.floor(ms / 1000) * 1000)}` : ""}${newest ? `: ${newest}` : ""}`;
}

const shownAfterMs = 5_000;

export type BatchView = {
  now: ReadonlyMap<string, UnitNow>;
  /** What runs is being ended. */
  isStopping?: boolean;
  startedMs: number;
  nowMs: number;
  style: Style;
  columns: number;
  /** The number of rows that may be used. */
  rows: number;
};

export function batchTable(store: BatchStore, view: BatchView): string[] {
  const { style, columns, rows } = view;
  const room = Math.max(1, rows - 3);
  const shown = store.plan.units.map((unit, index) => ({ unit, number: index + 1, record: store.unit(unit.id) }));
  // If there are too few rows, settled units are hidden first, then waiting ones.
  const urgency = ({ record }: { record: UnitRecord }) => (isSettled(record) ? 2 : record.state === "planned" ? 1 : 0);
  const kept = shown.length <= room ? shown : shown.toSorted((a, b) => urgency(a) - urgency(b)).slice(0, room);
  const table = unitTable(
    kept.toSorted((a, b) => a.number - b.number),
    view,
  );
  const left = shown.length - kept.length;
  const more = left > 0 ? [style.dim(`  ${left} more`)] : [];
  return [...table, ...more, totalsLine(store, view)].map((line) => clamp(line, columns - 1));
}

type Row = { unit: { id: string; title: string }; number: number; record: UnitRecord };

function unitTable(rows: Row[], view: BatchView): string[] {
  const { style, columns, nowMs } = view;
  const column = columnsFor(rows);
  const nowOf = ({ unit, record }: Row) => (isSettled(record) ? undefined : view.now.get(unit.id));
  const title =
    (most: number) =>
    ({ unit }: Row) =>
      shortened(visibleLine(unit.title), most);
  const stateOf = (record: UnitRecord) =>
    view.isStopping && !isSettled(record) && record.state !== "planned" ? "stopping" : record.state.replace("_", " ");
  const state =
    (hands: (facts: HandsFacts) => string) =>
    ({ record }: Row) =>
      [stateOf(record), isSettled(record) ? "" : whereabouts(record, hands)].filter(Boolean).join(" ");
  const elapsed = (row: Row) => {
    const [now, { elapsed_ms: before, state: at }] = [nowOf(row), row.record];
    const ms = before + (now && at === "working" ? nowMs - now.startedMs - before : 0);
    return ms > 0 ? duration(Math.round(ms / 1000) * 1000) : "";
  };
  const all = [
    { ...column("number", ({ number }) => cell(`  ${number}`, style.dim)), head: "  #" },
    {
      ...column("sign", ({ record }) =>
        cell(style.symbol(shownState[record.state]), (text) => style.state(shownState[record.state], text)),
      ),
      head: "",
    },
    column("unit", title(32), title(16)),
    column(
      "state",
      state(handsBrief),
      state(({ place }) => `at ${place}`),
      ({ record }) => stateOf(record),
    ),
    column("turns", (row) => String(nowOf(row)?.turns ?? row.record.turns)),
    column("tokens", (row) => tokens(nowOf(row)?.tokens ?? row.record.tokens)),
    column("cost", (row) => dollars(nowOf(row)?.costUsd ?? row.record.cost_usd)),
    column("time", elapsed),
    { ...column("now", (row) => nowText(row, view.isStopping ? undefined : nowOf(row), nowMs)), head: "" },
  ];
  return fittedTable(all, { columns: columns - 1, style, giveWay: columnsGiveWay });
}

const columnsGiveWay = ["turns", "tokens", "state", "unit", "time", "cost", "state", "state"];

const nowText = ({ record }: Row, now: UnitNow | undefined, nowMs: number) =>
  visibleLine(isSettled(record) ? resultText(record) : now ? doingText(now, nowMs) : "");

/** `8 ✓  1 ✗  2 ▶  1 waiting │ 14m │ $2.60 of $5.00`. */
function totalsLine(store: BatchStore, { style, nowMs, startedMs, now }: BatchView): string {
  const { done, failed, skipped } = totalsOf(store);
  const running = store.units().filter((record) => !isSettled(record) && record.state !== "planned").length;
  const waiting = store.units().filter(({ state }) => state === "planned").length;
  const costs = [store.batch.planning_usd, ...store.units().map((record) => now.get(record.id)?.costUsd ?? record.cost_usd)];
  const cost = costs.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
  const budget = store.batch.budget_usd === undefined ? "" : ` of $${store.batch.budget_usd.toFixed(2)}`;
  const counts = [
    `${done} ${style.symbol("done")}`,
    `${failed} ${style.symbol("failed")}`,
    `${running} ${style.symbol("working")}`,
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return [counts.join("  "), duration(nowMs - startedMs), `${dollars(cost)}${budget}`].join(` ${style.separator} `);
}

// The report of a batch: the result of each unit, its pull request, and what is left to look at.
import { type Incident, reported } from "../../agent/result/outcome.ts";
import type { BatchStore } from "../../batch/batch-record.ts";
import { changedTestsText } from "../../batch/changed-tests.ts";
import { failureText } from "../../batch/run-batch.ts";
import { redBeforeText, testBefore } from "../../batch/test-before.ts";
import { retried, type TestBefore, type UnitRecord, type UnitState } from "../../batch/unit-record.ts";
import { dollars, duration, plural, tokens } from "../../wording/figures.ts";
import { handsText, whereabouts } from "../status/hands-text.ts";
import type { State, Style } from "../style.ts";
import { aligned, cell } from "../table.ts";
import { shortened, visibleLine } from "../visible-text.ts";
import { estimateText } from "./batch-plan.ts";

export const shownState: Record<UnitState, State> = {
  planned: "waiting",
  worktree: "working",
  working: "working",
  testing: "working",
  committed: "working",
  pushed: "working",
  pull_request: "working",
  done: "done",
  failed: "failed",
  skipped: "waiting",
};

/** One line for a new state of a unit, outside a terminal. */
export function movedLine(record: UnitRecord): string {
  const { id, state, tests, hooks, branch, pull_request: request, changed_tests: changed } = record;
  const why = firstLine(failureText(record) ?? "");
  if (state === "failed" || state === "skipped") return `${id} ${state === "failed" ? `failed: ${why}` : why}`;
  if (state === "committed")
    return `${id} committed to ${branch} (${[changedTestsText(changed), `tests: ${tests}`, hooks].filter(Boolean).join("; ")})`;
  if (state === "pull_request") return `${id} pull request ${request?.url}`;
  return `${id} ${state}`;
}

export type Totals = { done: number; failed: number; skipped: number; open: number; tokens: number; costUsd: number | null };

export function totalsOf({ batch, units }: Pick<BatchStore, "batch" | "units">): Totals {
  const all = units();
  const among = (...states: UnitState[]) => all.filter(({ state }) => states.includes(state)).length;
  const [done, failed, skipped] = [among("done"), among("failed"), among("skipped")];
  const costs = [batch.planning_usd, ...all.map(({ cost_usd }) => cost_usd)];
  return {
    done,
    failed,
    skipped,
    open: all.length - done - failed - skipped,
    tokens: all.reduce((sum, one) => sum + one.tokens, 0),
    costUsd: costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0),
  };
}

export type ReportView = {
  style: Style;
  /** The command for batches as a person types it: `tool batch`. */
  command: string;
  /** The repository and its worktrees are about to be removed (a demo). The record of an unfinished batch is removed with them. */
  isTemporary?: boolean | undefined;
};

/** The final report. */
export function batchReport(store: BatchStore, { style, command, isTemporary }: ReportView): string {
  const { done, failed, skipped, open, tokens: used, costUsd } = totalsOf(store);
  const units = store.plan.units.map(({ id, title }, index) => {
    const record = store.unit(id);
    return [
      cell(`  ${index + 1}`, style.dim),
      cell(style.symbol(shownState[record.state]), (text) => style.state(shownState[record.state], text)),
      cell(shortened(visibleLine(title), 40)),
      cell(record.elapsed_ms > 0 ? duration(record.elapsed_ms) : ""),
      cell(dollars(record.cost_usd)),
      cell(visibleLine(resultText(record, testBefore(store, id)))),
    ];
  });
  const head = `Batch ${store.batch.id}: ${plural(done, "unit")} done, ${failed} failed, ${skipped} skipped${open > 0 ? `, ${open} open` : ""}, ${tokens(used)} tokens, ${dollars(costUsd)}`;
  const kept = isTemporary ? [] : store.units().filter(({ state, kept }) => state === "failed" || kept !== undefined);
  const { estimate } = store.batch;
  return [
    style.bold(head),
    ...(estimate ? [style.dim(`  estimated for its units: ${estimateText(estimate)}`)] : []),
    ...aligned(units),
    ...(isTemporary ? [] : lookText(store, command)),
    ...kept.flatMap(({ id, folder, from }) => (from ? [`  worktree of ${id}: ${folder}`] : [])),
    ...(failed + skipped > 0 && !(isTemporary && open > 0) ? [`What failed is in ${store.layout.failures}`] : []),
    ...(failed + skipped > 0 && !isTemporary ? afterFailure(store, command) : []),
    ...(open > 0 && !isTemporary ? [`Resume: ${command} --resume ${store.batch.id}`] : []),
  ].join("\n");
}

/** How the branches without a pull request are looked at and taken. `command`: of batches, `tool batch`. */
function lookText({ batch, units }: BatchStore, command: string): string[] {
  const done = units().filter(({ state, pull_request: request }) => state === "done" && request === undefined);
  if (done.length === 0) return [];
  const tool = command.replace(/ batch$/, "");
  const ids = done.map(({ id }) => `${batch.id}/${id}`);
  return [`To look at one: ${tool} changes ${ids[0]}`, `To take them into your branch: ${tool} take ${ids.join(" ")}`];
}

/** The pull requests at a demo's forge at the end. */
export function pullRequestsText(pulls: { head: string; base: string; title: string }[]): string {
  if (pulls.length === 0) return "The forge has no pull requests.";
  const lines = pulls.map(({ head, base, title }) => `  ${title}: ${head} into ${base}`);
  return [`The forge has ${plural(pulls.length, "pull request")}:`, ...lines].join("\n");
}

/** How failed units are retried or removed. */
function afterFailure({ batch, units }: BatchStore, command: string): string[] {
  const left = units().find(({ state, from }) => state === "failed" && from !== undefined);
  return [
    ...(units().some((record) => retried(record) !== undefined)
      ? [`To retry what failed, in the same worktrees: ${command} --retry ${batch.id} (with --max-turns, --allow and the like)`]
      : []),
    ...(left ? [`To remove what is left of one: ${command.replace(/ batch$/, "")} drop ${batch.id}/${left.id}`] : []),
  ];
}

/** The result of a settled unit in one line. */
export function resultText(record: UnitRecord, before?: TestBefore): string {
  const { state, pull_request: request, branch, tests, kept, changed_tests: changed } = record;
  if (state === "failed" || state === "skipped") return firstLine(failureText(record) ?? "");
  if (state !== "done") return state;
  const facts = [
    whereabouts(record, handsText),
    changedTestsText(changed),
    tests && `${tests}${redBeforeText(before)}`,
    kept && `worktree kept: ${kept}`,
  ];
  return [request?.url ?? `branch ${branch}`, ...facts].filter(Boolean).join("  ");
}

/** A batch that runs in another process, with its running units. */
export function batchAtWorkText({ batch, plan, unit, units }: BatchStore, { style, holder }: { style: Style; holder: string }): string {
  const { done, failed, skipped, open } = totalsOf({ batch, units });
  const atWork = plan.units.filter(({ id }) => shownState[unit(id).state] === "working");
  return [
    style.bold(`Batch ${batch.id}, in ${holder}: ${plural(done, "unit")} done, ${failed} failed, ${skipped} skipped, ${open} open`),
    ...aligned(atWork.map(({ id, title }) => [cell(`  ${id}`), cell(shortened(visibleLine(title), 40)), cell(unit(id).state)])),
  ].join("\n");
}

/** For `--json`. */
export function batchJson(
  store: BatchStore,
  { code, incidents }: { code: number; incidents: readonly Incident[] },
): Record<string, unknown> {
  const { costUsd, ...totals } = totalsOf(store);
  return {
    type: "batch_result",
    ok: code === 0,
    id: store.batch.id,
    exit_code: code,
    ...totals,
    cost_usd: costUsd,
    ...reported(incidents),
    estimate: store.batch.estimate ?? null,
    failures_file: store.layout.failures,
    units: store.plan.units.map(({ id, title }) => {
      const { state, branch, folder, tests, error, missing, pull_request: request, turns, tokens: used, cost_usd, kept } = store.unit(id);
      const before = testBefore(store, id);
      const isLeft = state !== "done" || kept !== undefined;
      return {
        id,
        title,
        state,
        branch,
        worktree: isLeft ? folder : null,
        tests,
        tests_before: before?.tests ?? null,
        was_red_before: before ? !before.passed : null,
        changed_tests: store.unit(id).changed_tests ?? [],
        error,
        missing,
        url: request?.url,
        turns,
        tokens: used,
        cost_usd,
        ...handsOf(store.unit(id)),
      };
    }),
  };
}

/** `hands` are those of the place where it works now. */
function handsOf({ place, hands, left }: UnitRecord): Record<string, unknown> {
  return { ...(place !== undefined && { place, hands: hands?.place === place ? hands : undefined }), ...(left && { hands_died_at: left }) };
}

const firstLine = (text: string) => text.split("\n", 1)[0] ?? "";

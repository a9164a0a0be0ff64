// The plan of a batch as a person decides about it: a table with a line for each unit, and below it the full text of everything that was cut.
import { type Basis, type Estimate, estimateUnits } from "../../batch/estimate.ts";
import type { Plan, Unit } from "../../batch/plan/plan.ts";
import { dollars, plural, tokens } from "../../wording/figures.ts";
import type { Style } from "../style.ts";
import { aligned, cell, headRow } from "../table.ts";
import { shortened, visibleLine } from "../visible-text.ts";

export type PlanView = {
  style: Style;
  basis: Basis;
  instruction: string;
  /** The terminal's columns; a file gets more of each text. */
  columns: number | undefined;
};

export function planTable({ units }: Plan, { style, basis, instruction, columns = 160 }: PlanView): string {
  const phases = new Set(units.map(({ phase }) => phase)).size;
  const head = `Plan: ${shortened(visibleLine(instruction).replace(/\.$/, ""), 60)}, in ${plural(units.length, "unit")}, ${plural(phases, "phase")}`;
  const estimate = `  estimated: ${estimateText(estimateUnits(units, basis))}`;
  const rows = units.map((unit, index) => rowOf(unit, { number: index + 1, units, basis }));
  const room = columns - fixedWidth(rows);
  const natural = widest(rows);
  const showsTests = natural.title + natural.files + natural.test <= room;
  const { title, files } = fitted(natural, showsTests ? room - natural.test : room + gap);
  const cells = rows.map((row) => [
    cell(row.number, style.dim),
    cell(shortened(row.title, title)),
    cell(shortened(row.files, files)),
    ...(showsTests ? [cell(row.test)] : []),
    cell(row.phase),
    cell(row.tokens),
  ]);
  const heads = headRow(["  #", "unit", "files", ...(showsTests ? ["tests"] : []), "phase", "tokens"], style);
  const fits = head.length + estimate.length <= columns;
  return [
    `${style.bold(head)}${fits ? "" : "\n"}${style.dim(estimate)}`,
    ...aligned([heads, ...cells]),
    ...below(units, {
      showsTests,
      showsFiles: (index) => rows[index]?.allFiles === true && (rows[index]?.files.length ?? 0) <= files,
    }),
  ].join("\n");
}

type Shown = { showsTests: boolean; showsFiles: (index: number) => boolean };

/** One line for a unit whose test is its own. */
function below(units: Unit[], { showsTests, showsFiles }: Shown): string[] {
  const isEachOwn = !showsTests && new Set(units.map(testOf)).size === units.length;
  const withFiles = (unit: Unit, index: number) => (showsFiles(index) ? testOf(unit) : `${testOf(unit)}  files: ${allFiles(unit)}`);
  if (isEachOwn) return units.map((unit, index) => `  tests of ${index + 1}: ${withFiles(unit, index)}`);
  return [
    ...inFull("files", units, { whole: allFiles, isShown: (_, index) => showsFiles(index) }),
    ...inFull("tests", units, { whole: testOf, isShown: () => showsTests }),
  ];
}

type Row = { number: string; title: string; files: string; allFiles: boolean; test: string; phase: string; tokens: string };

function rowOf(unit: Unit, { number, units, basis }: { number: number; units: Unit[]; basis: Basis }): Row {
  const { tokens: one } = estimateUnits([unit], basis);
  const [first = "", ...more] = unit.files;
  const after = unit.needs.length > 0 ? ` after ${unit.needs.map((id) => numberOf(id, units)).join(", ")}` : "";
  return {
    number: `  ${number}`,
    title: visibleLine(unit.title),
    files: visibleLine(more.length === 0 ? first : `${first} and ${more.length} more`),
    allFiles: more.length === 0,
    test: testOf(unit),
    phase: `${unit.phase}${after}`,
    tokens: `${tokens(one.low)} to ${tokens(one.high)}`,
  };
}

/** `26.0k to 117k tokens, $0.02 to $0.20 (from 4 earlier units)`. */
export function estimateText({ tokens: count, cost_usd: cost, from }: Estimate): string {
  const [least, most] = [dollars(cost?.low ?? null), dollars(cost?.high ?? null)];
  const money = least === most ? least : `${least} to ${most}`;
  return `${tokens(count.low)} to ${tokens(count.high)} tokens, ${money} (from ${from})`;
}

type Column = { whole(unit: Unit): string; isShown(unit: Unit, index: number): boolean };

/** The texts that the table does not have whole, each once with its units: approving the plan grants what is read here. */
function inFull(name: string, units: Unit[], { whole, isShown }: Column): string[] {
  const numbers = new Map<string, number[]>();
  for (const [index, unit] of units.entries()) {
    if (!isShown(unit, index)) numbers.set(whole(unit), [...(numbers.get(whole(unit)) ?? []), index + 1]);
  }
  return [...numbers].map(([text, of]) => `  ${name} of ${of.length === units.length && of.length > 1 ? "all" : of.join(", ")}: ${text}`);
}

/** Between two columns. */
const gap = 2;

/** What numbers, phases, tokens and the gaps between six columns take. */
function fixedWidth(rows: Row[]): number {
  const width = (of: (row: Row) => string, head: string) => Math.max(head.length, ...rows.map((row) => of(row).length));
  return 5 * gap + width(({ number }) => number, "  #") + width(({ phase }) => phase, "phase") + width((row) => row.tokens, "tokens");
}

function widest(rows: Row[]): { title: number; files: number; test: number } {
  const width = (of: (row: Row) => string) => Math.max(5, ...rows.map((row) => of(row).length));
  return { title: width(({ title }) => title), files: width(({ files }) => files), test: width(({ test }) => test) };
}

/** A column that needs less than half of the room leaves the rest to the other. */
function fitted(natural: { title: number; files: number }, room: number): { title: number; files: number } {
  const half = Math.max(8, Math.floor(room / 2));
  const title = Math.min(natural.title, Math.max(half, room - natural.files));
  return { title, files: Math.min(natural.files, Math.max(8, room - title)) };
}

const testOf = ({ test }: Unit): string => visibleLine(test);
const allFiles = ({ files }: Unit): string => visibleLine(files.join(", "));

const numberOf = (id: string, units: Unit[]) => units.findIndex((unit) => unit.id === id) + 1;

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

export function planTable({ units }: Plan, { style, basis, instruction, columns }: PlanView): string {
  const widest = widthsFor(columns);
  const phases = new Set(units.map(({ phase }) => phase)).size;
  const head = `Plan: ${shortened(visibleLine(instruction).replace(/\.$/, ""), 60)}, in ${plural(units.length, "unit")}, ${plural(phases, "phase")}`;
  const rows = units.map((unit, index) => {
    const { tokens: one } = estimateUnits([unit], basis);
    return [
      cell(`  ${index + 1}`, style.dim),
      cell(shortened(visibleLine(unit.title), widest.title)),
      cell(shortFiles(unit, widest.files)),
      cell(shortened(testOf(unit), widest.test)),
      cell(`${unit.phase}${unit.needs.length > 0 ? ` after ${unit.needs.map((id) => numberOf(id, units)).join(", ")}` : ""}`),
      cell(`${tokens(one.low)} to ${tokens(one.high)}`),
    ];
  });
  const heads = headRow(["  #", "unit", "files", "tests", "phase", "tokens"], style);
  const estimate = `  estimated: ${estimateText(estimateUnits(units, basis))}`;
  const fits = columns === undefined || head.length + estimate.length <= columns;
  return [
    `${style.bold(head)}${fits ? "" : "\n"}${style.dim(estimate)}`,
    ...aligned([heads, ...rows]),
    ...inFull("files", units, { whole: allFiles, short: (unit) => shortFiles(unit, widest.files) }),
    ...inFull("tests", units, { whole: testOf, short: (unit) => shortened(testOf(unit), widest.test) }),
  ].join("\n");
}

/** `26.0k to 117k tokens, $0.02 to $0.20 (from 4 earlier units)`. */
export function estimateText({ tokens: count, cost_usd: cost, from }: Estimate): string {
  const [least, most] = [dollars(cost?.low ?? null), dollars(cost?.high ?? null)];
  const money = least === most ? least : `${least} to ${most}`;
  return `${tokens(count.low)} to ${tokens(count.high)} tokens, ${money} (from ${from})`;
}

type Column = { whole(unit: Unit): string; short(unit: Unit): string };

/** The texts that a column cut, each once with its units: approving the plan grants what is read here. */
function inFull(name: string, units: Unit[], { whole, short }: Column): string[] {
  const numbers = new Map<string, number[]>();
  for (const [index, unit] of units.entries()) {
    const text = whole(unit);
    if (text !== short(unit)) numbers.set(text, [...(numbers.get(text) ?? []), index + 1]);
  }
  return [...numbers].map(([text, of]) => `  ${name} of ${of.join(", ")}: ${text}`);
}

/** The columns left for texts after numbers, phases and costs. */
function widthsFor(columns = 160): { title: number; files: number; test: number } {
  const room = Math.max(36, Math.min(100, columns - 44));
  return { title: Math.floor(room * 0.36), files: Math.floor(room * 0.3), test: Math.floor(room * 0.34) };
}

const testOf = ({ test }: Unit): string => visibleLine(test);
const allFiles = ({ files }: Unit): string => visibleLine(files.join(", "));

function shortFiles({ files }: Unit, atMost: number): string {
  const text = files.length === 1 ? (files[0] ?? "") : `${files[0]} and ${files.length - 1} more`;
  return shortened(visibleLine(text), atMost);
}

const numberOf = (id: string, units: Unit[]) => units.findIndex((unit) => unit.id === id) + 1;

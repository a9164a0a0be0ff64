// The plan of a batch as a person decides about it: a table, one line a unit.
import { estimatePlan, estimateUnit } from "../batch/estimate.ts";
import type { Plan, Unit } from "../batch/plan.ts";
import { count, dollars, tokens } from "./figures.ts";
import { clamp } from "./line-widths.ts";
import type { Style } from "./style.ts";
import { aligned, cell } from "./table.ts";
import { visibleLine } from "./visible-text.ts";

const widest = { title: 36, files: 32, test: 32 };

export function planTable({ units }: Plan, { style, model, instruction }: { style: Style; model: string; instruction: string }): string {
  const phases = new Set(units.map(({ phase }) => phase)).size;
  const all = estimatePlan(units, model);
  const head = `Plan: ${clamp(visibleLine(instruction), 60)}, in ${count(units.length, "unit")}, ${count(phases, "phase")}`;
  const rows = units.map((unit, index) => {
    const one = estimateUnit(unit, model);
    return [
      cell(`  ${index + 1}`, style.dim),
      cell(clamp(visibleLine(unit.title), widest.title)),
      cell(clamp(visibleLine(filesText(unit)), widest.files)),
      cell(clamp(visibleLine(unit.test), widest.test)),
      cell(`${unit.phase}${unit.needs.length > 0 ? ` after ${unit.needs.map((id) => numberOf(id, units)).join(", ")}` : ""}`),
      cell(tokens(one.tokens)),
      cell(dollars(one.costUsd)),
    ];
  });
  const heads = ["  #", "unit", "files", "tests", "phase", "tokens", "cost"].map((text) => cell(text, style.dim));
  return [
    `${style.bold(head)}${style.dim(`  about ${tokens(all.tokens)} tokens, ${dollars(all.costUsd)} (an estimate)`)}`,
    ...aligned([heads, ...rows]),
  ].join("\n");
}

function filesText({ files }: Unit): string {
  return files.length === 1 ? (files[0] ?? "") : `${files[0]} and ${files.length - 1} more`;
}

const numberOf = (id: string, units: Unit[]) => units.findIndex((unit) => unit.id === id) + 1;

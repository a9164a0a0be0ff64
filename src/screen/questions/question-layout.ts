// How a question divides its rows: its text keeps at least five, and the choices shrink to their digits.
import { plural } from "../../wording/figures.ts";
import { wrap } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { columnsOfChoices, type DrawnChoices, digitsOfChoices, listOfChoices } from "./choice-rows.ts";
import type { Body, Choice, Step } from "./step.ts";

/** `short`: without the empty row above. `digits`: the choices are digits. `bare`: also without a reason. */
type Density = "full" | "short" | "digits" | "bare";

export type LayoutRoom = {
  width: number;
  rows: number;
  more: number;
  /** The index of the marked choice. */
  at: number;
  style: Style;
  /** What is typed, which filters a list. */
  typed: string;
  foot: Foot;
};

/** What is below the choices: the typed line, or what keys do. `brief`: there are few rows. */
export type Foot = (choices: Choice<unknown>[], shown: { canShow: boolean; brief: boolean }) => string[];

export type Drawn<Answer> = { lines: string[]; choices: Choice<Answer>[]; column: number; digits: boolean; canShow: boolean };

/** The rows that the text of a question always keeps. */
const keptRows = 5;

export function layout<Answer>(step: Step<Answer>, room: LayoutRoom): Drawn<Answer> {
  const { width, rows, more, style } = room;
  const body = step.body?.(width) ?? { must: [], change: [] };
  const moreChange = step.moreChange ?? 0;
  const wholly = body.must.length + body.change.flat().length + (moreChange > 0 ? Number.POSITIVE_INFINITY : 0);
  const around = (density: Density, hides: boolean): Around<Answer> => {
    const brief = density === "digits" || density === "bare";
    const head = [...(density === "full" ? [""] : []), ...step.head({ width, more, brief })];
    const why = density === "bare" ? [] : (step.why?.(width) ?? []);
    const choices = step.choices({ hides, typed: room.typed });
    const foot = room.foot(choices, { canShow: step.whole !== undefined && (hides || body.change.length > 0), brief });
    const drawn = drawChoices(step, choices, { ...room, density, rows: rows - head.length - why.length - foot.length });
    const bottom = [...why, ...drawn.lines, ...foot];
    return { head, bottom, density, hides, choices, column: drawn.column, room: Math.max(2, rows - head.length - bottom.length) };
  };
  const found = fitting(around, { wholly, must: body.must.length });
  const shown = shownOf(body, { room: found.room, moreChange, style, width });
  return {
    lines: [...found.head, ...shown, ...found.bottom],
    choices: found.choices,
    column: found.column,
    digits: found.density === "digits" || found.density === "bare",
    canShow: step.whole !== undefined && (found.hides || body.change.length > 0),
  };
}

type Around<Answer> = {
  head: string[];
  bottom: string[];
  density: Density;
  hides: boolean;
  choices: Choice<Answer>[];
  column: number;
  room: number;
};

/**
 * The largest layout that shows all of the question, otherwise the first that keeps enough of it. What would allow more than this once is offered
 * only for a command that is shown completely.
 */
function fitting<Answer>(
  around: (density: Density, hides: boolean) => Around<Answer>,
  { wholly, must }: { wholly: number; must: number },
): Around<Answer> {
  for (const density of ["full", "short"] as const) {
    const found = around(density, false);
    if (wholly <= found.room) return found;
  }
  const kept = Math.min(keptRows, wholly);
  for (const density of ["full", "short", "digits"] as const) {
    const found = around(density, false);
    if (found.room >= Math.max(kept, must)) return found;
  }
  for (const density of ["full", "short", "digits"] as const) {
    const found = around(density, true);
    if (found.room >= kept) return found;
  }
  return around("bare", must > around("bare", false).room);
}

function drawChoices<Answer>(
  step: Step<Answer>,
  choices: Choice<Answer>[],
  { density, rows, ...room }: LayoutRoom & { density: Density },
): DrawnChoices {
  if (step.isList) return listOfChoices(choices, { ...room, rows });
  if (density === "digits" || density === "bare") return digitsOfChoices(choices, room);
  return columnsOfChoices(choices, room);
}

type Shown = { room: number; moreChange: number; style: Style; width: number };

function shownOf({ must, change }: Body, { room, moreChange, style, width }: Shown): string[] {
  if (must.length <= room) return [...must, ...fitted(change, { room: room - must.length, beyond: moreChange, style })];
  const hidden = must.length - room + 1;
  const missing = `    ${hidden} more line${hidden === 1 ? " is" : "s are"} not shown here`;
  return [...must.slice(0, room - 1), ...wrap(style.state("needs_you", missing), width, 4).split("\n")];
}

/** A change may be shown in part. `beyond`: lines that the question does not contain. */
function fitted(change: string[][], { room, beyond, style }: { room: number; beyond: number; style: Style }): string[] {
  const all = change.flat();
  if (all.length <= room && beyond === 0) return all;
  const shown: string[] = [];
  let lines = 0;
  for (; lines < change.length && shown.length + change[lines]!.length < room; lines++) shown.push(...change[lines]!);
  return room === 0 ? [] : [...shown, ...moreLines(change.length - lines + beyond, style)];
}

/** The line below a change that is shown in part. */
export function moreLines(more: number, style: Style): string[] {
  return more > 0 ? [style.dim(`      ${plural(more, "more line")}`)] : [];
}

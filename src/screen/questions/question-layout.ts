// How a question divides its rows. First come who asks for what, the marked choice and the way to see all; then the text, of which at least five
// rows are kept, the words of the other choices, and the reason.
import { plural } from "../../wording/figures.ts";
import { clamp, firstFitting } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { columnsOfChoices, type DrawnChoices, listOfChoices, markedChoice, wordsOfChoices } from "./choice-rows.ts";
import type { Body, Choice, Step } from "./step.ts";

/** From roomy to dense. `gap`: an empty row above. `why`: the reason is shown. `choices`: each with its label, with a few words, or only the marked one. */
const densities = {
  full: { gap: true, why: true, choices: "labels" },
  short: { gap: false, why: true, choices: "labels" },
  words: { gap: false, why: true, choices: "words" },
  marked: { gap: false, why: true, choices: "marked" },
  bareWords: { gap: false, why: false, choices: "words" },
  bareMarked: { gap: false, why: false, choices: "marked" },
} as const;

type Density = keyof typeof densities;

export type LayoutRoom = {
  width: number;
  rows: number;
  more: number;
  /** The index of the marked choice. */
  at: number;
  style: Style;
  /** What is typed, which filters a list. */
  typed: string;
  /** An answer is being typed, so no choice can be taken by a key. */
  typing: boolean;
  foot: Foot;
};

/**
 * What is below the choices: the typed line, or what keys do. `brief`: there are few rows, so the choices may not all be shown. `tight`: there is
 * one row for it.
 */
export type Foot = (choices: Choice<unknown>[], shown: { canShow: boolean; brief: boolean; tight: boolean }) => string[];

/** `brief`: not everything that belongs to it may be shown. */
export type Drawn<Answer> = { lines: string[]; choices: Choice<Answer>[]; canShow: boolean; brief: boolean } & Omit<DrawnChoices, "lines">;

/** The rows that the text of a question always keeps, if there are enough. */
const keptRows = 5;

/** Never more than the rows that there are. */
export function layout<Answer>(step: Step<Answer>, room: LayoutRoom): Drawn<Answer> {
  const { width, rows, more, style } = room;
  const body = step.body?.(width) ?? { must: [], change: [] };
  const moreChange = step.moreChange ?? 0;
  const canShow = (brief: boolean, hides: boolean) =>
    !step.isList && (brief || (step.whole !== undefined && (hides || body.change.length > 0)));
  const around = (density: Density, hides: boolean): Around<Answer> => {
    const { gap, why, choices: form } = densities[density];
    const brief = form !== "labels";
    const head = [...(gap ? [""] : []), ...step.head({ width, more, brief })];
    const reason = why ? (step.why?.(width) ?? []) : [];
    const choices = step.choices({ hides, typed: room.typed });
    const shows = canShow(brief, hides);
    const foot = room.foot(choices, { canShow: shows, brief, tight: false });
    const at = room.at < choices.length ? room.at : 0;
    const drawn = drawChoices(step, choices, { ...room, at, form, rows: rows - head.length - reason.length - foot.length });
    const bottom = [...reason, ...drawn.lines, ...foot];
    return { ...drawn, head, bottom, choices, brief, canShow: shows, room: rows - head.length - bottom.length };
  };
  const found = fitting(around, { body, moreChange });
  if (!found) return leastLayout(step, body, room);
  const { head, bottom, room: left, ...rest } = found;
  return { ...rest, lines: [...head, ...shownOf(body, { room: left, moreChange, style, width }), ...bottom] };
}

type Around<Answer> = Omit<Drawn<Answer>, "lines"> & { head: string[]; bottom: string[]; room: number };

/**
 * The largest layout that shows all of the question, otherwise the first that keeps enough of it. What would allow more than this once is offered
 * only for a command that is shown completely.
 */
function fitting<Answer>(
  around: (density: Density, hides: boolean) => Around<Answer>,
  { body: { must, change }, moreChange }: { body: Body; moreChange: number },
): Around<Answer> | undefined {
  const wholly = must.length + change.flat().length + (moreChange > 0 ? Number.POSITIVE_INFINITY : 0);
  const kept = Math.min(keptRows, wholly);
  const some = must.length + Math.min(1, change.length + moreChange);
  const withReason = ["full", "short", "words", "marked"] as const;
  const attempts: { among: readonly Density[]; hides: boolean; least: number }[] = [
    { among: ["full", "short"], hides: false, least: wholly },
    { among: withReason, hides: false, least: Math.max(kept, must.length) },
    { among: withReason, hides: true, least: kept },
    { among: ["bareWords", "bareMarked"], hides: false, least: some },
    { among: ["bareMarked"], hides: false, least: must.length },
  ];
  for (const { among, hides, least } of attempts) {
    for (const density of among) {
      const found = around(density, hides);
      if (found.room >= least) return found;
    }
  }
  return undefined;
}

type ChoiceForm = (typeof densities)[Density]["choices"];

function drawChoices<Answer>(
  step: Step<Answer>,
  choices: Choice<Answer>[],
  { form, rows, ...room }: LayoutRoom & { form: ChoiceForm },
): DrawnChoices {
  if (step.isList) return listOfChoices(choices, { ...room, rows });
  if (form === "words") return wordsOfChoices(choices, room);
  return form === "marked" ? markedChoice(choices, { ...room, rows: Number.POSITIVE_INFINITY }) : columnsOfChoices(choices, room);
}

/** One row for who asks for what, then the marked choice, then what keys do; the text has the rows that are left. Cut where there are too few. */
function leastLayout<Answer>(step: Step<Answer>, body: Body, room: LayoutRoom): Drawn<Answer> {
  const { rows, style, width, more } = room;
  const line = step.line?.(width) ?? clamp(step.head({ width, more, brief: true }).join(" "), width);
  const choices = step.choices({ hides: true, typed: room.typed });
  const shown = { canShow: !step.isList, brief: true };
  const foot = room.foot(choices, { ...shown, tight: true });
  const typesAnswer = room.typing && !step.isList;
  const forChoice = typesAnswer ? 0 : Math.max(1, rows - 2);
  const drawn = step.isList
    ? listOfChoices(choices, { ...room, rows: forChoice })
    : markedChoice(choices, { ...room, rows: Math.min(forChoice, rows - 1) });
  const left = Math.max(0, rows - 1 - drawn.lines.length);
  const bottom = [...drawn.lines, ...lastOf(foot, left)];
  const text = shownOf(body, { room: Math.max(0, rows - 1 - bottom.length), moreChange: step.moreChange ?? 0, style, width });
  return { ...drawn, ...shown, choices, lines: [line, ...text, ...bottom].slice(0, Math.max(1, rows)) };
}

const lastOf = (lines: string[], count: number) => (count === 0 ? [] : lines.slice(-count));

type Shown = { room: number; moreChange: number; style: Style; width: number };

function shownOf(body: Body, { room, moreChange, style, width }: Shown): string[] {
  const { must } = body;
  if (must.length <= room) return [...must, ...fitted(body, { room: room - must.length, beyond: moreChange, style })];
  if (room === 0) return [];
  const hidden = must.length - room + 1;
  const missing = `    ${plural(hidden, "more line")}`;
  const forms = [`${missing} ${hidden === 1 ? "is" : "are"} not shown here`, missing];
  return [
    ...must.slice(0, room - 1),
    firstFitting(
      forms.map((form) => style.state("needs_you", form)),
      width,
    ),
  ];
}

/** A change may be shown in part: what is around the changed lines is left out first. `beyond`: lines that the question does not contain. */
function fitted({ change, changedAlone }: Body, { room, beyond, style }: { room: number; beyond: number; style: Style }): string[] {
  const all = change.flat();
  if (all.length <= room && beyond === 0) return all;
  const kept = changedAlone?.() ?? change;
  const shown: string[] = [];
  let lines = 0;
  for (; lines < kept.length && shown.length + kept[lines]!.length < room; lines++) shown.push(...kept[lines]!);
  return room === 0 ? [] : [...shown, ...moreLines(change.length - lines + beyond, style)];
}

/** The line below a change that is shown in part. */
export function moreLines(more: number, style: Style): string[] {
  return more > 0 ? [style.dim(`      ${plural(more, "more line")}`)] : [];
}

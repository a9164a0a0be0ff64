// How a question divides its rows: the text of the question keeps at least five, and the choices shrink to their letters.
import { matchesKey, visibleWidth } from "@earendil-works/pi-tui";
import type { PermissionQuestion } from "../../permissions/questions/question.ts";
import type { Style } from "../style.ts";
import type { Place } from "./dialog.ts";
import type { Choice } from "./question-dialog.ts";
import { type Body, headLines, hung, type Look, moreLines, reasonLines } from "./question-text.ts";

/** `short`: one rule instead of all. `letters`: also only the letters of the choices. `bare`: no rule and no reason. */
export type Density = "full" | "short" | "letters" | "bare";

/** `offers`: rules are shown and can be chosen. `hides`: a part of the question is not shown. */
export type View = { density: Density; offers: boolean; hides: boolean };

export const fullest: View = { density: "full", offers: true, hides: false };

/** What is below the reason: rules and choices, or the next step of one of them. */
export type Below = (view: View, width: number, place: Place) => string[];

export type Marked = { key: string; byLetter: boolean };

/** The direction of an arrow key. */
export const stepOf = (arrow: string): 1 | -1 => (matchesKey(arrow, "down") || matchesKey(arrow, "right") ? 1 : -1);

/**
 * The choice that an arrow marks. With nothing marked, forward marks the first and backward the last no: a person who presses Up to find an earlier
 * line allows nothing.
 */
export function markedBeside(choices: readonly { key: string }[], marked: Marked | undefined, by: 1 | -1): Marked {
  const keys = choices.map(({ key }) => key);
  const last = keys.includes("n") ? keys.lastIndexOf("n") : keys.length - 1;
  const at = marked ? (keys.indexOf(marked.key) + by + keys.length) % keys.length : by === 1 ? 0 : last;
  return { key: keys[at]!, byLetter: false };
}

export type QuestionView = { look: Look; rows: number; place: Place; body: Body; below: Below };

/** The rows that the text of the question always keeps. */
const keptRows = 5;

export function questionLines(question: PermissionQuestion, setup: QuestionView): { lines: string[]; view: View } {
  const { look, body, place, rows, below } = setup;
  const changeRows = body.change.flat().length;
  const wholly = body.must.length + (question.moreChange > 0 ? Number.POSITIVE_INFINITY : changeRows);
  const around = (view: View) => {
    const { density } = view;
    const blank = density === "full" || density === "short" ? [""] : [];
    const head = [...blank, ...headLines(question, { ...look, brief: blank.length === 0 })];
    const why = density === "bare" ? [] : reasonLines(question, look);
    const bottom = [...why, ...below(view, look.width, place)];
    return { view, head, bottom, room: Math.max(2, rows - head.length - bottom.length) };
  };
  const found = fitting(around, wholly, body.must.length);
  const { must, change } = shownOf(question, { look, body, room: found.room });
  return { lines: [...found.head, ...must, ...change, ...found.bottom], view: found.view };
}

type Around = { view: View; head: string[]; bottom: string[]; room: number };

/**
 * The largest layout that shows all of the question, otherwise the first that keeps enough of it. Rules are offered only for a command that is shown
 * completely.
 */
function fitting(around: (view: View) => Around, wholly: number, mustRows: number): Around {
  for (const density of ["full", "short"] as const) {
    const found = around({ density, offers: true, hides: false });
    if (wholly <= found.room) return found;
  }
  const kept = Math.min(keptRows, wholly);
  for (const density of ["full", "short", "letters"] as const) {
    const hides = wholly > around({ density, offers: true, hides: false }).room;
    const found = around({ density, offers: true, hides });
    if (found.room >= Math.max(kept, mustRows)) return found;
  }
  for (const density of ["full", "short", "letters"] as const) {
    const found = around({ density, offers: false, hides: true });
    if (found.room >= kept) return found;
  }
  return around({ density: "bare", offers: false, hides: true });
}

function shownOf(question: PermissionQuestion, { look, body, room }: { look: Look; body: Body; room: number }) {
  const { style, width } = look;
  if (body.must.length > room) {
    const hidden = body.must.length - room + 1;
    const missing = hung(style.state("needs_you", `    ${hidden} more line${hidden === 1 ? " is" : "s are"} not shown here`), width, 4);
    return { must: [...body.must.slice(0, room - 1), ...missing], change: [] };
  }
  return { must: body.must, change: fitted(body.change, { room: room - body.must.length, beyond: question.moreChange, style }) };
}

/** A change may be shown in part, and a key shows all of it. `beyond`: lines that the question does not contain. */
function fitted(change: string[][], { room, beyond, style }: { room: number; beyond: number; style: Style }): string[] {
  const all = change.flat();
  if (all.length <= room && beyond === 0) return all;
  const shown: string[] = [];
  let lines = 0;
  for (; lines < change.length && shown.length + change[lines]!.length < room; lines++) shown.push(...change[lines]!);
  return room === 0 ? [] : [...shown, ...moreLines(change.length - lines + beyond, style)];
}

export type ChoiceView = {
  marked: Marked | undefined;
  style: Style;
  width: number;
  view: View;
  /** Keys go to a line in the editor. */
  line: boolean;
  /** The asking agent has no sandbox. */
  unsandboxed?: true | undefined;
  /** What Esc does; by default it denies everything. */
  escapeHint?: string;
};

/** The choices, and what the next key would do. */
export function choiceLines(choices: Pick<Choice, "key" | "label">[], setup: ChoiceView): string[] {
  const { marked, style, width, view, line, unsandboxed, escapeHint = "Esc no to all, and stop" } = setup;
  const shown = ({ key, label }: Pick<Choice, "key" | "label">) =>
    `${marked?.key === key ? style.pointer : " "} ${style.bold(key)} ${label}`;
  const isAbsent = marked !== undefined && !choices.some(({ key }) => key === marked.key);
  const hint = isAbsent ? style.state("needs_you", absentWords(marked.key, unsandboxed)) : style.dim(hintOf(marked, { line, escapeHint }));
  if (view.density === "full" || view.density === "short") return rowsOf([...choices.map(shown), `  ${hint}`], width);
  const chosen = choices.find(({ key }) => key === marked?.key);
  const letters = choices.map(({ key }) => style.bold(key)).join(" ");
  return hung(`  ${chosen ? shown(chosen) : letters}   ${hint}`, width, 4);
}

function absentWords(key: string, unsandboxed?: true): string {
  if (key !== "x") return `${key} is not offered here`;
  return `x is not offered: ${unsandboxed ? "there is no sandbox here" : "this does not stay in a sandbox"}`;
}

/** The first two have the same length, so that nothing moves while a letter is marked. */
function hintOf(marked: Marked | undefined, { line, escapeHint }: { line: boolean; escapeHint: string }): string {
  if (line) return "Esc moves to the question";
  if (!marked) return escapeHint;
  return marked.byLetter ? "chosen in half a second" : "Enter chooses it";
}

/** An item that does not fit beside the others is put on the next row, uncut. */
function rowsOf(items: string[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && visibleWidth(last) + 3 + visibleWidth(item) <= width) lines[lines.length - 1] = `${last}   ${item}`;
    else lines.push(`  ${item}`);
  }
  return lines.flatMap((line) => hung(line, width, 4));
}

// A question to the person as lines: who asks, what would run (one simple command a line), and why it is asked. Nothing is cut.

import { visibleWidth } from "@earendil-works/pi-tui";
import type { ChoiceQuestion, PermissionQuestion, Question } from "../../permissions/questions/question.ts";
import { rulesText } from "../../wording/question-words.ts";
import { visible } from "../../wording/visible.ts";
import { diffRows } from "../events/diff-lines.ts";
import { clamp, firstFitting, widestText, wrap } from "../line-widths.ts";
import type { Highlight } from "../markdown/render.ts";
import type { Style } from "../style.ts";
import { beginning, visibleLine } from "../visible-text.ts";
import { moreLines } from "./question-layout.ts";
import type { Body } from "./step.ts";

export type Asking = {
  /** The agent that made the tool call. */
  asker: string;
  /** Where else it can be answered, such as `also in ada's pane`. */
  also?: string;
  /** A question of another agent, which the person may put aside to continue typing. */
  canWait?: boolean;
  /** How far a grant that is given here can reach. */
  reach?: "session" | "team";
};

/** `more`: how many questions wait behind it. `brief`: there are few rows, so the other places to answer are omitted. */
export type Look = Asking & { style: Style; width: number; more?: number; brief?: boolean; highlight?: Highlight | undefined };

/** The complete question, for a command that prints it. */
export function questionText(question: Question, look: Look): string {
  const head = headLines(question, look);
  if (question.kind === "plan") return [...head, ...codeLines(question.plan).map((line) => `    ${line}`)].join("\n");
  if (question.kind === "choice") {
    const options = question.options.flatMap((option, index) => hung(`    ${index + 1} ${visibleLine(option)}`, look.width, 6));
    return [...head, ...choiceTextLines(question, look), ...options].join("\n");
  }
  const { must, change } = bodyLines(question, look);
  return [...head, ...must, ...change.flat(), ...moreLines(question.moreChange, look.style), ...reasonLines(question, look)].join("\n");
}

/** All of a question of the agent, for the full view. */
export function wholeChoiceLines(question: ChoiceQuestion, look: Omit<Look, "width">): string[] {
  const { also, canWait } = look;
  const head = isOwn({ also, canWait }) ? [] : headLines(question, { ...look, width: Number.POSITIVE_INFINITY });
  return [...head, ...choiceTextLines(question, { ...look, width: Number.POSITIVE_INFINITY })];
}

/** The line above a plan; the question follows the plan. */
export function planTitle({ asker, style }: Asking & { style: Style }): string {
  return `\n${style.bold(`${visibleLine(asker)}'s plan`)}`;
}

/** What decides how often such questions come, and is not among the choices of this one. Undefined if nothing does. */
export function tipFor({ edits, contained, tool }: PermissionQuestion): string | undefined {
  if (edits) return "To be asked less often: the mode acceptEdits (Shift-Tab).";
  if (tool !== "Bash" && tool !== "Network") return undefined;
  return contained
    ? "Commands that stay in the sandbox run without a question. To be asked about each: tool config set sandbox.autoAllow false"
    : "To be asked less often: a choice that lasts, the mode acceptEdits (Shift-Tab), or a sandbox (tool doctor).";
}

/** The complete question, unwrapped, for the full view. */
export function wholeLines(question: PermissionQuestion, { asker, style, highlight }: Omit<Look, "width">): string[] {
  const look = { asker, style, highlight, width: Number.POSITIVE_INFINITY };
  const { must, change } = bodyLines(question, look);
  const rules = question.offers.map(({ rules: texts }) => rulesText(texts));
  return [
    style.bold(`Everything ${visibleLine(asker)} asks for`),
    ...must,
    ...change.flat(),
    ...moreLines(question.moreChange, style),
    ...reasonLines(question, look),
    ...(rules.length > 0 ? ["  Rules that would allow it:", ...rules.map((text) => `    ${text}`)] : []),
  ];
}

/** Who asks for what; at the right edge, how many wait, where else it is open, and what cannot be done. */
export function headLines(question: Question, { asker, also, canWait, style, width, more = 0, brief }: Look): string[] {
  if (question.kind === "choice" && isOwn({ also, canWait })) return more > 0 ? [style.dim(`  1 of ${more + 1}`)] : [];
  const head = style.state("needs_you", `${style.symbol("needs_you")} ${visibleLine(asker)} ${deedOf(question)}`);
  const notes = [
    more > 0 && `1 of ${more + 1}`,
    also && !brief && visibleLine(also),
    question.kind === "permission" && question.counted,
    question.kind === "permission" &&
      question.network &&
      (question.lacks ? `no ${question.lacks} in the sandbox` : "hosts are asked about"),
  ].filter(Boolean);
  if (notes.length === 0) return hung(head, width);
  const aside = style.dim(notes.join(style.middleDot));
  const gap = Math.min(width, widestText) - visibleWidth(head) - visibleWidth(aside);
  return gap >= 2 ? [`${head}${" ".repeat(gap)}${aside}`] : [...hung(head, width), ...hung(`  ${aside}`, width)];
}

/** Who asks for what in one row, and the beginning of what it is about. */
export function questionLine(question: Question, { asker, also, canWait, style, width }: Look): string {
  const coloured = (text: string) => style.state("needs_you", text);
  const about = codeLine(beginning(aboutOf(question), width));
  if (question.kind === "choice" && isOwn({ also, canWait })) return clamp(coloured(`? ${about}`), width);
  const sign = style.symbol("needs_you");
  const name = visibleLine(asker);
  const forms = [
    `${sign} ${name} ${deedOf(question)} ${about}`,
    `${sign} ${clamp(name, Math.max(leastName, Math.floor(width / 4)))}: ${shortDeedOf(question)}${about}`,
  ];
  return firstFitting(
    forms.map((form) => coloured(form.trimEnd())),
    width,
  );
}

const leastName = 5;

function aboutOf(question: Question): string {
  if (question.kind === "plan") return "";
  if (question.kind === "choice") return question.text;
  return question.whole ?? question.parts[0]?.text ?? "";
}

function shortDeedOf(question: Question): string {
  if (question.kind === "choice") return "";
  if (question.kind === "permission" && question.left !== undefined) return "keep ";
  if (question.kind === "permission" && question.replaces) return "replace ";
  return `${deedOf(question).replace(/^asks (?:to|for) /, "")} `;
}

function deedOf(question: Question): string {
  if (question.kind === "plan") return "asks to carry out the plan above";
  if (question.kind === "choice") return "asks you";
  if (question.left !== undefined) return "asks to keep files that its command left";
  if (question.replaces) return "asks to replace the whole file";
  return deeds[question.tool] ?? `asks for ${visibleLine(question.tool)}`;
}

const deeds: Record<string, string> = {
  Bash: "asks to run",
  Write: "asks to write",
  Edit: "asks to edit",
  Read: "asks to read",
  Glob: "asks to list",
  Grep: "asks to search",
  WebFetch: "asks to fetch",
  Network: "asks to reach, from the sandbox,",
  Settings: "would get more rights from changed settings",
};

export function bodyLines(question: PermissionQuestion, { style, width, highlight }: Look): Body {
  const rows = question.parts.map((part) => ({ line: `    ${codeLine(part.text)}`, aside: asideOf(part, style) }));
  const column = asideColumn(rows, width);
  const parts = rows.flatMap((row) => partLines(row, { column, width }));
  const whole = codeLines(question.whole ?? "").flatMap((line) => hung(`    ${line}`, width, 6));
  let alone: string[][] | undefined;
  const note = question.note === undefined ? [] : hung(style.state("needs_you", `      ${visibleLine(question.note)}`), width, 6);
  return {
    must: question.whole === undefined ? [...parts, ...note] : [...whole, style.dim("  which runs"), ...parts],
    change: changeRows(question, { style, width, highlight, context: true }),
    changedAlone() {
      alone ??= changeRows(question, { style, width, highlight, context: false });
      return alone;
    },
  };
}

/** As after the answer, where it is known which lines change. */
function changeRows(
  { change, parts }: PermissionQuestion,
  { style, width, highlight, context }: Pick<Look, "style" | "width" | "highlight"> & { context: boolean },
): string[][] {
  if (!change[0]?.startsWith("@@")) return change.map((line) => hung(`      ${codeLine(line)}`, width, 8));
  return diffRows(change, { style, columns: width, context, highlight, path: parts[0]?.text ?? "", spell: codeLine });
}

/** The question of an agent, in its own words. Of the only agent here they say enough. */
export function choiceTextLines({ text }: ChoiceQuestion, look: Look): string[] {
  const [first = "", ...others] = codeLines(text);
  const begun = isOwn(look) ? look.style.state("needs_you", `? ${first}`) : `  ${first}`;
  return [begun, ...others.map((line) => `  ${line}`)].flatMap((line) => hung(line, look.width, 2));
}

/** Not of another agent, and open nowhere else. */
const isOwn = ({ also, canWait }: Pick<Look, "also" | "canWait">) => also === undefined && !canWait;

export function reasonLines({ tool, reason, says, left }: PermissionQuestion, { asker, style, width }: Look): string[] {
  const why = `  ${visibleLine(reason)}.`;
  const who = tool === "Network" ? "for" : `${visibleLine(asker)} says:`;
  const own = says === undefined ? [] : hung(style.dim(`  ${who} ${beginning(visibleLine(says), longestSaid)}`), width);
  if (left === undefined) return [...own, ...hung(style.dim(why), width)];
  const moved = " It has been moved away until you answer; if you say no, it stays here:";
  return [...hung(style.dim(why + moved), width), ...hung(style.dim(`    ${codeLine(left)}`), width, 4)];
}

const longestSaid = 200;

type PartRow = { line: string; aside: string };

function asideOf({ where, allowed, harmless, marks = [] }: PermissionQuestion["parts"][number], style: Style): string {
  const notes = [visibleLine(where), harmless ? "changes nothing" : allowed && "allowed"].filter(Boolean).join(", ");
  return [style.state("needs_you", marks.join(", ")), style.dim(notes)].filter(Boolean).join("  ");
}

/** The marks of all commands begin in one column, if each then fits beside its command. */
function asideColumn(rows: PartRow[], width: number): number {
  const marked = rows.filter(({ aside }) => aside !== "");
  const column = Math.max(0, ...marked.map(({ line }) => visibleWidth(line)));
  return marked.every(({ aside }) => column + asideGap + visibleWidth(aside) <= width) ? column : 0;
}

const asideGap = 6;

function partLines({ line, aside }: PartRow, { column, width }: { column: number; width: number }): string[] {
  if (aside === "") return hung(line, width, 6);
  const beside = `${line}${" ".repeat(Math.max(0, column - visibleWidth(line)) + asideGap)}${aside}`;
  return visibleWidth(beside) <= width ? [beside] : [...hung(line, width, 6), ...hung(`      ${aside}`, width, 6)];
}

/** In a command every character matters: invisible and joining characters are spelled out, even in emoji. */
function codeLine(text: string): string {
  return visible(text.replaceAll("\t", "    "));
}

function codeLines(text: string): string[] {
  return text.split("\n").map(codeLine);
}

/** Wraps a line and indents its continuation by `hang` columns. */
export function hung(line: string, width: number, hang = 2): string[] {
  return wrap(line, width, hang).split("\n");
}

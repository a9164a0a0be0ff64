// The status line of a solo session: activity, mode, how full the window is, and the cost. When it is narrow, words are dropped before figures.
import type { HandsFacts } from "../../places/hands-facts.ts";
import { dollars, elapsedTime, windowFill } from "../../wording/figures.ts";
import { clamp, firstFitting } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { visibleLine } from "../visible-text.ts";

export type SoloView = {
  state: "ready" | "working" | "needs_you";
  /** How long the agent has been working. */
  workingMs?: number | undefined;
  /** The person's own command, while it runs. */
  command?: string | undefined;
  model: string;
  /** The permission mode. */
  mode: string;
  /** `sandbox, offline`, or `at gpu, 12ms, sandbox`; empty until it is known. */
  sandbox: string;
  /** Its hands at a place. */
  hands?: HandsFacts | undefined;
  window: { usedTokens: number; ofTokens: number };
  costUsd: number | null;
  /** Background work; empty if there is none. */
  background?: string;
};

const words = { working: "working", needs_you: "needs you: answer above" };

/** What the line can show, in the usual order. */
const statusParts = ["state", "model", "mode", "sandbox", "window", "cost", "background"] as const;
export type StatusPart = (typeof statusParts)[number];

type Texts = Partial<Record<Exclude<StatusPart, "state">, string>>;

/** `show`: which parts, and in what order. That the person is needed is always said. */
export function soloStatusLine(
  view: SoloView,
  style: Style,
  { width, show = statusParts }: { width: number; show?: readonly StatusPart[] },
): string {
  const state = stateText(view, style);
  const order = view.state === "needs_you" && !show.includes("state") ? (["state", ...show] as const) : show;
  const forms = textsOf(view).map((texts) => inOrder(texts, { order, state, style }));
  const isHinted = view.state === "working" && order.includes("state");
  const hinted = isHinted ? forms.slice(0, 3).map((form) => form.replace(state, `${state}: ${interruptHint}`)) : [];
  const shortest = view.state === "needs_you" ? needsYouText(style) : forms.at(-1)!;
  return firstFitting([...hinted, ...forms, shortest], width);
}

export const needsYouText = (style: Style): string => style.state("needs_you", `${style.symbol("needs_you")} needs you`);

/** From everything to the least that is worth its room. */
function textsOf(view: SoloView): Texts[] {
  const { model, sandbox, background = "" } = view;
  const usual = view.mode === "default";
  const mode = `${view.mode} (${modeKey})`;
  const window = windowFill(view.window.usedTokens, view.window.ofTokens);
  const cost = dollars(view.costUsd);
  const beside = [
    { model, mode, sandbox, window, cost, background },
    { mode, sandbox, window, cost, background },
    { mode: view.mode, sandbox, cost, background },
  ];
  return [
    ...(background ? beside : []),
    { model, mode, sandbox, window, cost },
    { mode, sandbox, window, cost },
    { mode: view.mode, sandbox, window, cost },
    { mode: usual ? "" : view.mode, sandbox, cost },
    ...(usual ? [] : [{ mode: view.mode, cost }]),
    { cost },
    {},
  ];
}

/** How the agent works stands together, the rest apart. */
function inOrder(texts: Texts, { order, state, style }: { order: readonly StatusPart[]; state: string; style: Style }): string {
  const cells: { text: string; together: boolean }[] = [];
  for (const part of order) {
    const text = part === "state" ? state : visibleLine(texts[part] ?? "");
    if (text === "") continue;
    const together = part === "model" || part === "mode" || part === "sandbox";
    const last = cells.at(-1);
    if (together && last?.together) last.text += ` ${style.symbol("waiting")} ${text}`;
    else cells.push({ text, together });
  }
  return cells.map(({ text }) => (text === state ? text : style.dim(text))).join(style.dim(` ${style.separator} `));
}

/** What the agent does, or that the person is needed. */
export function stateText({ state, workingMs = 0, command }: SoloView, style: Style): string {
  if (state !== "ready") {
    const time = state === "working" && workingMs >= 1_000 ? ` ${elapsedTime(workingMs)}` : "";
    return style.state(state, `${style.symbol(state)} ${words[state]}${time}`);
  }
  if (command === undefined) return style.state("waiting", "ready");
  return style.state("working", `${style.symbol("working")} ${ownCommandText(command)}`);
}

const interruptHint = "Esc interrupts";

/** The person's own command that runs. */
export const ownCommandText = (command: string) => `!${clamp(visibleLine(command), 24)}: ${interruptHint}`;

/** The name for people; the bytes that the terminal sends are defined where keys are read. */
export const modeKey = "Shift-Tab";

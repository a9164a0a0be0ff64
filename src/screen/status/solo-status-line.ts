// The status line of a solo session: activity, mode, how full the window is, and the cost. When it is narrow, words are dropped before figures.
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
  /** `sandbox, offline`; empty until it is known. */
  sandbox: string;
  window: { usedTokens: number; ofTokens: number };
  costUsd: number | null;
  /** Background work; empty if there is none. */
  background?: string;
};

const words = { working: "working", needs_you: "needs you: answer above" };

export function soloStatusLine(view: SoloView, style: Style, width: number): string {
  const state = stateText(view, style);
  const bar = style.dim(` ${style.separator} `);
  const group = (...parts: string[]) =>
    parts
      .filter(Boolean)
      .map(visibleLine)
      .join(` ${style.symbol("waiting")} `);
  const usual = view.mode === "default";
  const withKey = `${view.mode} (${modeKey})`;
  const window = windowFill(view.window.usedTokens, view.window.ofTokens);
  const cost = dollars(view.costUsd);
  const { background = "" } = view;
  const beside = [
    [group(view.model, withKey, view.sandbox), window, cost, background],
    [group(withKey, view.sandbox), window, cost, background],
    [group(view.mode, view.sandbox), cost, background],
  ];
  const forms = [
    ...(background ? beside : []),
    [group(view.model, withKey, view.sandbox), window, cost],
    [group(withKey, view.sandbox), window, cost],
    [group(view.mode, view.sandbox), window, cost],
    [group(usual ? "" : view.mode, view.sandbox), cost],
    ...(usual ? [] : [[view.mode, cost]]),
    [cost],
    [],
  ].map((parts) => [state, ...parts.filter(Boolean).map(style.dim)].join(bar));
  const hinted = view.state === "working" ? forms.slice(0, 3).map((form) => form.replace(state, `${state}: ${interruptHint}`)) : [];
  const shortest = view.state === "needs_you" ? style.state("needs_you", `${style.symbol("needs_you")} needs you`) : state;
  return firstFitting([...hinted, ...forms, shortest], width);
}

function stateText({ state, workingMs = 0, command }: SoloView, style: Style): string {
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

// The last line of a solo session: what it does, what it has used, what holds for it; words go before figures when it gets narrow.
import type { Totals } from "../agent/session.ts";
import { allTokens } from "../agent/session.ts";
import { dollars, tokens } from "./figures.ts";
import { clamp, columnsOf } from "./line-widths.ts";
import type { Style } from "./style.ts";
import { visibleLine } from "./visible-text.ts";

export type SoloView = {
  state: "ready" | "working" | "needs_you";
  totals: Totals;
  model: string;
  /** Part of the model's window in use, from 0 to 1, once it is known. */
  window?: number;
  /** What else holds: the permission mode, the sandbox. */
  facts: string[];
};

const words = { working: "working", needs_you: "needs you: answer above" };

export function soloStatusLine(view: SoloView, style: Style, width: number): string {
  const state =
    view.state === "ready" ? style.state("waiting", "ready") : style.state(view.state, `${style.symbol(view.state)} ${words[view.state]}`);
  const used = [`${tokens(allTokens(view.totals.usage))} tokens`, dollars(view.totals.costUsd)].join("  ");
  const window = view.window === undefined ? [] : [`${Math.round(view.window * 100)}% of the window`];
  const bar = style.dim(` ${style.separator} `);
  const dim = (parts: string[]) => parts.map((part) => style.dim(visibleLine(part)));
  const cost = dim([dollars(view.totals.costUsd)]);
  const forms = [
    [state, ...dim([used, ...window, view.model, ...view.facts])],
    [state, ...dim([used, ...window, ...view.facts])],
    [state, ...dim([used, ...view.facts])],
    [state, ...cost, ...dim(view.facts)],
    [state, ...cost],
    [state],
    [view.state === "needs_you" ? style.state("needs_you", `${style.symbol("needs_you")} needs you`) : state],
  ].map((parts) => parts.filter(Boolean).join(bar));
  return clamp(forms.find((line) => columnsOf(line) <= width) ?? forms.at(-1) ?? "", width);
}

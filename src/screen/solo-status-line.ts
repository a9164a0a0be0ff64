// The last line of a solo session: what it does, what it has used, what holds for it; words go before figures when it gets narrow.
import { visibleWidth } from "@earendil-works/pi-tui";
import type { Totals } from "../agent/session.ts";
import { allTokens } from "../agent/session.ts";
import type { Activity } from "./activity.ts";
import { dollars, duration, tokens } from "./figures.ts";
import { clamp } from "./screen.ts";
import type { Style } from "./style.ts";
import { visibleLine } from "./visible-text.ts";

export type SoloView = {
  activity: Activity;
  totals: Totals;
  model: string;
  /** Part of the model's window in use, from 0 to 1, once it is known. */
  window?: number;
  /** What else holds: the permission mode, the sandbox. */
  facts: string[];
  nowMs: number;
};

export function soloStatusLine(view: SoloView, style: Style, width: number): string {
  const state = stateText(view, style, Number.POSITIVE_INFINITY);
  const used = [`${tokens(allTokens(view.totals.usage))} tokens`, dollars(view.totals.costUsd)].join("  ");
  const window = view.window === undefined ? [] : [`${Math.round(view.window * 100)}% of the window`];
  const bar = style.dim(` ${style.separator} `);
  const dim = (parts: string[]) => parts.map((part) => style.dim(visibleLine(part)));
  const cost = dim([dollars(view.totals.costUsd)]);
  const forms = [
    [state, ...dim([used, ...window, view.model, ...view.facts])],
    [state, ...dim([used, ...window, ...view.facts])],
    [state, ...dim([used, ...view.facts])],
    [stateText(view, style, 24), ...cost, ...dim(view.facts)],
    [stateText(view, style, 24), ...cost],
    [stateText(view, style, 0), ...cost],
  ].map((parts) => parts.filter(Boolean).join(bar));
  return clamp(forms.find((line) => visibleWidth(line) <= width) ?? forms.at(-1) ?? "", width);
}

function stateText({ activity, nowMs }: SoloView, style: Style, room: number): string {
  if (activity.kind === "idle") return style.state("waiting", "ready");
  const seconds = Math.max(0, Math.floor((nowMs - activity.sinceMs) / 1000));
  const elapsed = seconds > 0 ? duration(seconds * 1000) : "";
  const doing = visibleLine(activity.doing).slice(0, Math.min(room, 60));
  return [style.state("working", `${style.symbol("working")} working`), doing, elapsed].filter(Boolean).join(" ");
}

// A list to pick one item from: what is typed filters it.
import type { Style } from "../style.ts";
import { visibleLine } from "../visible-text.ts";
import { given, type Step } from "./step.ts";

/** `hint` is shown dimmed after the label. */
export type PickItem = { label: string; hint?: string };

export function pickStep<Item extends PickItem>(items: Item[], { title, style }: { title: string; style: Style }): Step<Item | undefined> {
  return {
    isList: true,
    head: () => [style.bold(visibleLine(title))],
    choices: ({ typed }) =>
      items
        .filter(({ label, hint = "" }) => `${label} ${hint}`.toLowerCase().includes(typed.trim().toLowerCase()))
        .map((item) => ({
          label: visibleLine(item.label),
          ...(item.hint && { hint: visibleLine(item.hint) }),
          take: given<Item | undefined>(item),
        })),
    typing: "type to filter",
    escape: given(undefined),
    escapeHint: "Esc leaves",
  };
}

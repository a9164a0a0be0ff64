// The agent's todo list as a line above the status line until it is done: `✓ Find the parser   ▶ Fix quoted fields   · Tests`.
import type { AgentEvent } from "../../agent/events.ts";
import { firstFitting } from "../line-widths.ts";
import type { State, Style } from "../style.ts";
import { beginning, visibleLine } from "../visible-text.ts";

export interface TodoLine {
  apply(event: AgentEvent): void;
  /** Empty without a list, or if all of it is done. */
  lines(width: number): string[];
}

type Item = { state: State; text: string };

/** The tool's result is the list, an item a line. */
const tool = "TodoWrite";
const states: Record<string, State> = { "[x]": "done", "[>]": "working", "[ ]": "waiting" };

export function createTodoLine(style: Style): TodoLine {
  let items: Item[] = [];
  /** The list at the time of each input, for a rewind. */
  const before = new Map<string, Item[]>();
  return {
    apply(event) {
      if (event.type === "input") before.set(event.at, items);
      if (event.type === "rewound") items = before.get(event.to) ?? [];
      if (event.type === "tool_ended" && event.name === tool && !event.isError) items = itemsIn(event.text);
    },
    lines(width) {
      const begin = items.findIndex(({ state }) => state !== "done");
      if (begin < 0) return [];
      const shown = items.map(
        ({ state, text }) => `${style.state(state, style.symbol(state))} ${beginning(visibleLine(text), longestItem)}`,
      );
      const counted = `${style.state("done", style.symbol("done"))} ${begin}`;
      const forms = [shown, begin > 0 ? [counted, ...shown.slice(begin)] : shown].map((form) => `  ${form.join("   ")}`);
      return [firstFitting(forms, width)];
    },
  };
}

const longestItem = 60;

function itemsIn(text: string): Item[] {
  return text.split("\n").flatMap((line) => {
    const state = states[line.slice(0, 3)];
    return state ? [{ state, text: line.slice(4) }] : [];
  });
}

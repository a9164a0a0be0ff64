// Lines that were typed while the agent works. They are shown as waiting until the agent reads them, and can be taken back until then.
import type { AgentEvent } from "../../agent/events.ts";
import type { Style } from "../style.ts";
import { beginning, visibleLine } from "../visible-text.ts";

export interface QueuedLines {
  add(line: string): void;
  apply(event: AgentEvent): void;
  /** The newest waiting line. */
  last(): string | undefined;
  /** Removes that line. */
  removeLast(): void;
  lines(): string[];
}

export function createQueuedLines(style: Style): QueuedLines {
  let waiting: string[] = [];
  return {
    add: (line) => void waiting.push(line),
    apply(event) {
      if (event.type !== "input") return;
      for (const { source, text, shown = text } of event.inputs) {
        const index = source.kind === "user" ? waiting.indexOf(shown) : -1;
        if (index >= 0) waiting = waiting.toSpliced(index, 1);
      }
    },
    last: () => waiting.at(-1),
    removeLast: () => void waiting.pop(),
    lines: () =>
      waiting.map((line, index) =>
        style.dim(`  queued: ${visibleLine(shortened(line, style))}${index === waiting.length - 1 ? "  (Up takes it back)" : ""}`),
      ),
  };
}

/** Shows the end of a long line too: after a long paste, people often type what to do with it. */
function shortened(line: string, style: Style): string {
  if (line.length <= longestShown) return line;
  const ending = line.slice(longestBeginning - longestShown).toWellFormed();
  return `${beginning(line, longestBeginning).trimEnd()} ${style.ellipsis} ${ending.replace(/^\S*\s+/, "")}`;
}

/** With the hint behind it, the line fits into 80 columns. */
const longestShown = 46;
const longestBeginning = 20;

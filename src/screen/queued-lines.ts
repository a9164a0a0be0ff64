// Lines that were typed while the agent works: they are seen to wait until it takes them in.
import type { AgentEvent } from "../agent/events.ts";
import type { Style } from "./style.ts";
import { beginning, visibleLine } from "./visible-text.ts";

export interface QueuedLines {
  add(line: string): void;
  apply(event: AgentEvent): void;
  lines(): string[];
}

export function createQueuedLines(style: Style): QueuedLines {
  let waiting: string[] = [];
  return {
    add: (line) => void waiting.push(line),
    apply(event) {
      if (event.type !== "input") return;
      for (const { source, text } of event.inputs) {
        const index = source.kind === "user" ? waiting.indexOf(text) : -1;
        if (index >= 0) waiting = waiting.toSpliced(index, 1);
      }
    },
    lines: () => waiting.map((line) => style.dim(`  queued: ${visibleLine(beginning(line, longestShown))}`)),
  };
}

const longestShown = 200;

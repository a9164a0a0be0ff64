// A thought of the model as one line. The key that shows a tool call shows the whole thought.
import type { AgentEvent } from "../../agent/events.ts";
import { duration, tokens } from "../../wording/figures.ts";
import type { Style } from "../style.ts";
import { detailKey } from "./call-details.ts";
import { thoughtsOf } from "./thoughts.ts";

export interface ThoughtLine {
  /** The line of the thought that this event ends; it must be printed before the event. */
  apply(event: AgentEvent): string | undefined;
}

const charactersPerToken = 4;

export function createThoughtLine({ style, now }: { style: Style; now: () => number }): ThoughtLine {
  let characters = 0;
  let sinceMs = 0;
  /** Whether thoughts of the current reply have a line already. */
  let said = false;
  let keyTold = false;
  const line = (size: number, took: string) => {
    const key = keyTold ? "" : `  ${detailKey.name} shows it`;
    [characters, said, keyTold] = [0, true, true];
    return style.dim(`  thought${took}  ~${tokens(Math.ceil(size / charactersPerToken))} tokens${key}`);
  };
  return {
    apply(event) {
      if (event.type === "thought") {
        if (characters === 0) sinceMs = now();
        characters += event.text.length;
      }
      if (event.type === "request" || event.type === "retry") [characters, said] = [0, false];
      if (event.type !== "text" && event.type !== "reply") return undefined;
      if (characters > 0) return line(characters, ` for ${duration(Math.max(0, now() - sinceMs))}`);
      const whole = event.type === "reply" && !said ? thoughtsOf(event).length : 0;
      return whole > 0 ? line(whole, "") : undefined;
    },
  };
}

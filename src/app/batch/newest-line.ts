// The newest line that a command has printed, reported while it runs, so that one that hangs can be seen.
import { stripVTControlCharacters } from "node:util";
import type { Clock } from "../../agent/ports/clock.ts";

export type NewestLine = {
  /** For the command's output as it comes. */
  add(text: string): void;
  /** Nothing is reported afterwards. */
  end(): void;
};

const betweenMs = 1_000;
const mostKept = 4_000;
const longest = 200;

/** Calls `report` at most once a second, with the line without secrets. */
export function newestLine(
  { monotonicMs }: Pick<Clock, "monotonicMs">,
  { redacted, report }: { redacted: (text: string) => Promise<string>; report: (line: string) => void },
): NewestLine {
  let kept = "";
  let nextMs = 0;
  let ended = false;
  return {
    add(text) {
      kept = (kept + text).slice(-mostKept);
      if (monotonicMs() < nextMs) return;
      nextMs = monotonicMs() + betweenMs;
      const line = lastLine(kept);
      if (line !== "") void redacted(line).then((clean) => ended || report(clean.slice(0, longest).toWellFormed()));
    },
    end() {
      ended = true;
    },
  };
}

/** The last one with something to see in it. */
const lastLine = (text: string) =>
  stripVTControlCharacters(text)
    .split(/[\r\n]+/)
    .findLast((line) => line.trim() !== "")
    ?.trim() ?? "";

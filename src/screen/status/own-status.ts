// A status line that a command of the person prints: run again when what it is told has changed, and never waited for.
import type { Clock } from "../../agent/ports/clock.ts";
import { clamp } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { beginning, visibleLine } from "../visible-text.ts";

/** What one run printed, or why it printed nothing. */
export type StatusRun = (input: string) => Promise<{ ok: true; text: string } | { ok: false; reason: string }>;

export type OwnStatusSetup = {
  run: StatusRun;
  clock: Pick<Clock, "sleep">;
  /** Ends it with the session. */
  signal: AbortSignal;
  /** There is a new line to draw. */
  changed: () => void;
  /** Called once, for the first of several failures in a row. */
  failed: (reason: string) => void;
};

/** The least time between two starts. */
const everyMs = 300;

/** Returns the last good line, undefined before the first; `input`: the facts as JSON. Drawing calls it as often as it likes. */
export function ownStatus({ run, clock, signal, changed, failed }: OwnStatusSetup): (input: string) => string | undefined {
  let line: string | undefined;
  let [wanted, told] = ["", ""];
  let [busy, failing] = [false, false];
  const start = async () => {
    busy = true;
    told = wanted;
    const [result] = await Promise.all([run(told), clock.sleep(everyMs, signal)]);
    busy = false;
    if (signal.aborted) return;
    if (result.ok) line = result.text;
    else if (!failing) failed(result.reason);
    failing = !result.ok;
    if (result.ok) changed();
    if (wanted !== told) void start();
  };
  return (input) => {
    wanted = input;
    if (!busy && wanted !== told && !signal.aborted) void start();
    return line;
  };
}

const longest = 4_096;
const esc = "\u001b";
const bel = "\u0007";
/** Colours, and every other sequence that a terminal obeys. */
const sequences = new RegExp(
  `${esc}(?:\\[([0-9;]*)([@-~])|\\[[0-?]*[ -/]*[@-~]?|[\\]PX^_][^${esc}${bel}]*(?:${bel}|${esc}\\\\)?|[ -/]*.)`,
  "g",
);

/** The first line, without any sequence but colours, cut to the width. */
export function statusText(printed: string, style: Pick<Style, "colour">, width: number): string {
  const first =
    beginning(printed, longest)
      .split(/\r?\n/)
      .find((each) => each.trim() !== "") ?? "";
  let at = 0;
  let shown = "";
  let isColoured = false;
  for (const match of first.matchAll(sequences)) {
    shown += visibleLine(first.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] !== "m" || !style.colour) continue;
    shown += match[0];
    isColoured = true;
  }
  shown += visibleLine(first.slice(at));
  const cut = clamp(shown, width);
  return isColoured ? `${cut}${esc}[0m` : cut;
}

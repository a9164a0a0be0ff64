// Asks the person at a terminal outside a session, as a session does: on a live part that is gone after the answer.
import { matchesKey } from "@earendil-works/pi-tui";
import { listenToKeys } from "../keys/keys.ts";
import type { Style } from "../style.ts";
import { createScreen } from "../terminal/screen.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { openQuestion } from "./open-question.ts";
import type { Step } from "./step.ts";

export type AloneSetup = { terminal: Terminal; style: Style; signal: AbortSignal };

/** Undefined if the person left with Ctrl-C or Ctrl-D, or if the signal aborts. */
export function askAlone<Answer>(step: Step<Answer>, { terminal, style, signal }: AloneSetup): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const question = openQuestion(step, { terminal, style, changed: () => screen.refresh() });
    const screen = createScreen(terminal, (width) => question.lines({ width, rows: Math.max(1, terminal.rows - 1), more: 0, line: false }));
    const end = (answer: Answer | undefined) => {
      signal.removeEventListener("abort", leave);
      keys.stop();
      screen.close();
      resolve(answer);
    };
    const leave = () => end(undefined);
    // Listens before it draws: the person may answer at once, and Ctrl-C is a key from here on, not a signal.
    const keys = listenToKeys(terminal, (key) => {
      const outcome = question.onKey(key);
      if (outcome.kind === "given") return end(outcome.given);
      if (outcome.kind === "pane" && (matchesKey(key, "ctrl+c") || matchesKey(key, "ctrl+d"))) return leave();
      screen.refresh();
    });
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) return leave();
    screen.refresh();
  });
}

// Texts that the loop itself says to the model.
import type { Input } from "./events.ts";

/** After a reply that reached the output limit. A call that was cut is not in the transcript, so the model must hear of it. */
export function continueAfterCut(callsKept: number): Input {
  const calls =
    callsKept === 0
      ? "No tool call of it was run."
      : `The ${callsKept} tool calls above were whole and have run; one that was cut has not.`;
  return { source: { kind: "harness" }, text: `Your last reply was cut at the output limit. ${calls} Go on, in smaller steps.` };
}

/** The result of a call whose process ended while it ran. */
export const interruptedResult =
  "Interrupted: the process ended during this call. It may have taken effect in part. It was not repeated; look before you run it again.";

/** The result of a call that was not begun because the person interrupted. */
export const notRunResult = "Not run: interrupted before this call began.";

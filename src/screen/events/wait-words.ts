// A wait before another attempt at a request, in words: the same wherever it is shown.
import type { AgentEvent } from "../../agent/events.ts";
import { maxAttempts } from "../../agent/requests/retry.ts";
import { elapsedTime } from "../../wording/figures.ts";
import { visibleLine } from "../visible-text.ts";

/** `waiting 8s, attempt 3 of 10: the provider is overloaded`. The first attempt may wait as well, for what another agent was told. */
export function waitWords(
  { reason, retryCount }: Pick<Extract<AgentEvent, { type: "retry" }>, "reason" | "retryCount">,
  leftMs: number,
): string {
  const attempt = retryCount > 0 ? `, attempt ${retryCount + 1} of ${maxAttempts}` : "";
  const why = visibleLine(reason).replace(/^The /, "the ").replace(/\.$/, "");
  return `waiting ${elapsedTime(Math.ceil(leftMs / 1_000) * 1_000)}${attempt}: ${why}`;
}

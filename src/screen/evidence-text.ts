// The evidence beside what an agent says about its work: green only where a test says so.
import { type Evidence, evidenceWords, isFailed } from "../wording/evidence.ts";
import type { State, Style } from "./style.ts";
import { visibleLine } from "./visible-text.ts";

/** The same behind a summary, which would otherwise seem to say it. */
export const evidenceAside = (evidence: Evidence | undefined, style: Style) => style.dim(style.middleDot) + evidenceText(evidence, style);

/** Failed in its colour, everything else quiet. */
export function evidenceText(evidence: Evidence | undefined, style: Style): string {
  const words = visibleLine(evidenceWords(evidence, { passed: style.symbol("done"), failed: style.symbol("failed"), unclear: "?" }));
  return isFailed(evidence) ? style.state("failed", words) : style.dim(words);
}

/** Work that is said to be done, while its last test or one of its commands failed, is for the person to judge. */
export function doneState({
  evidence,
  failedCommands = 0,
}: {
  evidence?: Evidence | undefined;
  failedCommands?: number | undefined;
}): State {
  return isFailed(evidence) || failedCommands > 0 ? "needs_you" : "done";
}

// Suspends a run before a call that needs permission. Calls that have not begun stay open, so that the run can continue exactly there; calls in
// progress are interrupted as usual.

/** The reason with which a run's signal aborts. */
export class Suspension {
  /** Rules that would let the run continue; empty if only a person's answer can. */
  readonly missing: string[];
  readonly tool: string;
  readonly why: string;

  constructor(tool: string, { why, missing }: { why: string; missing: string[] }) {
    this.tool = tool;
    this.why = why;
    this.missing = missing;
  }
}

/** How the run that this signal belongs to was suspended, if it was. */
export function suspensionOf({ aborted, reason }: AbortSignal): Suspension | undefined {
  return aborted && reason instanceof Suspension ? reason : undefined;
}

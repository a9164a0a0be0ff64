// What the harness saw of the tests of a piece of work, shown beside what an agent says about it. Only `verify` proves: a person or the lead has
// named its command, and the harness ran it.
import { z } from "zod";

/**
 * `none`: no test was run. `test`: the last command that looked like a test. `verify`: the command that a task names, as the harness ran it.
 * `unclear`: it ran, and neither its exit code nor its output says how it ended.
 */
export const evidenceSchema = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("none") }),
    z.object({
      kind: z.enum(["test", "verify"]),
      command: z.string(),
      result: z.enum(["passed", "failed", "unclear"]),
      /** `11 passed`, `1 of 12 failed: keeps the currency`, `exit 1`. */
      summary: z.string(),
      /** ISO 8601, UTC. */
      at: z.string(),
    }),
  ]),
);
export type Evidence = z.infer<typeof evidenceSchema>;
/** Of a test that was run. */
export type TestRun = Exclude<Evidence, { kind: "none" }>;
export type TestResult = TestRun["result"];

/** Whether the work must not be shown as simply done. */
export const isFailed = (evidence: Evidence | undefined): boolean =>
  evidence !== undefined && evidence.kind !== "none" && evidence.result === "failed";

const plainSymbols: Record<TestResult, string> = { passed: "✓", failed: "✗", unclear: "?" };

/**
 * `verify ✓ exit 0`, `last test ✗ 1 of 12 failed`, `own test: 12 passed`, `no test was run`; `tests unknown` if nobody looked. The
 * agent has chosen the last test and may have written what it prints, so that it passed is what the work says of itself: no mark of success.
 */
export function evidenceWords(evidence: Evidence | undefined, symbols: Record<TestResult, string> = plainSymbols): string {
  if (evidence === undefined) return "tests unknown";
  if (evidence.kind === "none") return "no test was run";
  const { kind, result, summary } = evidence;
  if (kind === "test" && result === "passed") return `own test: ${summary}`;
  return `${kind === "verify" ? "verify" : "last test"} ${symbols[result]} ${summary}`;
}

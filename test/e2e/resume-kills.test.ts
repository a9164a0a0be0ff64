// A sample of the steps at which a lead can die during its resume. All of them: TOOL_TEST_RESUME_STEPS=all npx vitest run
// test/e2e/resume-kills.test.ts
import { writeSync } from "node:fs";
import { expect, it } from "vitest";
import { killResumes, type StepOutcome } from "../chaos/resume-kills.ts";
import { skipWithoutTmux } from "../needs.ts";

/** Steps, or `all`. */
const wanted = process.env["TOOL_TEST_RESUME_STEPS"];
/** The lead has a claim, and has not changed the record yet. */
const short = [40];

const timeout = wanted === undefined ? 120_000 : 3_600_000;

it("loses nothing and doubles nothing when the lead is killed at a step of its resume", { timeout }, async () => {
  skipWithoutTmux();
  const steps = wanted === "all" ? undefined : (wanted?.split(",").map(Number) ?? short);
  const onStep = ({ step, before, violations }: StepOutcome) =>
    void (wanted && writeSync(1, `step ${step}: ${before ?? "resumed"}: ${violations.length} violations\n`));
  const order = { seed: 3, teammates: 2, tasks: 5, messages: 4, display: "tmux", onStep } as const;
  const { outcomes, folder } = await killResumes({ ...order, ...(steps && { steps }) });
  expect({ violations: outcomes.flatMap(({ violations }) => violations), folder }).toEqual({ violations: [], folder: undefined });
  expect(outcomes.some(({ before }) => before !== undefined)).toBe(true);
});

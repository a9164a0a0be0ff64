import { expect, it } from "vitest";
import { planSubmission } from "../../../src/batch/plan/submit-plan.ts";
import { planOf, unit } from "../plans.ts";

const context = { signal: new AbortController().signal, onOutput() {} };

it("accepts a plan, and returns mistakes as the tool's result", async () => {
  const submission = planSubmission();
  const submit = (plan: ReturnType<typeof planOf>) => submission.tool.run(plan, context);
  const twice = { units: [...planOf(5).units, unit("u1", { files: ["other.js"] })] };
  expect(await submit(twice)).toMatchObject({
    isError: true,
    summary: "refused",
    text: expect.stringMatching(/^Not accepted:\n- The id "u1"/),
  });
  expect([submission.plan(), submission.refused().length]).toEqual([undefined, 1]);
  expect(await submit(planOf(4))).toMatchObject({ isError: true, summary: "too few units" });
  expect([submission.plan(), submission.refused()]).toEqual([{ kind: "too_few", plan: planOf(4) }, []]);
  expect(await submit(planOf(5))).toMatchObject({ isError: false, summary: "accepted" });
  expect(submission.plan()).toEqual({ kind: "good", plan: planOf(5) });
});

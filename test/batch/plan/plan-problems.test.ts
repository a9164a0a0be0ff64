import { expect, it } from "vitest";
import { planSchema } from "../../../src/batch/plan/plan.ts";
import { planProblems } from "../../../src/batch/plan/plan-problems.ts";
import { unit } from "../plans.ts";

function problemsOf(json: unknown): string[] {
  const parsed = planSchema.safeParse(json);
  return parsed.success ? [] : planProblems(parsed.error.issues, json);
}

it.each([
  [[], ['A plan is an object with a list of units: { "units": [ … ] }.']],
  [{}, ["The plan: units is missing."]],
  [{ units: [] }, ["The plan: units must not be empty."]],
  [{ units: [unit("a")], mine: 1 }, ['The plan: unknown key "mine".']],
  [{ units: ["a"] }, ["Unit 1: it must be an object."]],
  [{ units: [unit("a"), { ...unit("b"), phase: 0 }] }, ['Unit 2 ("b"): phase must be at least 1.']],
  [{ units: [{ ...unit("a"), phase: 31 }] }, ['Unit 1 ("a"): phase must be at most 30.']],
  [{ units: [{ ...unit("a"), files: [] }] }, ['Unit 1 ("a"): files must not be empty.']],
  [{ units: [{ ...unit("a"), files: ["ok", 1] }] }, ['Unit 1 ("a"): files 2 must be a string.']],
  [{ units: [{ ...unit("a"), title: "x".repeat(201) }] }, ['Unit 1 ("a"): title may have at most 200 characters.']],
  [{ units: [{ ...unit("a"), test: undefined }] }, ['Unit 1 ("a"): test is missing.']],
  [{ units: [{ ...unit("a"), test: "a | b" }] }, [expect.stringMatching(/^Unit 1 \("a"\): test must be one program with its arguments/)]],
  [{ units: [{ ...unit("a"), more: 1 }] }, [expect.stringMatching(/^Unit 1 \("a"\): unknown key "more"; a unit has id, title, /)]],
])("%j", (json, problems) => {
  expect(problemsOf(json)).toEqual(problems);
});
